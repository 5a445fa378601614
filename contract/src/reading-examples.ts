// Examples for the operations that read: reports, the wallet, its statement, prices.
import { challengeId, creditReportId, type Examples, partlyTraced } from './examples.ts';

const unmetered = (data: object) => ({ meta: { request: { timeTakenMs: 6 } }, data });

const createdAt = '2026-03-02T10:15:00.123Z';
const facts = {
  test: false,
  createdAt,
  externalReference: 'order-4711',
  costCredits: 1_400,
  source: 'api',
} as const;
const free = { ...facts, costCredits: 0 } as const;

export const creditReportExamples: Examples = {
  complete: {
    summary: 'Complete',
    value: unmetered({ status: 'complete', creditReportId, ...partlyTraced, ...facts }),
  },
  'authentication-required': {
    summary: 'The challenge is open',
    value: unmetered({
      status: 'authentication-required',
      challengeType: 'otp',
      creditReportId,
      challenge: {
        challengeId,
        sends: [
          { state: 'refused', sentAt: createdAt, settledAt: '2026-03-02T10:15:01.004Z' },
          { state: 'submitted', sentAt: '2026-03-02T10:15:40.321Z', settledAt: null },
        ],
      },
      ...facts,
    }),
  },
  blocked: { summary: 'Blocked', value: unmetered({ status: 'blocked', creditReportId, ...free }) },
  failed: {
    summary: 'The challenge has expired',
    value: unmetered({
      status: 'failed',
      creditReportId,
      errorMessage: 'The challenge has expired. The report’s charge is refunded. Generate a new report to start again.',
      ...free,
      failureReason: 'expired',
    }),
  },
};

export const creditReportListExamples: Examples = {
  page: {
    summary: 'The last page',
    value: unmetered({
      items: [
        { creditReportId, status: 'complete', ...facts, isPurged: false, failureReason: null },
        {
          creditReportId: '01998a3d-1a10-7c31-9d42-5e6f708192a3',
          status: 'failed',
          ...free,
          createdAt: '2026-01-20T08:00:00.000Z',
          externalReference: null,
          source: 'console',
          isPurged: true,
          failureReason: 'expired',
        },
      ],
      nextCursor: null,
    }),
  },
};

export const creditReportCountsExamples: Examples = {
  counts: {
    summary: 'The live reports of March',
    value: unmetered({
      total: 1_204,
      complete: 1_120,
      'authentication-required': 3,
      blocked: 12,
      failed: 68,
      'in-progress': 1,
    }),
  },
};

export const walletExamples: Examples = {
  wallet: {
    summary: 'A wallet of £50',
    value: unmetered({
      balance: 50000,
      held: 2040,
      available: 47960,
      creditsPerPound: 1000,
      smsDay: {
        maxMessages: 1000,
        usedMessages: 12,
        maxCredits: 40000,
        usedCredits: 480,
        resetsAt: '2026-03-03T00:00:00.000Z',
      },
    }),
  },
};

export const walletEntryExamples: Examples = {
  page: {
    summary: 'A page, newest first',
    value: unmetered({
      items: [
        {
          id: '42',
          kind: 'report-refund',
          amount: 2000,
          balanceAfter: 50000,
          creditReportId,
          reversesId: '41',
          note: null,
          createdAt: '2026-03-02T10:20:00.456Z',
          amountPounds: '2.00',
          balanceAfterPounds: '50.00',
          externalReference: 'order-4711',
          bureauCount: 3,
        },
        {
          id: '41',
          kind: 'report-charge',
          amount: -2000,
          balanceAfter: 48000,
          creditReportId,
          reversesId: null,
          note: null,
          createdAt: '2026-03-02T10:15:00.789Z',
          amountPounds: '-2.00',
          balanceAfterPounds: '48.00',
          externalReference: 'order-4711',
          bureauCount: 3,
        },
        {
          id: '40',
          kind: 'top-up',
          amount: 50000,
          balanceAfter: 50000,
          creditReportId: null,
          reversesId: null,
          note: 'invoice 2026-0017',
          createdAt: '2026-03-01T09:00:00.000Z',
          amountPounds: '50.00',
          balanceAfterPounds: '50.00',
          externalReference: null,
          bureauCount: null,
        },
      ],
      nextCursor: 'NDA',
    }),
  },
};

export const walletEntryCsvExamples: Examples = {
  csv: {
    summary: 'As CSV',
    value:
      'id,kind,amount,balanceAfter,creditReportId,reversesId,note,createdAt,amountPounds,balanceAfterPounds,' +
      'externalReference,bureauCount\r\n' +
      `41,report-charge,-2000,48000,${creditReportId},,,2026-03-02T10:15:00.789Z,-2.00,48.00,order-4711,3\r\n` +
      '40,top-up,50000,50000,,,invoice 2026-0017,2026-03-01T09:00:00.000Z,50.00,50.00,,\r\n',
  },
};

export const walletMonthExamples: Examples = {
  months: {
    summary: 'The current month and the one before',
    value: unmetered({
      items: [
        {
          ...{ month: '2026-04', startsAt: '2026-03-31T23:00:00.000Z', endsAt: '2026-04-30T23:00:00.000Z' },
          ...{ opening: 46000, topUps: 50000, adjustments: 0, reports: -8000, refunds: 2000, messages: -160 },
          ...{ closing: 89840, count: 10 },
        },
        {
          ...{ month: '2026-03', startsAt: '2026-03-01T00:00:00.000Z', endsAt: '2026-03-31T23:00:00.000Z' },
          ...{ opening: 0, topUps: 50000, adjustments: 0, reports: -4000, refunds: 0, messages: 0 },
          ...{ closing: 46000, count: 3 },
        },
      ],
    }),
  },
};

const listedSince = '2026-01-01T00:00:00.000Z';

export const priceExamples: Examples = {
  prices: {
    summary: 'An agreed price for messages, and a change that is known',
    value: unmetered({
      report: { credits: 200, source: 'list', effectiveFrom: listedSince },
      bureau: { credits: 600, source: 'list', effectiveFrom: listedSince },
      sms: { credits: 35, source: 'tenant', effectiveFrom: '2026-02-01T00:00:00.000Z' },
      changes: [{ item: 'bureau', credits: 650, source: 'list', effectiveFrom: '2027-01-01T00:00:00.000Z' }],
    }),
  },
};
