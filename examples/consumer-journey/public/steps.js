// Shows one step of the journey at a time. The heading of each takes the focus, so that whoever listens to the page
// hears where they are.
const TITLES = {
  details: 'Your details',
  waiting: 'One moment',
  code: 'Enter the code',
  report: 'Your report',
  stopped: 'We stopped here',
};

export const find = (id) => document.getElementById(id);

export function showStep(name) {
  for (const step of Object.keys(TITLES)) find(`step-${step}`).hidden = step !== name;
  document.title = `${TITLES[name]} – Example Finance`;
  find(`title-${name}`).focus({ preventScroll: true });
  scrollTo(0, 0);
}

/** Longer than a report may take. */
const ANSWER_WITHIN_MS = 60_000;

/** Posts to the tenant's own server. A network that fails is an answer like another. */
export async function post(path, body) {
  try {
    const response = await fetch(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
    });
    if (!response.ok) throw new Error(`status ${response.status}`);
    return await response.json();
  } catch {
    return { status: 'stopped', why: 'offline' };
  }
}

const AGAIN = 'Start again';

/** Title, text, and what the button says. */
const WORDS = {
  // An end: asking again would be declined again, so there is no button.
  declined: [
    'We cannot show you a report here',
    'We could not confirm this request, and asking again will not change that. You can ask each credit bureau for ' +
      'your report directly and free of charge.',
  ],
  failed: [
    'We could not confirm that it is you',
    'No report was made. Check your details and try again. If you use a private window or a blocker, try without it.',
    AGAIN,
  ],
  'not-found': [
    'We did not find you',
    'No credit bureau found you with these details. That does not mean that your file is clean or empty. Check your ' +
      'name, your date of birth and your address; if you moved not long ago, try the address before.',
    'Change my details',
  ],
  expired: [
    'The time is up',
    'For your safety a code works for five minutes only. You can start again when you are ready.',
    AGAIN,
  ],
  busy: [
    'Please try again later',
    'Too many codes were sent to this number, or too many people are asking. Nothing was lost.',
    AGAIN,
  ],
  unavailable: [
    'We cannot get your report just now',
    'It is not your fault, and nothing was lost. Please try again in a few minutes.',
    AGAIN,
  ],
  offline: [
    'You seem to be offline',
    'We could not reach our server. Your details are still here: try again when you are connected.',
    'Try again',
  ],
};

export function showStopped(why) {
  const [title, text, action] = WORDS[why] ?? WORDS.unavailable;
  find('title-stopped').textContent = title;
  find('stopped-text').textContent = text;
  find('stopped-contact').hidden = action !== undefined;
  find('restart').hidden = action === undefined;
  find('restart').textContent = action ?? '';
  showStep('stopped');
}
