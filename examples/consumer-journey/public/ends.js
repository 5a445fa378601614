// Every way in which a journey can end without a report: what happened, what it means, and what the consumer can do.
// Each end says only what is true of it. "Found nobody" and "did not answer" never share a sentence, and neither reads
// as a clean file.
import { find, showStep } from './steps.js';

const AGAIN = 'Start again';
const NOT_SEARCHED = 'Nothing was searched this time.';

/** Title, paragraphs, and what the button says. Without a button, asking again would not help. */
const ENDS = {
  blocked: [
    'We could not do this online',
    [
      `This says nothing about your credit, and asking again will not change it. ${NOT_SEARCHED}`,
      'You can ask each credit reference agency for your file directly and free of charge.',
    ],
  ],
  'wrong-codes': [
    'That code was wrong three times',
    [`For your safety this code no longer works. ${NOT_SEARCHED}`, 'You can begin again and get a new code.'],
    AGAIN,
  ],
  expired: [
    'The code has run out',
    [`For your safety a code works for five minutes. ${NOT_SEARCHED}`, 'You can begin again and get a new code.'],
    AGAIN,
  ],
  'number-refused': [
    'We cannot send a text to this number',
    [`We can only send the code to a UK mobile number. ${NOT_SEARCHED}`],
    'Change my number',
  ],
  'number-limit': [
    'We cannot send more texts to this number',
    [
      `To protect the person who has this number, we stop after some texts and wrong codes. ${NOT_SEARCHED}`,
      'Give another mobile number, or try again tomorrow.',
    ],
    'Change my number',
  ],
  'no-texts': [
    'We cannot send texts just now',
    [`This is not about you or your number. ${NOT_SEARCHED} Please try again later.`],
    AGAIN,
  ],
  device: [
    'We could not check your device',
    [
      `A code is needed, and we send it only to a person whose device we could check. ${NOT_SEARCHED}`,
      'Turn off blockers for this page, leave a private window, or use another browser.',
    ],
    AGAIN,
  ],
  silent: [
    'The agencies did not answer',
    [
      'So we know nothing about your file, neither good nor bad.',
      'Trying again may leave a second note on it. We suggest waiting an hour.',
    ],
    AGAIN,
  ],
  interrupted: [
    'Something went wrong on our side',
    ['There is no report. The agencies may have noted a search on your file. Please try again.'],
    AGAIN,
  ],
  'our-side': ['Something went wrong on our side', [`${NOT_SEARCHED} Please try again later.`], AGAIN],
  stalled: [
    'We cannot go on just now',
    [`This is not about you. We know of it and must put it right. ${NOT_SEARCHED} Please come back later.`],
    AGAIN,
  ],
  'not-found': [
    'No credit file was found with these details',
    [
      'Check the spelling of your name, your date of birth and your address. If you moved in the last six years, try ' +
        'the address before. Another search leaves another note.',
    ],
    'Change my details',
  ],
  closed: [
    'This request has ended',
    ['It was finished already, or begun more than half an hour ago. You can begin again.'],
    AGAIN,
  ],
  failed: ['This did not work', ['There is no report. Check your details and try again.'], AGAIN],
  busy: [
    'Please try again in a minute',
    ['Too many people are asking just now, or your first request is still being worked on.'],
    AGAIN,
  ],
  unavailable: [
    'We cannot get your report just now',
    [
      'This is not about you. Please try again in a few minutes: we then ask for the same report, not for a second one.',
    ],
    AGAIN,
  ],
  offline: [
    'You seem to be offline',
    ['We could not reach our server. Your details are still here: try again when you are connected.'],
    'Try again',
  ],
};

const list = new Intl.ListFormat('en-GB');

/** Each kind of gap in a paragraph of its own. */
function gapsInWords({ foundNobody, silent }) {
  const sentences = [];
  if (foundNobody.length > 0) {
    sentences.push(
      `${list.format(foundNobody)} found nobody with these details. That is not a clean file: it is no file, and it ` +
        'says nothing about your credit.',
    );
  }
  if (silent.length > 0) sentences.push(`${list.format(silent)} did not answer. We do not know what is on file there.`);
  return sentences;
}

/** The answer that stopped the journey: why, and for some ends which agencies found nobody. Of money it says nothing: a
 * charge and its refund are the company's, and a consumer who reads of them fears to be charged. */
export function showStopped({ why, gaps }) {
  const [title, text, action] = ENDS[why] ?? ENDS.unavailable;
  find('title-stopped').textContent = title;
  const paragraphs = [...(gaps ? gapsInWords(gaps) : []), ...text];
  find('stopped-text').replaceChildren(
    ...paragraphs.map((textContent) => Object.assign(document.createElement('p'), { textContent })),
  );
  find('restart').hidden = action === undefined;
  find('restart').textContent = action ?? '';
  showStep('stopped');
}
