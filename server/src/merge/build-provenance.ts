// What each bureau said about each record of a merged report. It reads the merge and changes nothing in it.
import type { Bureau } from '@trefoil/contract';
import type { BureauAccount } from '../bureaus/port.ts';
import { inRecordOrder, lenderOf } from './golden-record.ts';
import type { Lender } from './matching/lender-registry.ts';
import type { MergedRecord } from './merge.ts';
import type { Provenance, ProvenanceRecord, ProvenanceReply, ProvenanceSource, SearchedWith } from './provenance.ts';

/** Field by field, so that the order in the text never depends on an adapter, and an adapter's extra field stays out. */
function toSource(bureau: Bureau, account: BureauAccount): ProvenanceSource {
  return {
    bureau,
    ref: account.ref,
    accountType: account.accountType,
    accountStatus: account.accountStatus,
    companyType: account.companyType,
    companyName: account.companyName,
    otherCompanyNames: account.otherCompanyNames,
    title: account.title,
    firstName: account.firstName,
    lastName: account.lastName,
    accountNumberTail: account.accountNumberTail,
    startDate: account.startDate,
    endDate: account.endDate,
    updatedDate: account.updatedDate,
    numberOfPayments: account.numberOfPayments,
    repaymentPeriodMonths: account.repaymentPeriodMonths,
    paymentPence: account.paymentPence,
    startBalancePence: account.startBalancePence,
    balancePence: account.balancePence,
    balloonPence: account.balloonPence,
    moneyStepPence: account.moneyStepPence,
    isJoint: account.isJoint,
  };
}

const toLender = ({ trading, legal, formerNames }: Lender): ProvenanceRecord['lender'] => ({
  trading,
  legal,
  formerNames,
});

function toRecord({ match }: MergedRecord): ProvenanceRecord {
  const rows = inRecordOrder(match.members);
  const sources: ProvenanceSource[] = [];
  for (const { bureau, account, copies } of rows) {
    sources.push(toSource(bureau, account));
    // Each copy has its own reference, and is listed in the record as well.
    for (const copy of copies) sources.push(toSource(bureau, copy));
  }
  const lender = lenderOf(rows);
  return { sources, lender: lender ? toLender(lender) : null };
}

/** A document shows these details, so they belong to what is signed. Everything else of a request stays out. */
export function searchedWith(request: SearchedWith): SearchedWith {
  const { title, firstName, middleName, lastName, dateOfBirth, addresses } = request;
  return {
    ...(title === undefined ? {} : { title }),
    firstName,
    ...(middleName === undefined ? {} : { middleName }),
    ...{ lastName, dateOfBirth, addresses },
  };
}

export type Asked = {
  readonly request: SearchedWith;
  readonly replies: readonly ProvenanceReply[];
  /** 128 random bits in lower-case hexadecimal digits. */
  readonly salt: string;
};

export function buildProvenance(merged: readonly MergedRecord[], { request, replies, salt }: Asked): Provenance {
  return {
    ...{ type: 'trefoil/provenance/1', salt, searched: searchedWith(request), bureaus: replies },
    records: merged.map(toRecord),
  };
}
