// The tools of test mode: a report's own clock, the inbox with the messages that a consumer would have got, the reset of the test wallet, and the
// catalogue of all test values (docs/decisions/0207-a-sandbox-that-can-fail.md, 0209-one-catalogue-of-test-values.md, 0287-money-in-test-mode.md).
import { type Static, Type } from 'typebox';
import { pageOf, unmetered } from './envelope.ts';
import { challengeId, creditReportId, type Examples } from './examples.ts';
import type { Operation } from './operation.ts';
import { cursor, limit } from './queries.ts';
import { GivenId, Instant, oneOf, orNull, Uuid } from './schema.ts';
import { TEST_CREDITS } from './test-options.ts';
import { TEST_VALUES } from './test-values.ts';
import { REPORT_STATUSES, SEND_STATES } from './vocabulary.ts';

export const ADVANCE_MAX_SECONDS = 86_400;

export const TestClockRequest = Type.Object({
  advanceSeconds: Type.Integer({
    minimum: 1,
    maximum: ADVANCE_MAX_SECONDS,
    description: 'How far the clock of the report moves forward. 301 ends an open challenge.',
  }),
});

export const TestClockResponse = unmetered(
  Type.Object({
    creditReportId: Uuid('The report.'),
    status: oneOf(REPORT_STATUSES, {
      description: 'The status of the report now. An expired challenge reads as `failed`.',
    }),
    expiresInSeconds: orNull(Type.Integer({ minimum: 0 }), {
      description: 'How long the challenge is still open, rounded up; null where none is open.',
    }),
  }),
);

export const TestMessage = Type.Object({
  creditReportId: Uuid('The report of the challenge.'),
  challengeId: Uuid('The challenge.'),
  number: Type.Integer({ minimum: 1, maximum: 3, description: 'Which message of the challenge this is.' }),
  to: orNull(Type.String(), {
    description:
      'The mobile number, masked except for its last four digits; null if the request had none, and for the role finance.',
  }),
  text: Type.String({
    description: 'The text to the letter as the consumer would get it, with the name that the tenant has now.',
  }),
  state: oneOf(SEND_STATES, { description: 'What the simulated carrier says: see `testOptions.receipt`.' }),
  sentAt: Instant('When it was requested.'),
});

export const TestInboxResponse = pageOf(TestMessage);

export const TestInboxQuery = Type.Object({
  limit,
  cursor,
  creditReportId: Type.Optional(GivenId('Only the messages of this report.')),
});

export const TestWalletResetRequest = Type.Object({
  credits: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: TEST_CREDITS,
      description: `The balance after the reset; ${TEST_CREDITS.toLocaleString('en-GB')} if left out. A low one lets you meet 402.`,
    }),
  ),
});

export const TestWalletResponse = unmetered(
  Type.Object({ balance: Type.Integer({ minimum: 0, description: 'The balance of the test wallet, in credits.' }) }),
);

export const TestValue = Type.Object({
  field: Type.String({
    description:
      'Where to send it: a JSON pointer into the body of generate, of the code submit (`/code`) or of the test clock (`/advanceSeconds`).',
  }),
  value: Type.String({ description: 'The value; text in angle brackets stands for a value of your own.' }),
  effect: Type.String({ description: 'What it does.' }),
});

export const TestCatalogue = Type.Object({
  items: Type.Array(TestValue, { description: 'Every value that test mode knows. New ones may be added.' }),
  total: Type.Integer({ minimum: 0 }),
});

export type TestClockRequest = Static<typeof TestClockRequest>;
export type TestClockData = Static<typeof TestClockResponse>['data'];
export type TestMessage = Static<typeof TestMessage>;
export type TestInboxPage = Static<typeof TestInboxResponse>['data'];
export type TestInboxQuery = Static<typeof TestInboxQuery>;
export type TestWalletResetRequest = Static<typeof TestWalletResetRequest>;
export type TestWalletData = Static<typeof TestWalletResponse>['data'];
export type TestCatalogue = Static<typeof TestCatalogue>;

export const TEST_CATALOGUE: TestCatalogue = { items: [...TEST_VALUES], total: TEST_VALUES.length };

const meta = { request: { timeTakenMs: 6 } };

const clockRequestExamples: Examples = {
  'past-the-five-minutes': { summary: 'End an open challenge', value: { advanceSeconds: 301 } },
};

const clockExamples: Examples = {
  expired: {
    summary: 'The challenge has expired',
    value: { meta, data: { creditReportId, status: 'failed', expiresInSeconds: null } },
  },
  open: {
    summary: 'A minute later the challenge is still open',
    value: { meta, data: { creditReportId, status: 'authentication-required', expiresInSeconds: 240 } },
  },
};

const inboxExamples: Examples = {
  page: {
    summary: 'One message',
    value: {
      meta,
      data: {
        items: [
          {
            creditReportId,
            challengeId,
            number: 1,
            to: '********0123',
            text: '123456 is your code for Demo Claims. It is valid for 5 minutes. Do not share it with anyone.',
            state: 'delivered',
            sentAt: '2026-03-02T10:15:00.123Z',
          },
        ],
        nextCursor: null,
      },
    },
  },
};

const resetRequestExamples: Examples = {
  full: { summary: 'All credits again', value: {} },
  short: { summary: 'Too few for a report from three bureaus', value: { credits: 1_999 } },
};

const resetExamples: Examples = {
  full: { summary: 'All credits again', value: { meta, data: { balance: TEST_CREDITS } } },
};

const catalogueExamples: Examples = {
  catalogue: { summary: 'The first values', value: { items: TEST_VALUES.slice(0, 3), total: 3 } },
};

export const testModeOperations = {
  advanceTestClock: {
    method: 'POST',
    path: '/:tenantId/v1/credit-reports/:creditReportId/test-clock',
    tag: 'Test mode',
    summary: 'Move the clock of a test report forward',
    description:
      'For test reports only, so that nobody has to wait for an expiry. The times of the challenge count as if ' +
      '`advanceSeconds` more had passed: the five minutes of an open challenge, and the ten minutes in which the right code ' +
      'gets the report again. Times that other answers show stay as they are. The clock only moves forward. A report ' +
      'without a challenge has no clock: 409. A live report is 404.',
    scope: 'reports:write',
    idempotent: true,
    body: TestClockRequest,
    bodyExamples: clockRequestExamples,
    response: TestClockResponse,
    responseExamples: clockExamples,
    errors: ['credit-report-not-found', 'conflict'],
  },
  listTestInbox: {
    method: 'GET',
    path: '/:tenantId/v1/test/inbox',
    tag: 'Test mode',
    summary: 'List the messages of test mode',
    description:
      'The messages that challenges in test mode would have sent. Nothing was sent. Newest challenge first, and of one ' +
      'challenge the newest message first. A message is listed as long as its report is kept. A page may be short: continue ' +
      'until `nextCursor` is null.',
    scope: 'reports:read',
    idempotent: false,
    query: TestInboxQuery,
    response: TestInboxResponse,
    responseExamples: inboxExamples,
    errors: [],
  },
  resetTestWallet: {
    method: 'POST',
    path: '/:tenantId/v1/test/wallet/reset',
    tag: 'Test mode',
    summary: 'Reset the test wallet',
    description:
      'Sets the balance of the wallet that test reports with `testOptions.charges` are charged to: to ' +
      `${TEST_CREDITS.toLocaleString('en-GB')}, or to fewer \`credits\`, so that the next report meets 402. The difference is a line of its ` +
      'own, of the kind `adjust`, and an event `wallet.adjusted` with `test` true; without a difference there is neither. A wallet that was ' +
      'not used before gets its first credits before that, as a line and an event of their own. Reports that ' +
      'were charged before can still be refunded. All developers of the tenant share this wallet. It has nothing to do with the live wallet.',
    scope: 'reports:write',
    idempotent: true,
    body: TestWalletResetRequest,
    isBodyOptional: true,
    bodyExamples: resetRequestExamples,
    response: TestWalletResponse,
    responseExamples: resetExamples,
    errors: [],
  },
  getTestCatalogue: {
    method: 'GET',
    path: '/v1/test/catalogue',
    tag: 'Test mode',
    summary: 'List every test value',
    description: 'What test mode can be asked for, and what each value does. The same for every tenant.',
    idempotent: false,
    response: TestCatalogue,
    responseExamples: catalogueExamples,
    errors: [],
  },
} as const satisfies Record<string, Operation>;
