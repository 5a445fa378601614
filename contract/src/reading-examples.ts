// Examples for the operations that read: reports, the wallet, its statement, prices.
import { challengeId, creditReportId, type Examples, partlyTraced } from './examples.ts';

const unmetered = (data: object) => ({ meta: { request: { timeTakenMs: 6 } }, data });

const test = false;
const createdAt = '2026-03-02T10:15:00.123Z';

export const creditReportExamples: Examples = {
  complete: {
    summary: 'Complete',
    value: unmetered({ status: 'complete', creditReportId, ...partlyTraced, test, createdAt }),
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
      test,
      createdAt,
    }),
  },
  blocked: { summary: 'Blocked', value: unmetered({ status: 'blocked', creditReportId, test, createdAt }) },
  failed: {
    summary: 'The challenge has expired',
    value: unmetered({
      status: 'failed',
      creditReportId,
      errorMessage: 'The challenge has expired. Generate a new report to start again.',
      test,
      createdAt,
    }),
  },
};

export const creditReportListExamples: Examples = {
  page: {
    summary: 'The last page',
    value: unmetered({
      items: [
        { creditReportId, status: 'complete', test, createdAt, isPurged: false },
        {
          creditReportId: '01998a3d-1a10-7c31-9d42-5e6f708192a3',
          status: 'failed',
          test,
          createdAt: '2026-01-20T08:00:00.000Z',
          isPurged: true,
        },
      ],
      nextCursor: null,
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
      'externalReference\r\n' +
      `41,report-charge,-2000,48000,${creditReportId},,,2026-03-02T10:15:00.789Z,-2.00,48.00,order-4711\r\n` +
      '40,top-up,50000,50000,,,invoice 2026-0017,2026-03-01T09:00:00.000Z,50.00,50.00,\r\n',
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
