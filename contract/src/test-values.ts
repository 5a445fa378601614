// Every value that test mode knows and what it does, as data: the catalogue endpoint returns it, and the table in
// docs/guides/sandbox.md is made from it. A new value without a sentence here does not compile.
import {
  TEST_DELAY_MAX_MS,
  type TestOutcome,
  type TestReason,
  type TestReceipt,
  type TestResend,
} from './test-options.ts';
import type { BUREAU_OUTCOMES, ChallengeStatus } from './vocabulary.ts';

type Entry = { readonly field: string; readonly value: string; readonly effect: string };

/** Interface, "Test mode". */
const EMAILS: Readonly<Record<string, string>> = {
  'test001@<any domain>': 'A report without records and without previous searches.',
  'test002@<any domain>': 'A report with one open hire-purchase record.',
  'test003@<any domain>': 'A report with three records: hire purchase, credit card and mortgage.',
  'test004@<any domain>': 'A report with two settled records, hire purchase and credit card, with balance zero.',
  '<any other address>': 'A report with four records: two of hire purchase, one credit card and one mortgage.',
};

const STATUSES: Readonly<Record<ChallengeStatus, string>> = {
  allow: 'The report completes at once. The same as without challengeOptions.',
  challenge: 'authentication-required: submit the code 123456.',
  block: 'blocked.',
};

const CODES: Readonly<Record<string, string>> = {
  '123456': 'The right code.',
  '<any other code>': 'A wrong code. The third one fails the report.',
};

const OUTCOMES: Readonly<Record<TestOutcome, string>> = {
  failed: 'The report fails, for the reason in testOptions.reason.',
  'insufficient-funds': '402 insufficient-funds, and no report.',
  'insufficient-credits':
    '402 insufficient-credits, and no report. Live mode never sends this code. A client accepts both codes.',
  'rate-limited': '429 rate-limited with Retry-After, and no report.',
  'step-up-required':
    '403 step-up-required with WWW-Authenticate, and no report. Live mode sends it to people, at operations that need a fresh second factor.',
  'internal-error': '500 internal-error, and no report.',
  'service-unavailable': '503 service-unavailable with Retry-After and without creditReportId, and no report.',
  'service-unavailable-with-report':
    '503 service-unavailable with Retry-After and creditReportId: the report is made. Read it, or send the request again with its Idempotency-Key.',
  'credit-report-purged':
    'The report is made, answered and erased: from then on reads, codes, resends and a repeated request get 410 credit-report-purged.',
};

const AT_CHALLENGE = 'failed at generate: a code was needed';

const REASONS: Readonly<Record<TestReason, string>> = {
  'screening-unavailable': 'failed at generate: the request could not be assessed.',
  'device-not-verified': `${AT_CHALLENGE}, but the device could not be verified.`,
  'mobile-missing': `${AT_CHALLENGE}, but there was no mobile number.`,
  'not-a-mobile': `${AT_CHALLENGE}, but the number was not a mobile number.`,
  'country-not-allowed': `${AT_CHALLENGE}, but the country of the number was not allowed.`,
  'company-number': `${AT_CHALLENGE}, but the company had reached its limit for the number.`,
  'company-mistakes': `${AT_CHALLENGE}, but the company had submitted too many wrong codes for the number.`,
  'company-day': `${AT_CHALLENGE}, but the message budget of the day was used.`,
  'company-minute': `${AT_CHALLENGE}, but the message budget of the minute was used.`,
  protection: `${AT_CHALLENGE}, but a limit over all companies protected the number. failureReason is not-deliverable.`,
  'no-bureau-answered': 'failed, because no bureau answered: at generate, or after the right code.',
  interrupted: 'failed, because the work was interrupted: at generate, or after the right code.',
};

const BUREAU_EFFECTS: Readonly<Record<(typeof BUREAU_OUTCOMES)[number], string>> = {
  ok: 'The bureau answers. The same as if it is not named.',
  'no-trace': 'The bureau finds nobody: it adds no records. If no bureau finds anybody, the coverage is not-traced.',
  unavailable: 'The bureau does not answer. If none answers, the report fails.',
};

const LIMITED = 'Every resend gets 429 sms-limit-reached with this limit.kind';

const RESENDS: Readonly<Record<TestResend, string>> = {
  'company-number': `${LIMITED}: the company’s limit for the number.`,
  'company-day': `${LIMITED}: the message budget of the day.`,
  'company-minute': `${LIMITED}: the message budget of the minute.`,
  destination: `${LIMITED}: the company’s settings do not allow the number.`,
  protection: `${LIMITED}: a limit over all companies.`,
  'insufficient-funds': 'Every resend gets 402 insufficient-funds.',
  'insufficient-credits': 'Every resend gets 402 insufficient-credits.',
};

const RECEIPTS: Readonly<Record<TestReceipt, string>> = {
  delivered: 'Each message is delivered at once. The same as without the option.',
  undelivered: 'The carrier reports that each message did not arrive.',
  refused: 'The carrier refuses each message.',
  never: 'No receipt ever comes: each message stays submitted.',
};

const entries = (field: string, effects: Readonly<Record<string, string>>): Entry[] =>
  Object.entries(effects).map(([value, effect]) => ({ field, value, effect }));

export const TEST_VALUES: readonly Entry[] = [
  ...entries('/email', EMAILS),
  ...entries('/challengeOptions/status', STATUSES),
  ...entries('/code', CODES),
  ...entries('/testOptions/outcome', OUTCOMES),
  ...entries('/testOptions/reason', REASONS),
  ...entries('/testOptions/bureauResults/<place>/outcome', BUREAU_EFFECTS),
  ...entries('/testOptions/resend', RESENDS),
  ...entries('/testOptions/receipt', RECEIPTS),
  ...entries('/testOptions/charges', {
    true: 'The report is charged and refunded as in live mode, to the test wallet. 402 insufficient-funds if that has too few credits.',
  }),
  ...entries('/testOptions/delayMs', {
    [`<0 to ${TEST_DELAY_MAX_MS}>`]: 'The request waits this many milliseconds first.',
  }),
  ...entries('/advanceSeconds', {
    '<1 to 86400>':
      'The clock of the report moves forward. More than 300 seconds after the last message the challenge has expired.',
  }),
];
