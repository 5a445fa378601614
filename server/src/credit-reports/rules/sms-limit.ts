// What a caller gets when a message is refused: which limit it was, and what still works
// (docs/decisions/0156-which-limit.md). Codes from earlier messages still work, unless the limit is on wrong codes: then
// no code is examined (docs/decisions/0035-codes-and-caps.md).
import type { SmsLimitKind } from '@trefoil/contract';
import { SENDS_MAX } from './challenge.ts';
import type { Refusal } from './delivery.ts';

const CODES_WORK = 'A code already sent can still be submitted for five minutes after its message';
const LATER = 'Until limit.resetsAt, a new report that needs a code fails too.';

/** `challenge` is the challenge's own limit; the others belong to the sending policy. */
export type MetLimit = Refusal | 'challenge';

const KINDS: Readonly<Record<MetLimit, SmsLimitKind>> = {
  challenge: 'challenge',
  'mobile-missing': 'destination',
  'not-a-mobile': 'destination',
  'country-not-allowed': 'destination',
  'company-number': 'company-number',
  'company-mistakes': 'company-number',
  'company-day': 'company-day',
  'company-minute': 'company-minute',
  protection: 'protection',
};

function budgetSentence(per: string, resets: boolean): string {
  const what = `Your company’s message budget for the ${per} does not allow another message`;
  return resets
    ? `${what} before limit.resetsAt. ${CODES_WORK}. ${LATER}`
    : `${what}, now or later: ask the operator of this service for a larger budget. ${CODES_WORK}.`;
}

/** `resets` is false where waiting does not help. */
export function smsLimit(met: MetLimit, resets: boolean): { readonly kind: SmsLimitKind; readonly message: string } {
  return { kind: KINDS[met], message: sentence(met, resets) };
}

function sentence(met: MetLimit, resets: boolean): string {
  switch (met) {
    case 'challenge':
      return `The challenge has used all its ${SENDS_MAX} messages. ${CODES_WORK}; for another message, generate again.`;
    case 'mobile-missing':
    case 'not-a-mobile':
    case 'country-not-allowed':
      return `Your company’s settings allow no message to this number: it is not a mobile number, or its country is not allowed. ${CODES_WORK}.`;
    case 'company-number':
      return `Your company has reached its limit of messages to this number in 24 hours. ${CODES_WORK}. ${LATER}`;
    case 'company-mistakes':
      return 'Your company has submitted too many wrong codes for this number in 24 hours. Until limit.resetsAt, no message is sent to it and no code is checked.';
    case 'company-day':
      return budgetSentence('day (UTC)', resets);
    case 'company-minute':
      return budgetSentence('minute', resets);
    case 'protection':
      return 'No message can be sent to this number for now, and generating again does not change that. A code already sent may still work.';
  }
}
