// What a request in test mode may ask for beyond the interface: failures, refusals, slow answers, charges
// (docs/decisions/0207-a-sandbox-that-can-fail.md, 0284-errors-on-request.md, 0287-money-in-test-mode.md). The interface's own choices, e-mail
// prefixes and `challengeOptions`, are unchanged. The server refuses options that contradict each other or the request.
import { type Static, Type } from 'typebox';
import { oneOf } from './schema.ts';
import { BUREAU_OUTCOMES, BUREAUS } from './vocabulary.ts';

export const TEST_OUTCOMES = [
  'failed',
  'insufficient-funds',
  'insufficient-credits',
  'rate-limited',
  'step-up-required',
  'internal-error',
  'service-unavailable',
  'service-unavailable-with-report',
  'credit-report-purged',
] as const;
export type TestOutcome = (typeof TEST_OUTCOMES)[number];

/** With a challenge, the last two come after the right code, because the bureaus are asked then. */
export const TEST_REASONS = [
  'screening-unavailable',
  'device-not-verified',
  'mobile-missing',
  'not-a-mobile',
  'country-not-allowed',
  'company-number',
  'company-mistakes',
  'company-day',
  'company-minute',
  'protection',
  'no-bureau-answered',
  'interrupted',
] as const;
export type TestReason = (typeof TEST_REASONS)[number];

export const TEST_RESENDS = [
  'company-number',
  'company-day',
  'company-minute',
  'destination',
  'protection',
  'insufficient-funds',
  'insufficient-credits',
] as const;
export type TestResend = (typeof TEST_RESENDS)[number];

export const TEST_RECEIPTS = ['delivered', 'undelivered', 'refused', 'never'] as const;
export type TestReceipt = (typeof TEST_RECEIPTS)[number];

export const TEST_DELAY_MAX_MS = 10_000;

/** What a test wallet begins with, and the most that a reset gives it. */
export const TEST_CREDITS = 1_000_000;

export const TestOptions = Type.Object(
  {
    outcome: Type.Optional(
      oneOf(TEST_OUTCOMES, {
        description:
          '`failed`: the report fails, for `reason`. `insufficient-funds`, `insufficient-credits`: 402 with this code; ' +
          'live mode only sends the first. `rate-limited`: 429. `step-up-required`: 403, as a person gets it at operations ' +
          'that need a fresh second factor. `internal-error`: 500. `service-unavailable`: 503 without a report. ' +
          '`service-unavailable-with-report`: the report is made, and the answer is 503 with its `creditReportId`; the same ' +
          'request with its Idempotency-Key then gets the report. `credit-report-purged`: the report is made, answered and ' +
          'erased; from then on reads, codes and resends get 410.',
      }),
    ),
    reason: Type.Optional(
      oneOf(TEST_REASONS, {
        description:
          'Why the report fails; with `outcome` `failed` only. `no-bureau-answered` and `interrupted` come after the right ' +
          'code if a challenge is asked for. `screening-unavailable` comes before any screening. The others mean that a code ' +
          'was needed and could not be sent.',
      }),
    ),
    bureauResults: Type.Optional(
      Type.Array(
        Type.Object({
          bureau: oneOf(BUREAUS, { description: 'One of the bureaus asked.' }),
          outcome: oneOf(BUREAU_OUTCOMES, { description: 'What it does.' }),
        }),
        {
          maxItems: BUREAUS.length,
          description:
            'What single bureaus do; those not named answer `ok`. If all are `unavailable`, the report fails with ' +
            '`no-bureau-answered`.',
        },
      ),
    ),
    resend: Type.Optional(
      oneOf(TEST_RESENDS, {
        description:
          'Every resend of the challenge is refused: 429 `sms-limit-reached` with this `limit.kind`, or 402 with this code.',
      }),
    ),
    receipt: Type.Optional(
      oneOf(TEST_RECEIPTS, {
        description:
          'What the carrier says about each message of the challenge. `never`: no receipt comes, and the message stays ' +
          '`submitted`.',
      }),
    ),
    charges: Type.Optional(
      Type.Boolean({
        description:
          'True: the report is charged and refunded as in live mode, to the test wallet of the tenant. `meta.wallet` shows that ' +
          'wallet, 402 `insufficient-funds` comes when it is short, and the statement with `test=true` and the events `wallet.…` ' +
          'with `test` true tell what moved. Left out or false: nothing is charged, and `meta.wallet` shows the live wallet.',
      }),
    ),
    delayMs: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: TEST_DELAY_MAX_MS,
        description: 'The generate request waits this long before anything else happens.',
      }),
    ),
  },
  {
    description:
      'For test mode only: what should go wrong, and whether to charge the test wallet. `GET /v1/test/catalogue` lists every ' +
      'value. Options that contradict each other or the request are 400.',
  },
);

export type TestOptions = Static<typeof TestOptions>;
