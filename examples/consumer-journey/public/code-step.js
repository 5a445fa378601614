// The step with the code: its five minutes, the other messages that may be asked for, and filling it in where the
// browser can read it from the message.
import { find, post, showStopped } from './steps.js';

const LIFETIME_MS = 5 * 60_000;
const RESEND_AFTER_MS = 30_000;
/** Said aloud; every second would be unbearable. */
const SPOKEN_SECONDS = [240, 180, 120, 60, 30, 10];
const FIRST_RESENDS = 2;

let timer;
let sentAt = 0;
let leftBefore = 0;
let sendsRemaining = FIRST_RESENDS;
let reader;
/** Another one for each time the step is entered or left: an answer that comes after it belongs to nothing any more. */
let visit = 0;

const inWords = (seconds) =>
  seconds >= 60 ? `${seconds / 60} ${seconds === 60 ? 'minute' : 'minutes'}` : `${seconds} seconds`;

function tick() {
  const left = Math.max(0, Math.ceil((sentAt + LIFETIME_MS - Date.now()) / 1000));
  find('countdown').textContent = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, '0')}`;
  // Passed, not met: a page in the background does not tick every second.
  const passed = SPOKEN_SECONDS.findLast((mark) => left <= mark && mark < leftBefore);
  if (passed) find('time-spoken').textContent = `About ${inWords(passed)} left to enter the code.`;
  leftBefore = left;
  const wait = Math.ceil((sentAt + RESEND_AFTER_MS - Date.now()) / 1000);
  const button = find('resend');
  if (!button.ariaBusy) button.disabled = wait > 0 || sendsRemaining === 0;
  find('resend-text').textContent = resendWords(wait);
  // While a code is being checked the answer decides, not our clock.
  if (left === 0 && !find('step-code').hidden) {
    leaveCodeStep();
    showStopped('expired');
  }
}

function resendWords(wait) {
  if (sendsRemaining === 0) return 'All messages have been sent. The newest code is the one to use.';
  if (wait > 0) return `No message? You can ask for another one in ${wait}\u00a0s.`;
  return `No message? You can ask for ${sendsRemaining === 1 ? 'one more' : 'another one'}.`;
}

function startClock() {
  sentAt = Date.now();
  leftBefore = LIFETIME_MS / 1000;
  clearInterval(timer);
  timer = setInterval(tick, 1000);
  tick();
}

/** Browsers that read the code out of the message, which ends in "@host #code" for this purpose. */
function readFromMessage() {
  reader?.abort();
  if (!('OTPCredential' in window)) return;
  reader = new AbortController();
  navigator.credentials
    .get({ otp: { transport: ['sms'] }, signal: reader.signal })
    .then((credential) => {
      if (credential) find('code').value = credential.code;
    })
    .catch(() => {
      // Nobody allowed it, or it was left: the code can be typed.
    });
}

export function enterCodeStep() {
  visit += 1;
  sendsRemaining = FIRST_RESENDS;
  find('code').value = '';
  tellFault('');
  find('resend-spoken').textContent = '';
  find('resend-error').textContent = '';
  startClock();
  readFromMessage();
}

export function leaveCodeStep() {
  visit += 1;
  clearInterval(timer);
  reader?.abort();
}

export function tellFault(text) {
  find('code-error').textContent = text;
  find('code').toggleAttribute('aria-invalid', text !== '');
  if (text === '') return;
  find('code').setAttribute('aria-invalid', 'true');
  find('code').focus();
  find('code').select();
}

async function resend(button) {
  const asked = visit;
  button.ariaBusy = 'true';
  button.disabled = true;
  find('resend-error').textContent = '';
  const answer = await post('/api/resend', {});
  button.ariaBusy = null;
  // The first message came after all, and its code was right: the report must not give way to this answer.
  if (asked !== visit) return;
  if (answer.why === 'expired') {
    leaveCodeStep();
    showStopped(answer.why);
    return;
  }
  if (answer.status !== 'resent') {
    // Not the end: a code that has arrived is still good.
    find('resend-error').textContent = 'We could not send another code just now. A code that you have is still good.';
    // A button that was disabled has lost the focus.
    button.disabled = false;
    button.focus();
    return;
  }
  sendsRemaining = answer.sendsRemaining;
  tellFault('');
  startClock();
  readFromMessage();
  find('resend-spoken').textContent = 'We have sent another code.';
  find('code').value = '';
  find('code').focus();
}

find('resend').addEventListener('click', ({ currentTarget }) => void resend(currentTarget));
