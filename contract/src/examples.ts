// Examples for every request and every outcome. The API reference shows them, and a test checks them against the
// schemas. All values are reserved or invented: phone numbers, addresses, lenders.
import type { AccountRecord, CreditReport } from './credit-report.ts';
import type { GenerateRequest } from './requests.ts';
import type { BureauResult } from './responses.ts';
import type { Bureau } from './vocabulary.ts';

export const creditReportId = '01998a3e-7c11-7d22-8a33-4b5c6d7e8f90';
export const challengeId = '01998a3e-7c12-7e44-9b55-6c7d8e9fa0b1';
const tenantId = '01998a00-0000-7000-8000-000000000001';
const externalReference = 'case-1001';

const generateBase = {
  sessionId: 'demo-session',
  bureaus: ['equifax', 'experian', 'transunion'],
  ipAddress: '192.0.2.10',
  searchType: 'pcp',
  title: 'Ms',
  firstName: 'Ada',
  lastName: 'Example',
  dateOfBirth: '1984-03-09',
  addresses: [
    {
      type: 'current',
      ukAddress: { buildingNumber: '14', thoroughfare: 'Mill Lane', townOrCity: 'Ludforth', postcode: 'HR10 2AB' },
    },
  ],
  mobileNumber: '+447700900123',
  email: 'test002@example.com',
  externalReference,
} satisfies GenerateRequest;

const hirePurchase: AccountRecord = {
  title: 'Ms',
  firstName: 'Ada',
  lastName: 'Example',
  accountNumber: '******4821',
  accountType: 'hire-purchase',
  accountStatus: 'open',
  companyType: 'motor-finance',
  companyName: 'Brackenfell Motor Finance',
  numberOfPayments: 49,
  repaymentPeriod: 49,
  payment: { amount: 28914, currency: 'GBP' },
  startBalance: { amount: 1425000, currency: 'GBP' },
  balance: { amount: 1060222, currency: 'GBP' },
  startDate: '2019-02-18',
  bureaus: [{ id: 'equifax', ref: 'EQ-7F3A90' }],
};

/** The example report when exactly these bureaus returned its record. */
const toldBy = (...bureaus: Bureau[]): CreditReport => ({
  ...creditReport,
  consumerData: {
    records: [
      { ...hirePurchase, bureaus: bureaus.map((id) => ({ id, ref: `${id.slice(0, 2).toUpperCase()}-7F3A90` })) },
    ],
  },
});

export const creditReport: CreditReport = {
  person: { title: 'Ms', firstName: 'Ada', lastName: 'Example', dateOfBirth: '1984-03-09' },
  residencies: [
    {
      addressId: 'adr_5f2b8c1d9e',
      address: {
        type: 'uk',
        ukAddress: {
          subBuildingName: null,
          buildingName: null,
          buildingNumber: '14',
          thoroughfare: 'Mill Lane',
          district: null,
          townOrCity: 'Ludforth',
          county: null,
          country: null,
          postcode: 'HR10 2AB',
        },
        addressLine1: '14 Mill Lane, LUDFORTH, HR10 2AB',
        lines: ['14 Mill Lane', 'LUDFORTH', 'HR10 2AB'],
      },
      yearsAtAddress: 6,
      monthsAtAddress: 4,
      isCurrent: true,
    },
  ],
  consumerData: { records: [hirePurchase] },
  previousSearches: {
    providers: [{ companyName: 'Kestrel Bank', records: [{ date: '2025-11-03T00:00:00.000Z' }] }],
  },
};

const FUNDS = 50_000;
/** The list prices in the example of GET /prices. Each bureau that answered is charged, even for a no-trace. */
const BASE_PRICE = 200;
const BUREAU_PRICE = 600;

const metered = (data: object, cost = 0) => ({
  meta: { request: { timeTakenMs: cost > 0 ? 2104 : 12 }, wallet: { balance: FUNDS - cost, cost } },
  data,
});

type Outcome = BureauResult['outcome'];
type Outcomes = readonly [equifax: Outcome, experian: Outcome, transunion: Outcome];

const resultsOf = ([equifax, experian, transunion]: Outcomes): BureauResult[] => [
  { bureau: 'equifax', outcome: equifax },
  { bureau: 'experian', outcome: experian },
  { bureau: 'transunion', outcome: transunion },
];

export const traced = {
  bureauResults: resultsOf(['ok', 'ok', 'ok']),
  coverage: { status: 'traced', message: 'Every bureau asked found this person.' },
  creditReport: toldBy('equifax', 'experian', 'transunion'),
};

export const partlyTraced = {
  bureauResults: resultsOf(['ok', 'no-trace', 'unavailable']),
  coverage: {
    status: 'partly-traced',
    message:
      '1 of 3 bureaus found this person, and the report holds what they know. Found nobody: experian. ' +
      'Did not answer: transunion.',
  },
  creditReport: toldBy('equifax'),
};

const notTraced = {
  bureauResults: resultsOf(['no-trace', 'no-trace', 'no-trace']),
  coverage: {
    status: 'not-traced',
    message:
      'No bureau found this person, so the lists are empty and say nothing about the person: this is not a clean ' +
      'file. Check the name, the date of birth and the addresses, former ones too. Found nobody: equifax, experian, ' +
      'transunion.',
  },
  creditReport: { ...creditReport, consumerData: { records: [] }, previousSearches: { providers: [] } },
} satisfies { bureauResults: BureauResult[]; creditReport: CreditReport; coverage: object };

const FULL_PRICE = BASE_PRICE + 3 * BUREAU_PRICE;
const atOnce = { status: 'complete', challengeType: 'none', creditReportId, externalReference };

const failed = {
  summary: 'Failed: an outcome, not an HTTP error',
  value: metered({
    status: 'failed',
    creditReportId,
    externalReference,
    errorMessage: 'All 3 attempts are used and the challenge has failed. Generate a new report to start again.',
    failureReason: 'attempts-used',
  }),
};

export type Example = { readonly summary: string; readonly value: unknown };
export type Examples = Readonly<Record<string, Example>>;

export const generateRequestExamples: Examples = {
  allow: {
    summary: 'Test mode: complete at once',
    value: { ...generateBase, test: true, challengeOptions: { status: 'allow' } },
  },
  challenge: {
    summary: 'Test mode: a challenge, answered with 123456',
    value: { ...generateBase, test: true, challengeOptions: { status: 'challenge' } },
  },
  block: {
    summary: 'Test mode: blocked',
    value: { ...generateBase, test: true, challengeOptions: { status: 'block' } },
  },
  live: { summary: 'Live', value: generateBase },
};

export const generateResponseExamples: Examples = {
  complete: { summary: 'Complete at once', value: metered({ ...atOnce, ...traced }, FULL_PRICE) },
  'complete-in-part': {
    summary: 'Complete: one bureau found the person, one found nobody, one did not answer and is not charged',
    value: metered({ ...atOnce, ...partlyTraced }, FULL_PRICE - BUREAU_PRICE),
  },
  'complete-not-traced': {
    summary: 'Complete, but no bureau found the person: not a clean file. Each of them answered and is charged',
    value: metered({ ...atOnce, ...notTraced }, FULL_PRICE),
  },
  'complete-in-test-mode': {
    summary: 'Complete in test mode: no bureau is asked and nothing is charged',
    value: metered({ ...atOnce, ...traced }),
  },
  'authentication-required': {
    summary: 'A code was sent by SMS. The report is charged now, and refunded if the challenge fails or expires',
    value: metered(
      {
        ...{ status: 'authentication-required', challengeType: 'otp', creditReportId, externalReference },
        challenge: { challengeId },
      },
      FULL_PRICE,
    ),
  },
  blocked: { summary: 'Blocked', value: metered({ status: 'blocked', creditReportId, externalReference }) },
  failed: {
    summary: 'Failed at generate',
    value: metered({
      status: 'failed',
      creditReportId,
      externalReference,
      errorMessage: 'No bureau answered. Nothing was charged. Try again later.',
      failureReason: 'no-bureau-answered',
    }),
  },
};

export const submitOtpRequestExamples: Examples = {
  code: { summary: 'The code from the message', value: { challengeId, code: '123456' } },
};

export const submitOtpResponseExamples: Examples = {
  complete: {
    summary: 'Right code: the report was charged when it was generated',
    value: metered({ status: 'complete', creditReportId, externalReference, ...traced }),
  },
  retry: {
    summary: 'Wrong code, attempts remain',
    value: metered({
      status: 'retry',
      creditReportId,
      externalReference,
      errorMessage: 'The code is not right. 2 attempts remain.',
      attemptsRemaining: 2,
    }),
  },
  failed,
};

export const resendSmsRequestExamples: Examples = {
  resend: { summary: 'Send another code', value: { challengeId } },
};

export const resendSmsResponseExamples: Examples = {
  sent: {
    summary: 'Second message sent',
    value: { meta: { request: { timeTakenMs: 8 } }, data: { remainingSmsCount: 1, smsSentCount: 2 } },
  },
};

export const profileExamples: Examples = {
  profile: {
    summary: 'The accountable owner',
    value: {
      id: '01998a00-0000-7000-8000-0000000000aa',
      firstName: 'Olive',
      lastName: 'Owner',
      email: 'owner@example.com',
      totpEnabled: false,
      createdAt: '2026-01-05T09:00:00.000Z',
    },
  },
};

export const tenantListExamples: Examples = {
  tenants: {
    summary: 'One tenant',
    value: {
      items: [
        {
          id: tenantId,
          name: 'Demo Claims',
          role: 'owner',
          isEnabled: true,
          isSelected: false,
          createdAt: '2026-01-05T09:00:00.000Z',
        },
      ],
      total: 1,
    },
  },
};

export const selectTenantRequestExamples: Examples = { select: { summary: 'Select a tenant', value: { tenantId } } };

export const selectTenantResponseExamples: Examples = {
  selected: { summary: 'Selected', value: { id: tenantId, name: 'Demo Claims' } },
};
