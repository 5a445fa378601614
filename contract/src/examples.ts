// Examples for every request and every outcome, shown in the API reference and checked against the schemas by a test.
// All values are reserved or invented: phone numbers, addresses, lenders.
import type { AccountRecord, CreditReport } from './credit-report.ts';
import type { GenerateRequest } from './requests.ts';

export const creditReportId = '01998a3e-7c11-7d22-8a33-4b5c6d7e8f90';
export const challengeId = '01998a3e-7c12-7e44-9b55-6c7d8e9fa0b1';
const tenantId = '01998a00-0000-7000-8000-000000000001';

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
  externalReference: 'case-1001',
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
  bureaus: [{ id: 'equifax', ref: 'sandbox-hp-1-equifax' }],
};

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

const metered = (data: object) => ({
  meta: { request: { timeTakenMs: 12 }, wallet: { balance: 50000, cost: 0 } },
  data,
});

const complete = {
  summary: 'Complete at once',
  value: metered({ status: 'complete', challengeType: 'none', creditReportId, creditReport }),
};

const partlyComplete = {
  summary: 'Complete, though one bureau did not answer',
  value: {
    meta: { request: { timeTakenMs: 2104 }, wallet: { balance: 48600, cost: 1400 } },
    data: {
      status: 'complete',
      challengeType: 'none',
      creditReportId,
      creditReport,
      bureauResults: [
        { bureau: 'equifax', outcome: 'ok' },
        { bureau: 'experian', outcome: 'no-trace' },
        { bureau: 'transunion', outcome: 'unavailable' },
      ],
    },
  },
};

const failed = {
  summary: 'Failed: an outcome, not an HTTP error',
  value: metered({
    status: 'failed',
    creditReportId,
    errorMessage: 'All 3 attempts are used and the challenge has failed. Generate a new report to start again.',
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
  complete,
  'complete-in-part': partlyComplete,
  'authentication-required': {
    summary: 'A code was sent by SMS',
    value: metered({
      status: 'authentication-required',
      challengeType: 'otp',
      creditReportId,
      challenge: { challengeId },
    }),
  },
  blocked: { summary: 'Blocked', value: metered({ status: 'blocked', creditReportId }) },
  failed: {
    summary: 'Failed at generate',
    value: metered({ status: 'failed', creditReportId, errorMessage: 'No bureau answered. Nothing was charged.' }),
  },
};

export const submitOtpRequestExamples: Examples = {
  code: { summary: 'The code from the message', value: { challengeId, code: '123456' } },
};

export const submitOtpResponseExamples: Examples = {
  complete: { summary: 'Right code', value: metered({ status: 'complete', creditReportId, creditReport }) },
  retry: {
    summary: 'Wrong code, attempts remain',
    value: metered({
      status: 'retry',
      creditReportId,
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
