// The step with the code: to which number it went, its five minutes, the other messages that may be asked for, and
// filling it in where the browser can read it from the message.
import { showStopped } from './ends.js';
import { clearFaults } from './faults.js';
import { find, post } from './steps.js';

const LIFETIME_MS = 5 * 60_000;
const RESEND_AFTER_MS = 30_000;
/** How often, and for how long after a message was sent, the page asks whether it could be delivered. */
const DELIVERY_EVERY_MS = 5_000;
const DELIVERY_UNTIL_MS = 60_000;
/** Said aloud; every second would be unbearable. */
const SPOKEN_SECONDS = [240, 180, 120, 60, 30, 10];
const FIRST_RESENDS = 2;

let timer;
let sentAt = 0;
let leftBefore = 0;
let askedDeliveryAt = 0;
let sendsRemaining = FIRST_RESENDS;
/** The newest message cannot arrive, so another one need not be waited for. */
let isLost = false;
let lastDigits = '';
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
  const wait = isLost ? 0 : Math.ceil((sentAt + RESEND_AFTER_MS - Date.now()) / 1000);
  const button = find('resend');
  if (!button.ariaBusy) button.disabled = wait > 0 || sendsRemaining === 0;
  find('resend-text').textContent = resendWords(wait);
  // While a code is being checked the answer decides, not our clock.
  if (left === 0 && !find('step-code').hidden) {
    leaveCodeStep();
    showStopped({ why: 'expired' });
    return;
  }
  if (!isLost && Date.now() < sentAt + DELIVERY_UNTIL_MS && Date.now() > askedDeliveryAt + DELIVERY_EVERY_MS) {
    void askDelivery();
  }
}

function resendWords(wait) {
  if (sendsRemaining === 0) return 'You have had all the texts we may send. Use the newest code.';
  const many = sendsRemaining === 1 ? 'one more code' : `${sendsRemaining} more codes`;
  return wait > 0 ? `You can ask for ${many}, the next in ${wait}\u00a0s.` : `You can ask for ${many}.`;
}

function startClock() {
  sentAt = Date.now();
  askedDeliveryAt = sentAt;
  isLost = false;
  leftBefore = LIFETIME_MS / 1000;
  clearInterval(timer);
  timer = setInterval(tick, 1000);
  tick();
}

/** A text that the carrier could not deliver would be waited for in vain. */
async function askDelivery() {
  const [asked, askedOf] = [visit, sentAt];
  askedDeliveryAt = Date.now();
  const answer = await post('/api/delivery', {});
  if (asked !== visit || askedOf !== sentAt || !answer.isLost) return;
  isLost = true;
  find('sent').textContent = '';
  find('resend-error').textContent = `The text to the number ending ${lastDigits} could not be delivered.`;
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
      // It was not allowed, or was dismissed: the code can be typed.
    });
}

/** The digits are those that were typed here. The server does not send the number back. */
export function enterCodeStep(mobileNumber) {
  visit += 1;
  lastDigits = mobileNumber.replace(/\D/g, '').slice(-3);
  for (const place of document.querySelectorAll('.last-digits')) place.textContent = lastDigits;
  sendsRemaining = FIRST_RESENDS;
  find('code').value = '';
  clearFaults('code-form');
  find('sent').textContent = '';
  find('resend-error').textContent = '';
  startClock();
  readFromMessage();
}

export function leaveCodeStep() {
  visit += 1;
  clearInterval(timer);
  reader?.abort();
}

/** A test sends no text. */
const SENT_AGAIN = document.documentElement.dataset.mode === 'test' ? 'A new code would now go' : 'We sent a new code';
const CODES_WORK = 'A code that you already have still works for five minutes after its text.';

async function resend(button) {
  const asked = visit;
  button.ariaBusy = 'true';
  button.disabled = true;
  find('resend-error').textContent = '';
  find('sent').textContent = '';
  const answer = await post('/api/resend', {});
  button.ariaBusy = null;
  // The first message came after all, and its code was right: the report must not give way to this answer.
  if (asked !== visit) return;
  if (answer.why === 'expired' || answer.why === 'closed') {
    leaveCodeStep();
    showStopped(answer);
    return;
  }
  if (answer.status === 'resent') {
    sendsRemaining = answer.sendsRemaining;
    clearFaults('code-form');
    startClock();
    readFromMessage();
    const last = sendsRemaining === 0 ? ' It is the last one we may send.' : '';
    find('sent').textContent =
      `${SENT_AGAIN} to the number ending ${lastDigits}.${last} Use the newest code. ${CODES_WORK}`;
    find('code').value = '';
    find('code').focus();
    return;
  }
  // Not the end: a code that has arrived is still good.
  if (answer.status === 'not-resent') {
    sendsRemaining = 0;
    tick();
  }
  find('resend-error').textContent = answer.isLast
    ? `You have had all the texts we may send. Use the newest code. ${CODES_WORK}`
    : `We could not send a new code just now. ${CODES_WORK}`;
  // A button that was disabled has lost the focus.
  button.disabled = sendsRemaining === 0;
  (button.disabled ? find('code') : button).focus();
}

find('resend').addEventListener('click', ({ currentTarget }) => void resend(currentTarget));
