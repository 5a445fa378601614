// The requests and the response of the speed benchmark: requests for many people, and one report of eight kilobytes.
import type { CreditReport, GenerateRequest } from '@trefoil/contract';
import type { Provenance, ProvenanceSource } from '../../server/src/merge/provenance.ts';

export const BODY_BYTES = 8_192;

export const PEOPLE = 20_000;
const LETTERS = 'abcdefghij';

/** A request for one of many people, each at their own address. All have the same size. */
export function sampleRequest(number: number): GenerateRequest {
  const name = String(number % PEOPLE).padStart(5, '0');
  return {
    sessionId: 'bench',
    bureaus: ['equifax', 'experian', 'transunion'],
    ipAddress: `2001:db8:${name.slice(0, 2)}:${name.slice(2)}::1`,
    searchType: 'pcp',
    title: 'Ms',
    firstName: 'Ada',
    lastName: `Example${[...name].map((digit) => LETTERS[Number(digit)]).join('')}`,
    dateOfBirth: '1984-03-09',
    email: 'ada@example.com',
    externalReference: `bench-${name}`,
    addresses: [
      {
        type: 'current',
        ukAddress: { buildingNumber: '14', thoroughfare: 'Mill Lane', townOrCity: 'Ludforth', postcode: 'HR10 2AB' },
      },
    ],
  };
}

function record(number: number): CreditReport['consumerData']['records'][number] {
  return {
    title: 'Ms',
    firstName: 'Ada',
    lastName: 'Example',
    accountNumber: `****${1_000 + number}`,
    accountType: 'credit-card',
    accountStatus: 'open',
    companyType: 'bank',
    companyName: `Invented Lender ${number}`,
    numberOfPayments: 24,
    repaymentPeriod: 24,
    payment: { amount: 12_345, currency: 'GBP' },
    startBalance: { amount: 512_300, currency: 'GBP' },
    balance: { amount: 212_300, currency: 'GBP' },
    startDate: '2023-05-01',
    bureaus: [
      { id: 'equifax', ref: `A-${number}` },
      { id: 'experian', ref: `B-${number}` },
    ],
  };
}

/** Enough accounts to make the serialised report about eight kilobytes. */
export function sampleReport(): CreditReport {
  const report: CreditReport = {
    person: { title: 'Ms', firstName: 'Ada', lastName: 'Example', dateOfBirth: '1984-03-09' },
    residencies: [],
    consumerData: { records: [] },
    previousSearches: { providers: [] },
  };
  while (JSON.stringify(report).length < BODY_BYTES) {
    report.consumerData.records.push(record(report.consumerData.records.length));
  }
  return report;
}

type SampleRecord = CreditReport['consumerData']['records'][number];

function source(record: SampleRecord, { id, ref }: SampleRecord['bureaus'][number]): ProvenanceSource {
  // One literal, as the merge writes it: spreading parts into it takes five times as long.
  return {
    bureau: id,
    ref,
    accountType: record.accountType,
    accountStatus: record.accountStatus,
    companyType: record.companyType,
    companyName: record.companyName ?? '',
    otherCompanyNames: [],
    title: record.title,
    firstName: record.firstName,
    lastName: record.lastName,
    accountNumberTail: record.accountNumber?.slice(-4) ?? null,
    startDate: record.startDate,
    endDate: null,
    updatedDate: '2025-04-30',
    numberOfPayments: record.numberOfPayments,
    repaymentPeriodMonths: record.repaymentPeriod,
    paymentPence: record.payment?.amount ?? null,
    startBalancePence: record.startBalance?.amount ?? null,
    balancePence: record.balance?.amount ?? null,
    balloonPence: null,
    moneyStepPence: 100,
    isJoint: false,
  };
}

/** What the bureaus said about the sample report: built anew for each report, as the merge does. */
export function sampleProvenance(report: CreditReport, salt: string): Provenance {
  const { records } = report.consumerData;
  return {
    type: 'trefoil/provenance/1',
    salt,
    searched: { firstName: 'Ada', lastName: 'Example', dateOfBirth: '1984-03-09', addresses: [] },
    bureaus: (['equifax', 'experian', 'transunion'] as const).map((bureau) => ({
      ...{ bureau, outcome: 'ok', accounts: records.length, answeredAt: '2025-05-01T09:00:00.000Z' },
      replySha256: 'ab'.repeat(32),
    })),
    records: records.map((record) => ({
      sources: record.bureaus.map((told) => source(record, told)),
      lender: {
        trading: record.companyName ?? '',
        legal: `${record.companyName} Limited`,
        formerNames: [],
      },
    })),
  };
}
