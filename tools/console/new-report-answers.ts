// Answers of the API for requesting a report: the price, the code, the timeline, and what test mode has.
import { TEST_CATALOGUE } from '@trefoil/contract';
import type { components, QuoteResponse, TimelineResponse } from '@trefoil/sdk';
import { type Answer, REPORT, refusal } from './answers.ts';

type Schemas = components['schemas'];
const meta = { request: { timeTakenMs: 1 } };
export const CHALLENGE = '01998a00-4c20-7a11-9b3e-0000000000c1';
const START_MS = Date.UTC(2026, 8, 17, 13, 30, 33);
const at = (ms: number) => new Date(START_MS + ms).toISOString();

export const quote = (changes: Partial<QuoteResponse['data']> = {}): Answer => {
  const body: QuoteResponse = {
    meta,
    data: {
      test: false,
      report: 200,
      bureaus: (['equifax', 'experian', 'transunion'] as const).map((bureau) => ({ bureau, credits: 600 })),
      message: 40,
      maximum: 2_120,
      funds: { required: 2_040, available: 5_187_560, sufficient: true },
      limits: [{ kind: 'company-day', refuses: false, resetsAt: null }],
      ...changes,
    },
  };
  return { json: body };
};

const timeline = (changes: Partial<TimelineResponse['data']>): Answer => {
  const body: TimelineResponse = {
    meta,
    data: {
      creditReportId: REPORT,
      status: 'complete',
      test: false,
      source: 'console',
      isPurged: false,
      mobileEnding: '123',
      bureaus: [
        { bureau: 'equifax', outcome: 'ok', answeredAt: at(44_612) },
        { bureau: 'experian', outcome: 'no-trace', answeredAt: at(46_900) },
        { bureau: 'transunion', outcome: 'unavailable', answeredAt: null },
      ],
      items: [
        { kind: 'requested', at: at(0) },
        { kind: 'report-charged', at: at(60), credits: 2_000 },
        { kind: 'message-sent', at: at(100), message: 1 },
        { kind: 'message-delivered', at: at(2_300), message: 1 },
        { kind: 'message-charged', at: at(2_301), message: 1, credits: 40 },
        { kind: 'code-verified', at: at(44_000) },
        { kind: 'report-refunded', at: at(47_800), credits: 600 },
        { kind: 'completed', at: at(47_900) },
      ],
      ...changes,
    },
  };
  return { json: body };
};

/** A request works on it. */
export const BEGUN_TIMELINE = timeline({
  status: 'in-progress',
  bureaus: [],
  mobileEnding: null,
  items: [{ kind: 'requested', at: at(0) }],
});

export const WAITING_TIMELINE = timeline({
  status: 'authentication-required',
  bureaus: [],
  items: [
    { kind: 'requested', at: at(0) },
    { kind: 'report-charged', at: at(60), credits: 2_000 },
    { kind: 'message-sent', at: at(100), message: 1 },
    { kind: 'message-delivered', at: at(2_300), message: 1 },
  ],
});

export const ERASED_TIMELINE = timeline({
  isPurged: true,
  mobileEnding: null,
  bureaus: [{ bureau: 'equifax', outcome: 'ok', answeredAt: null }],
  items: [
    { kind: 'requested', at: at(0) },
    { kind: 'completed', at: at(4_000) },
    { kind: 'erased', at: at(30 * 86_400_000) },
  ],
});

/** A report that waits for its code after so many texts. */
export const waiting = (texts = 1): Answer => {
  const sends = Array.from({ length: texts }, () => ({
    state: 'delivered' as const,
    sentAt: at(100),
    settledAt: at(2_300),
  }));
  const body: Schemas['CreditReportResponse'] = {
    meta,
    data: {
      status: 'authentication-required',
      challengeType: 'otp',
      creditReportId: REPORT,
      test: false,
      createdAt: at(0),
      externalReference: 'NC-48214',
      costCredits: 2_000,
      source: 'console',
      challenge: { challengeId: CHALLENGE, sends },
    },
  };
  return { json: body };
};

export const FAILED: Answer = {
  json: {
    meta,
    data: {
      status: 'failed',
      creditReportId: REPORT,
      test: false,
      createdAt: at(0),
      externalReference: null,
      costCredits: 0,
      source: 'console',
      errorMessage: 'The code was not submitted in time. The charge is refunded.',
      failureReason: 'expired',
    },
  } satisfies Schemas['CreditReportResponse'],
};

/** What generate answers when a code is needed. */
export const CODE_NEEDED: Answer = {
  json: {
    meta: { request: { timeTakenMs: 1 }, wallet: { cost: 2_000, balance: 3_185_560 } },
    data: {
      status: 'authentication-required',
      challengeType: 'otp',
      creditReportId: REPORT,
      challenge: { challengeId: CHALLENGE },
    },
  },
};

export const wrongCode = (attemptsRemaining: number): Answer => ({
  json: {
    meta,
    data: { status: 'retry', creditReportId: REPORT, errorMessage: 'The code is wrong.', attemptsRemaining },
  },
});

export const SENT_AGAIN: Answer = { json: { meta, data: { remainingSmsCount: 1, smsSentCount: 2 } } };

export const withFields = (answer: Answer, fields: object): Answer => ({
  ...answer,
  json: { ...answer.json, ...fields },
});

export const LIMITED = withFields(refusal(429, 'sms-limit-reached', 'No further message.'), {
  limit: { kind: 'company-day', resetsAt: '2026-09-18T00:00:00.000Z' },
});

const message: Schemas['TestMessage'] = {
  creditReportId: REPORT,
  challengeId: CHALLENGE,
  number: 1,
  to: '********0123',
  text: '123456 is your code for Northgate Claims. It is valid for 5 minutes. Do not share it with anyone.',
  state: 'delivered',
  sentAt: at(0),
};

/** By path, as in answers.ts. */
export const NEW_REPORT_ANSWERS: Readonly<Record<string, Answer>> = {
  'credit-reports/quote': quote(),
  'credit-reports/quote?test': quote({ test: true }),
  '/v1/fingerprints/collections': { status: 201, json: { sessionId: 'ds1.given', ipAddress: '192.0.2.10' } },
  [`credit-reports/${REPORT}/timeline`]: timeline({}),
  '/v1/test/catalogue': { json: TEST_CATALOGUE },
  'test/inbox': {
    json: { meta, data: { items: [{ ...message, number: 2, state: 'undelivered' }, message], nextCursor: null } },
  },
  [`credit-reports/${REPORT}/test-clock`]: {
    json: { meta, data: { creditReportId: REPORT, status: 'authentication-required', expiresInSeconds: 240 } },
  },
};
