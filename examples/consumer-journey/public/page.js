// The consumer's journey: details, waiting, perhaps a code, the report or a calm end. Keeps nothing: what was typed is in
// the form, what was answered is in the page, and both are gone when it is closed.
import { enterCodeStep, leaveCodeStep, tellFault } from './code-step.js';
import { find, post, showStep, showStopped } from './steps.js';

/** Trefoil takes a session for 30 minutes. */
const SESSION_MS = 30 * 60_000;

/** After these nobody knows yet whether a report was made: the same question goes out under the same key. */
const UNCERTAIN = ['offline', 'busy', 'unavailable'];

/** What was asked under the form's key and has no certain answer. */
let unanswered = '';
let isOffline = false;
/** What the last question was asked with, and whom the session was first used for: Trefoil takes it for nobody else. */
let session;
let person;
let firstPerson;

const NEEDED = {
  firstName: 'Enter your first name.',
  lastName: 'Enter your last name.',
  dateOfBirth: 'Enter your date of birth.',
  mobileNumber: 'Enter your mobile number.',
  building: 'Enter the number or the name of your house.',
  townOrCity: 'Enter your town or city.',
  postcode: 'Enter your postcode.',
  consent: 'Tick the box if you want us to get your report.',
};

function clearFaults() {
  find('faults').hidden = true;
  for (const error of document.querySelectorAll('#details .error')) error.remove();
  for (const input of document.querySelectorAll('#details [aria-invalid]')) {
    input.removeAttribute('aria-invalid');
    const hint = find(`${input.id}-hint`);
    if (hint) input.setAttribute('aria-describedby', hint.id);
    else input.removeAttribute('aria-describedby');
  }
}

function showFaults(faults) {
  clearFaults();
  const list = find('faults').querySelector('ul');
  list.replaceChildren();
  for (const [field, sentence] of Object.entries(faults)) {
    const input = find(field);
    const error = document.createElement('p');
    Object.assign(error, { className: 'error', id: `${field}-error`, textContent: sentence });
    input.before(error);
    input.setAttribute('aria-invalid', 'true');
    const hint = find(`${field}-hint`);
    input.setAttribute('aria-describedby', hint ? `${hint.id} ${error.id}` : error.id);
    const link = document.createElement('a');
    Object.assign(link, { href: `#${field}`, textContent: sentence });
    const item = document.createElement('li');
    item.append(link);
    list.append(item);
  }
  showStep('details');
  find('faults').hidden = false;
  find('faults').focus();
}

function findEmpty(form) {
  const isMissing = ([field]) =>
    field === 'consent' ? !form.elements.consent.checked : !form.elements[field].value.trim();
  return Object.fromEntries(Object.entries(NEEDED).filter(isMissing));
}

function element(name, text, className = '') {
  return Object.assign(document.createElement(name), { textContent: text, className });
}

function showReport({ name, accounts, searches, isPartial }) {
  const list = document.createElement('ul');
  list.className = 'accounts';
  for (const { lender, kind, state, balance } of accounts) {
    const item = document.createElement('li');
    const what = element('div', '');
    what.append(element('strong', lender), element('span', `${kind}, ${state}`, 'quiet'));
    item.append(what, element('span', balance, 'amount'));
    list.append(item);
  }
  const count = accounts.length === 1 ? 'One account' : `${accounts.length || 'No'} accounts`;
  const card = element('div', '', 'card');
  card.append(
    element('h2', name),
    element(
      'p',
      `${count} on record. Lenders have searched your file ${searches === 1 ? 'once' : `${searches} times`}.`,
    ),
  );
  if (isPartial) {
    card.append(element('p', 'Not every credit bureau knows you or has answered, so accounts may be missing.', 'note'));
  }
  if (accounts.length > 0) card.append(list);
  find('report').replaceChildren(card);
  showStep('report');
}

/** What is the same wherever an answer comes from. */
function show(answer) {
  switch (answer.status) {
    case 'complete':
      showReport(answer.report);
      break;
    case 'code-needed':
      enterCodeStep();
      showStep('code');
      find('code').focus();
      break;
    case 'invalid':
      showFaults(answer.fields);
      break;
    default:
      showStopped(answer.why);
  }
}

const personOf = ({ firstName, lastName, dateOfBirth }) => [firstName, lastName, dateOfBirth].join('\n').toLowerCase();

/** It cannot serve another question; a new one comes with the page. */
function isSessionSpent() {
  if (!session) return false;
  return session.degraded === true || person !== firstPerson || Date.now() - session.madeAt > SESSION_MS;
}

/** One key for each attempt, made before it can be sent: two clicks and every repeat share it, and one report is made. */
function beginAttempt() {
  find('attemptId').value = crypto.randomUUID();
  unanswered = '';
}

async function askForReport(form) {
  const empty = findEmpty(form);
  if (Object.keys(empty).length > 0) {
    showFaults(empty);
    return;
  }
  clearFaults();
  find('waiting-text').textContent = 'We are asking the credit bureaus. This can take up to 20 seconds.';
  showStep('waiting');
  session = (await window.deviceSession) ?? { sessionId: 'script-not-loaded', degraded: true, madeAt: Date.now() };
  const { consent: _, attemptId: __, ...details } = Object.fromEntries(new FormData(form));
  const question = JSON.stringify(details);
  // Another question is another attempt.
  if (unanswered !== '' && unanswered !== question) beginAttempt();
  unanswered = question;
  const attemptId = find('attemptId').value;
  const answer = await post('/api/report', { ...details, attemptId, sessionId: session.sessionId });
  isOffline = answer.why === 'offline';
  if (!UNCERTAIN.includes(answer.why)) beginAttempt();
  person = personOf(details);
  // An invalid question has reached nobody.
  if (answer.status !== 'invalid') firstPerson ??= person;
  show(answer);
}

async function submitCode(form) {
  const code = find('code').value.replace(/[\s-]/g, '');
  if (!/^\d{6}$/.test(code)) {
    tellFault('Enter the six digits of the code.');
    return;
  }
  const button = form.querySelector('button');
  button.disabled = true;
  tellFault('');
  find('waiting-text').textContent = 'We are checking the code and getting your report.';
  showStep('waiting');
  const answer = await post('/api/code', { code });
  button.disabled = false;
  if (answer.status === 'retry') {
    showStep('code');
    const left = answer.attemptsRemaining === 1 ? 'one more try' : `${answer.attemptsRemaining} more tries`;
    tellFault(`This code is not right. You have ${left}.`);
    return;
  }
  // Not the end: the same code, sent again, gets the answer that was lost.
  if (['offline', 'busy', 'unavailable'].includes(answer.why)) {
    showStep('code');
    tellFault('We could not check the code just now. Please try again.');
    return;
  }
  leaveCodeStep();
  show(answer);
}

/** Not again before it has ended: a second click changes nothing. */
function oneAtATime(act) {
  let isRunning = false;
  return async (form) => {
    if (isRunning) return;
    isRunning = true;
    await act(form).finally(() => {
      isRunning = false;
    });
  };
}

const ask = oneAtATime(askForReport);

for (const [id, act] of [
  ['details', ask],
  ['code-form', oneAtATime(submitCode)],
]) {
  find(id).addEventListener('submit', (event) => {
    event.preventDefault();
    void act(event.currentTarget);
  });
}

find('restart').addEventListener('click', () => {
  // What was asked and not answered is asked again under its key, which a new page would not know.
  if (isOffline) void ask(find('details'));
  // Where the device must be checked anew, with the page; else what was typed is still there.
  else if (unanswered === '' && isSessionSpent()) location.reload();
  else showStep('details');
});

// From here on the form is ours to send.
beginAttempt();
find('details').querySelector('button').disabled = false;
