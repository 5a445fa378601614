// What the bureaus of test mode said about a synthetic report: a pure function of the report, so that the same request
// always gets the same. Every bureau says what the report says, with two exceptions, so that a developer sees what a
// document shows: one agreement has a final payment, and about one agreement a bureau disagrees.
import type { AccountRecord, Bureau, BureauResult, CreditReport } from '@trefoil/contract';
import { searchedWith } from '../../../merge/build-provenance.ts';
import type {
  Provenance,
  ProvenanceRecord,
  ProvenanceReply,
  ProvenanceSource,
  SearchedWith,
} from '../../../merge/provenance.ts';

/** When the bureaus of test mode last heard from a lender. */
const UPDATED_DATE = '2025-04-30';
/** How long a settled account without instalments was open. */
const MONTHS_WITHOUT_TERM = 72;
/** The final payment, of a hundred parts of the credit; whole pounds. */
const FINAL_PAYMENT_PERCENT = 35;

const LENDERS: Readonly<Record<string, ProvenanceRecord['lender']>> = {
  'Brackenfell Motor Finance': {
    trading: 'Brackenfell Motor Finance',
    legal: 'Brackenfell Motor Finance Limited',
    formerNames: ['Brackenfell Car Credit'],
  },
  'Thistledown Vehicle Credit': {
    trading: 'Thistledown Vehicle Credit',
    legal: 'Thistledown Vehicle Credit Limited',
    formerNames: [],
  },
  'Marlpit Cards': { trading: 'Marlpit Cards', legal: 'Marlpit Card Services Limited', formerNames: [] },
  'Ludforth Building Society': {
    trading: 'Ludforth Building Society',
    legal: 'Ludforth Building Society',
    formerNames: [],
  },
};

function addMonths(date: string, months: number): string {
  const [year = 0, month = 0, day = 0] = date.split('-').map(Number);
  const count = year * 12 + (month - 1) + months;
  // No synthetic agreement starts after the 28th, which every month has.
  const parts = [Math.floor(count / 12), (count % 12) + 1, day];
  return parts.map((part, place) => String(part).padStart(place === 0 ? 4 : 2, '0')).join('-');
}

function endOf({ accountStatus, startDate, repaymentPeriod }: AccountRecord): string | null {
  if (accountStatus !== 'settled' || startDate === null) return null;
  return addMonths(startDate, repaymentPeriod ?? MONTHS_WITHOUT_TERM);
}

function sayTheSame(
  record: AccountRecord,
  { id, ref }: { readonly id: Bureau; readonly ref: string },
): ProvenanceSource {
  return {
    ...{ bureau: id, ref, accountType: record.accountType, accountStatus: record.accountStatus },
    ...{ companyType: record.companyType, companyName: record.companyName ?? '', otherCompanyNames: [] },
    ...{ title: record.title, firstName: record.firstName, lastName: record.lastName },
    accountNumberTail: record.accountNumber?.slice(-4) ?? null,
    ...{ startDate: record.startDate, endDate: endOf(record), updatedDate: UPDATED_DATE },
    ...{ numberOfPayments: record.numberOfPayments, repaymentPeriodMonths: record.repaymentPeriod },
    paymentPence: record.payment?.amount ?? null,
    startBalancePence: record.startBalance?.amount ?? null,
    balancePence: record.balance?.amount ?? null,
    ...{ balloonPence: null, moneyStepPence: 1, isJoint: false },
  };
}

/** The first bureau names a final payment, as for a PCP. */
function addFinalPayment(sources: readonly ProvenanceSource[]): ProvenanceSource[] {
  return sources.map((source, place) => {
    if (place > 0 || source.startBalancePence === null) return source;
    return { ...source, balloonPence: Math.round((source.startBalancePence * FINAL_PAYMENT_PERCENT) / 10_000) * 100 };
  });
}

/** The last bureau gives all payments together as the credit: a common slip of lenders. One bureau alone cannot disagree. */
function disagree(sources: readonly ProvenanceSource[]): ProvenanceSource[] {
  return sources.map((source, place) => {
    const { paymentPence, numberOfPayments } = source;
    const isLast = place === sources.length - 1 && place > 0;
    if (!isLast || paymentPence === null || numberOfPayments === null) return source;
    return { ...source, startBalancePence: paymentPence * numberOfPayments };
  });
}

function toRecords(records: readonly AccountRecord[]): ProvenanceRecord[] {
  const isCarFinance = ({ accountType }: AccountRecord) => accountType === 'hire-purchase';
  const [withFinalPayment, disputed] = [records.findIndex(isCarFinance), records.findLastIndex(isCarFinance)];
  return records.map((record, place) => {
    const same = record.bureaus.map((told) => sayTheSame(record, told));
    const paid = place === withFinalPayment ? addFinalPayment(same) : same;
    const sources = place === disputed ? disagree(paid) : paid;
    return { sources, lender: LENDERS[record.companyName ?? ''] ?? null };
  });
}

/** `answeredAt` is when the report was made: test mode asks no bureau. */
export function synthesiseProvenance(
  { consumerData: { records } }: CreditReport,
  results: readonly BureauResult[],
  { request, salt, answeredAt }: { readonly request: SearchedWith; readonly salt: string; readonly answeredAt: string },
): Provenance {
  const accountsOf = (bureau: Bureau) =>
    records.reduce((sum, { bureaus }) => sum + bureaus.filter(({ id }) => id === bureau).length, 0);
  const replies = results.map(
    ({ bureau, outcome }): ProvenanceReply => ({
      bureau,
      outcome,
      accounts: outcome === 'ok' ? accountsOf(bureau) : null,
      answeredAt: outcome === 'unavailable' ? null : answeredAt,
      replySha256: null,
    }),
  );
  return {
    ...{ type: 'trefoil/provenance/1', salt, searched: searchedWith(request), bureaus: replies },
    records: toRecords(records),
  };
}
