// The consumer's journey: details, waiting, perhaps a code, the report or a calm end. Keeps nothing: what was typed is in
// the form, what was answered is in the page, and both are gone when it is closed.
import { readBirthDate } from './birth-date.js';
import { enterCodeStep, leaveCodeStep } from './code-step.js';
import { showStopped } from './ends.js';
import { clearFaults, showFaults } from './faults.js';
import { find, post, showStep } from './steps.js';

/** Trefoil takes a session for 30 minutes. */
const SESSION_MS = 30 * 60_000;

/** After these it is not known whether a report was made: the same question goes out under the same key. */
const UNCERTAIN = ['offline', 'busy', 'unavailable'];

/** What was asked under the form's key and has no certain answer. */
let unanswered = '';
/** Why the last question was stopped. */
let end;
/** What the last question was asked with, and whom the session was first used for: Trefoil takes it for no other person. */
let session;
let person;
let firstPerson;

const NEEDED = {
  firstName: 'Enter your first name',
  lastName: 'Enter your last name',
  dateOfBirth: 'Enter your date of birth',
  mobileNumber: 'Enter a UK mobile number, like 07700 900123',
  building: 'Enter a house number or name',
  townOrCity: 'Enter your town or city',
  postcode: 'Enter a UK postcode, like HS10 6QA',
  consent: 'Tick the box if you want us to get your report',
};

/** What was typed, with the date of birth as one date; and what is missing, in the order of the form. */
function readDetails(form) {
  const { day, month, year, attemptId: _, ...details } = Object.fromEntries(new FormData(form));
  const birth = readBirthDate({ day, month, year });
  if (birth.date) details.dateOfBirth = birth.date;
  const faults = {};
  for (const [field, sentence] of Object.entries(NEEDED)) {
    if (!details[field]?.trim()) faults[field] = field === 'dateOfBirth' ? birth.fault : sentence;
  }
  return { details, faults };
}

/** What is the same wherever an answer comes from. */
function show(answer) {
  end = answer.why;
  switch (answer.status) {
    case 'complete':
      // A page of its own, so that loading it again shows the report again. Going back does not lead to an empty form.
      location.replace('/report');
      break;
    case 'code-needed':
      enterCodeStep(find('mobileNumber').value);
      showStep('code');
      find('code').focus();
      break;
    case 'invalid':
      showStep('details');
      showFaults('details', answer.fields);
      break;
    default:
      showStopped(answer);
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
  const { details, faults } = readDetails(form);
  if (Object.keys(faults).length > 0) {
    showFaults('details', faults);
    return;
  }
  clearFaults('details');
  find('waiting-text').textContent = 'We are asking the agencies. This can take up to 20 seconds.';
  showStep('waiting');
  session = (await window.deviceSession) ?? { sessionId: 'script-not-loaded', degraded: true, madeAt: Date.now() };
  const question = JSON.stringify(details);
  // Another question is another attempt.
  if (unanswered !== '' && unanswered !== question) beginAttempt();
  unanswered = question;
  const attemptId = find('attemptId').value;
  const answer = await post('/api/report', { ...details, attemptId, sessionId: session.sessionId });
  if (!UNCERTAIN.includes(answer.why)) beginAttempt();
  person = personOf(details);
  // An invalid question has reached no agency.
  if (answer.status !== 'invalid') firstPerson ??= person;
  show(answer);
}

const tellFault = (code) => showFaults('code-form', { code });

async function submitCode(form) {
  const code = find('code').value.replace(/[\s-]/g, '');
  if (!/^\d{6}$/.test(code)) {
    tellFault('Enter the 6-digit code');
    return;
  }
  const button = form.querySelector('button');
  button.disabled = true;
  clearFaults('code-form');
  find('waiting-text').textContent = 'We are checking the code and getting your report.';
  showStep('waiting');
  const answer = await post('/api/code', { code });
  button.disabled = false;
  if (answer.status === 'retry') {
    showStep('code');
    const left = answer.attemptsRemaining === 1 ? '1 try' : `${answer.attemptsRemaining} tries`;
    tellFault(`That code is not right. You have ${left} left`);
    return;
  }
  // Not the end: the same code, sent again, gets the answer that was lost.
  if (UNCERTAIN.includes(answer.why)) {
    showStep('code');
    tellFault('We could not check the code just now. Please try again');
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

function changeNumber() {
  showStep('details');
  find('mobileNumber').focus();
}

find('restart').addEventListener('click', () => {
  // What was asked and not answered is asked again under its key, which a new page would not know.
  if (end === 'offline') void ask(find('details'));
  // Where the device must be checked anew, with the page; else what was typed is still there.
  else if (unanswered === '' && isSessionSpent()) location.reload();
  else if (end === 'number-refused' || end === 'number-limit') changeNumber();
  else showStep('details');
});

find('other-number').addEventListener('click', () => {
  leaveCodeStep();
  changeNumber();
});

// From here on the form is ours to send.
beginAttempt();
find('details').querySelector('button').disabled = false;
