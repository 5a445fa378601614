// Why no further text could be sent, in words. A total map over the API's kinds.
import type { components } from '@trefoil/sdk';
import { formatTime } from '../format/time.ts';

type Limit = components['schemas']['SmsLimit'];

const WORDS: Record<Limit['kind'], string> = {
  challenge: 'All three texts of this report have been sent.',
  'company-number': 'Your company has reached its limit of texts to this number.',
  'company-day': 'Your company has reached its limit of texts for today.',
  'company-minute': 'Your company has reached its limit of texts for this minute.',
  destination: 'Your company’s settings do not allow texts to this number.',
  protection: 'This number is protected from further texts for now.',
};

export const wordsOfLimit = ({ kind, resetsAt }: Limit) =>
  [
    WORDS[kind],
    ...(resetsAt ? [`Texts can be sent again from ${formatTime(resetsAt)}.`] : []),
    'A code that has arrived still works.',
  ].join(' ');
