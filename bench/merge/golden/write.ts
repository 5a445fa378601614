// Short functions for writing golden cases: an agreement once, then each bureau's version of it. Amounts are in pounds.
// The three row functions apply the wires' effects (case, cut, whole pounds), so that a case states only the differences.
import { type AccountStatus, type AccountType, BUREAUS, type Bureau, type CompanyType } from '@trefoil/contract';
import type { BureauAccount, SourcedFile } from '../../../server/src/bureaus/port.ts';
import { NAME_LIMIT, writeName } from '../lender-names.ts';
import { lenderById } from '../lenders.ts';

export type Facts = {
  /** An entry of the benchmark's registry; `name` overrides how it is written. */
  readonly lender: string;
  readonly name?: string;
  readonly others?: readonly string[];
  readonly sector?: CompanyType;
  readonly type: AccountType;
  readonly status: AccountStatus;
  readonly tail: string | null;
  readonly start: string | null;
  readonly end: string | null;
  readonly n: number | null;
  /** Months of the agreement; by default as many as payments. */
  readonly months?: number | null;
  readonly pay: number | null;
  readonly amount: number | null;
  readonly now: number | null;
  readonly balloon: number | null;
  readonly joint?: boolean;
  readonly who?: readonly [title: string, firstName: string, lastName: string];
};

type Row = { readonly bureau: Bureau; readonly account: BureauAccount };
export type GoldenCase = {
  readonly name: string;
  readonly files: readonly SourcedFile[];
  readonly expected: readonly (readonly string[])[];
};

const WHO = ['Mr', 'Jon', 'Alden'] as const;

function pence(bureau: Bureau, pounds: number | null): number | null {
  if (pounds === null) return null;
  const exact = Math.round(pounds * 100);
  if (bureau === 'transunion') return exact;
  return (bureau === 'equifax' ? Math.floor(exact / 100) : Math.round(exact / 100)) * 100;
}

function accountAt(bureau: Bureau, ref: string, facts: Facts): BureauAccount {
  const lender = lenderById(facts.lender);
  const [title, firstName, lastName] = facts.who ?? WHO;
  const cased = (text: string) => (bureau === 'transunion' ? text : text.toUpperCase());
  return {
    ...{ ref, accountType: facts.type, accountStatus: facts.status, companyType: facts.sector ?? lender.companyType },
    ...{ companyName: writeName(bureau, facts.name ?? lender.trading), companyNameLimit: NAME_LIMIT[bureau] },
    ...{ otherCompanyNames: facts.others ?? [], title: cased(title), firstName: cased(firstName) },
    ...{ lastName: cased(lastName), accountNumberTail: facts.tail, startDate: facts.start, endDate: facts.end },
    ...{ updatedDate: facts.end ?? '2026-05-31', numberOfPayments: facts.n },
    ...{ repaymentPeriodMonths: facts.months === undefined ? facts.n : facts.months },
    paymentPence: pence(bureau, facts.pay),
    startBalancePence: pence(bureau, facts.amount),
    balancePence: pence(bureau, facts.now),
    balloonPence: bureau === 'experian' ? null : pence(bureau, facts.balloon),
    moneyStepPence: bureau === 'transunion' ? 1 : 100,
    isJoint: facts.joint ?? (bureau === 'equifax' ? false : null),
  };
}

const rowWord =
  (bureau: Bureau) =>
  (ref: string, facts: Facts, but: Partial<Facts> = {}): Row => ({
    ...{ bureau, account: accountAt(bureau, ref, { ...facts, ...but }) },
  });

/** A row at Equifax: upper case, cut at 26, whole pounds. */
export const eq = rowWord('equifax');
/** A row at Experian: upper case, cut at 40, whole pounds, no balloon. */
export const ex = rowWord('experian');
/** A row at TransUnion: mixed case, cut at 20, pence. */
export const tu = rowWord('transunion');

/** `'e1 x1 | t1'` means that e1 and x1 are one agreement and t1 is another. */
export function golden(name: string, expected: string, ...rows: readonly Row[]): GoldenCase {
  const files = BUREAUS.map((bureau) => ({
    bureau,
    file: {
      accounts: rows.filter((row) => row.bureau === bureau).map(({ account }) => account),
      ...{ addresses: [], searches: [] },
    },
  }));
  return { name, files, expected: expected.split(' | ').map((group) => group.split(' ')) };
}

const make =
  (base: Facts) =>
  (but: Partial<Facts> = {}): Facts => ({ ...base, ...but });

const OPEN = { status: 'open', end: null } as const;
const NO_TERMS = { n: null, pay: null, balloon: null } as const;

/** A settled PCP agreement of 49 months. */
export const pcp = make({
  ...{ lender: 'brackenfell', type: 'hire-purchase', status: 'settled', tail: '4821', start: '2019-02-18' },
  ...{ end: '2023-03-02', n: 49, pay: 289.14, amount: 14_250, now: 0, balloon: 5_120 },
});
/** Plain hire purchase, still running. */
export const hp = make({
  ...{ lender: 'tarnwick', type: 'hire-purchase', ...OPEN, tail: '6093', start: '2023-09-14' },
  ...{ n: 48, pay: 351.77, amount: 14_600, now: 6_640.2, balloon: null },
});
export const card = make({
  ...{ lender: 'pennarth', type: 'credit-card', ...OPEN, ...NO_TERMS, tail: '7730', start: '2018-06-11' },
  ...{ amount: 3_000, now: 812.4 },
});
export const loan = make({
  ...{ lender: 'ridgelow', type: 'personal-loan', ...OPEN, tail: '2256', start: '2023-01-20', n: 60, pay: 163.48 },
  ...{ amount: 7_500, now: 3_011.6, balloon: null },
});
export const bank = make({
  ...{ lender: 'kestrelmoor', type: 'current-account', ...OPEN, ...NO_TERMS, tail: '9014', start: '2011-10-03' },
  ...{ amount: 500, now: 143.27 },
});
export const home = make({
  ...{ lender: 'tidewell', type: 'mortgage', ...OPEN, tail: '3178', start: '2017-08-25', n: 300, pay: 921.35 },
  ...{ amount: 184_000, now: 141_280.5, balloon: null },
});
export const phone = make({
  ...{ lender: 'voxmere', type: 'communications', ...OPEN, tail: '5562', start: '2024-03-07', n: 24, pay: 34.5 },
  ...{ amount: null, now: 34.5, balloon: null },
});
export const catalogue = make({
  ...{ lender: 'fernley', type: 'mail-order', ...OPEN, ...NO_TERMS, tail: '1407', start: '2020-11-19' },
  ...{ amount: 1_250, now: 388.15 },
});
