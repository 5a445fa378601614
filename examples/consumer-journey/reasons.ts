// Why there is no report, as one of the ends that the page has words for (public/ends.js).
import { type ErrorCode, TrefoilError } from '@trefoil/sdk';

export type Why =
  | 'blocked'
  | 'busy'
  | 'closed'
  | 'device'
  | 'expired'
  | 'failed'
  | 'interrupted'
  | 'no-texts'
  | 'not-found'
  | 'number-limit'
  | 'number-refused'
  | 'our-side'
  | 'silent'
  | 'stalled'
  | 'unavailable'
  | 'wrong-codes';

/**
 * A failed report says why in a sentence, `errorMessage`, and has no code for it. So this looks for the words of those
 * sentences, the first match counts, and the words of `failed` are true for every reason.
 */
const REASONS: readonly (readonly [RegExp, Why])[] = [
  [/attempts are used/, 'wrong-codes'],
  [/has expired/, 'expired'],
  [/device could not be verified/, 'device'],
  [/No bureau answered/, 'silent'],
  [/was interrupted/, 'interrupted'],
  [/could not be assessed|too busy to begin/, 'our-side'],
  [/message budget/, 'no-texts'],
  [/not a mobile number|country|is missing/, 'number-refused'],
  [/this number/, 'number-limit'],
];

export type Stopped = { readonly status: 'stopped'; readonly why: Why; readonly isRefunded?: boolean };

export function failed(errorMessage: string): Stopped {
  const why = REASONS.find(([words]) => words.test(errorMessage))?.[1] ?? 'failed';
  return { status: 'stopped', why, isRefunded: /refunded/.test(errorMessage) };
}

/** What a refused request means for the consumer. Of a fault that is ours they hear no more than that it is ours. */
export function refused(error: unknown): Stopped {
  const why = whyRefused(error);
  // The page promises that you know: the id leads to the request in Trefoil's answers to you and in its logs.
  if (why === 'stalled' || why === 'unavailable') {
    const told = error instanceof TrefoilError ? `${error.code}, request ${error.requestId}` : String(error);
    console.error(`A consumer could not be served: ${told}`);
  }
  return { status: 'stopped', why };
}

/** Codes that the consumer can do something about. All others are ours to put right. */
const REFUSALS: Partial<Record<ErrorCode, Why>> = {
  // The key belongs to another request. The page must make a new key, or every retry would end like this.
  'idempotency-key-reused': 'failed',
  'challenge-expired': 'expired',
  'challenge-closed': 'closed',
  'sms-limit-reached': 'number-limit',
  'request-in-progress': 'busy',
  'rate-limited': 'busy',
};

function whyRefused(error: unknown): Why {
  if (!(error instanceof TrefoilError)) return 'unavailable';
  return error.isInsufficientFunds ? 'stalled' : (REFUSALS[error.code] ?? 'unavailable');
}
