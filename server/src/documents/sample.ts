// An invented report. The painter paints it when a node starts, so that the first reader does not wait for it.
import type { AccountRecord, Bureau, CreditReport, GenerateRequest } from '@trefoil/contract';
import type { CompletedReport } from '../credit-reports/reading/completed-report.ts';
import type { ProvenanceSource } from '../merge/provenance.ts';

const AGENCIES: readonly Bureau[] = ['equifax', 'experian', 'transunion'];
const PERSON = { title: 'Ms', firstName: 'Nia', lastName: 'Raskelf' };

const account = (place: number): AccountRecord => ({
  ...PERSON,
  accountNumber: `****${3_886 + place}`,
  ...{ accountType: place < 3 ? 'hire-purchase' : 'credit-card', accountStatus: place % 2 === 0 ? 'open' : 'settled' },
  ...{ companyType: 'motor-finance', companyName: `Wexcombe Auto Credit ${place}` },
  ...{ numberOfPayments: 49, repaymentPeriod: 49, startDate: `20${12 + place}-08-21` },
  payment: { amount: 16_924 + place, currency: 'GBP' },
  startBalance: { amount: 840_599 + place, currency: 'GBP' },
  balance: { amount: 378_270, currency: 'GBP' },
  bureaus: AGENCIES.map((id) => ({ id, ref: `ref-${place}` })),
});

const source = (record: AccountRecord, bureau: Bureau): ProvenanceSource => ({
  ...{ bureau, ref: record.bureaus[0]?.ref ?? '', ...PERSON },
  ...{ accountType: record.accountType, accountStatus: record.accountStatus, companyType: record.companyType },
  companyName: bureau === 'transunion' ? (record.companyName ?? '') : (record.companyName ?? '').toUpperCase(),
  ...{ otherCompanyNames: [], accountNumberTail: '3886', startDate: record.startDate, endDate: '2024-03-08' },
  ...{ updatedDate: '2026-05-31', numberOfPayments: 49, repaymentPeriodMonths: 49, paymentPence: 16_900 },
  ...{
    startBalancePence: 840_600,
    balancePence: 392_300,
    balloonPence: 1_330_400,
    moneyStepPence: 100,
    isJoint: false,
  },
});

const records = Array.from({ length: 10 }, (_, place) => account(place));

const report: CreditReport = {
  person: { ...PERSON, dateOfBirth: '1988-06-22' },
  residencies: [],
  consumerData: { records },
  previousSearches: { providers: [] },
};

const REQUEST: GenerateRequest = {
  ...{ sessionId: 'session', bureaus: [...AGENCIES], ipAddress: '192.0.2.1', searchType: 'pcp' },
  ...{ firstName: PERSON.firstName, lastName: PERSON.lastName, dateOfBirth: '1988-06-22' },
  addresses: [{ type: 'current', ukAddress: { buildingNumber: '44', townOrCity: 'Tarrageo', postcode: 'HS10 2SD' } }],
};

export const SAMPLE: CompletedReport = {
  creditReportId: '019e83d2-7a41-7c38-9b1e-5f0c2d9a6e11',
  ...{ tenantId: '019e83d2-0000-7000-8000-000000000001', tenantName: 'Example Claims Limited' },
  ...{ completedAt: new Date('2026-06-01T16:11:20Z'), isTest: true },
  request: REQUEST,
  reportText: JSON.stringify(report),
  bureauResults: AGENCIES.map((bureau) => ({ bureau, outcome: 'ok' })),
  authentication: { method: 'none', at: null },
  kept: {
    provenance: {
      ...{ type: 'trefoil/provenance/1', salt: '', searched: REQUEST },
      bureaus: AGENCIES.map((bureau) => ({
        ...{ bureau, outcome: 'ok', accounts: records.length },
        ...{ answeredAt: '2026-06-01T16:11:20Z', replySha256: null },
      })),
      records: records.map((record) => ({ sources: AGENCIES.map((bureau) => source(record, bureau)), lender: null })),
    },
    ...{ provenanceText: '', reportSalt: '' },
  },
};
