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

/** Posts to the tenant's own server. A network that fails is an answer like another. */
export async function post(path, body) {
  try {
    const response = await fetch(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`status ${response.status}`);
    return await response.json();
  } catch {
    return { status: 'stopped', why: 'offline' };
  }
}

const WORDS = {
  declined: [
    'We cannot show you a report here',
    'We could not confirm this request. You can ask each credit bureau for your report directly and free of charge.',
  ],
  failed: [
    'We could not confirm that it is you',
    'No report was made. Check your details and try again. If you use a private window or a blocker, try without it.',
  ],
  expired: [
    'The time is up',
    'For your safety a code works for five minutes only. You can start again; your details are still here.',
  ],
  busy: [
    'Please try again later',
    'Too many codes were sent to this number, or too many people are asking. Nothing was lost.',
  ],
  unavailable: [
    'We cannot get your report just now',
    'It is not your fault, and nothing was lost. Please try again in a few minutes.',
  ],
  offline: [
    'You seem to be offline',
    'We could not reach our server. Your details are still here: try again when you are connected.',
  ],
};

export function showStopped(why) {
  const [title, text] = WORDS[why] ?? WORDS.unavailable;
  find('title-stopped').textContent = title;
  find('stopped-text').textContent = text;
  showStep('stopped');
}
