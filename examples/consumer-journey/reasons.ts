// Why there is no report, as one of the ends that the page has words for (public/ends.js).
import { type ErrorCode, type Trefoil, TrefoilError } from '@trefoil/sdk';

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

type Failed = Extract<Awaited<ReturnType<Trefoil['generate']>>['data'], { readonly status: 'failed' }>;
type Reason = NonNullable<Failed['failureReason']>;

/** The compiler asks for every reason. One that is newer than this list, or none, is `failed`, whose words are true for all. */
const REASONS: Readonly<Record<Reason, Why>> = {
  'attempts-used': 'wrong-codes',
  expired: 'expired',
  'device-not-verified': 'device',
  'no-bureau-answered': 'silent',
  interrupted: 'interrupted',
  'screening-unavailable': 'our-side',
  'reservation-late': 'our-side',
  'company-day': 'no-texts',
  'company-minute': 'no-texts',
  'mobile-missing': 'number-refused',
  'not-a-mobile': 'number-refused',
  'country-not-allowed': 'number-refused',
  'company-number': 'number-limit',
  'company-mistakes': 'number-limit',
  'not-deliverable': 'number-limit',
};

export type Stopped = { readonly status: 'stopped'; readonly why: Why };

export function failed({ failureReason }: Failed): Stopped {
  return { status: 'stopped', why: (failureReason && REASONS[failureReason]) ?? 'failed' };
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
