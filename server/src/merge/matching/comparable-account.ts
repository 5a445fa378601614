// A bureau's account in a comparable form: families, day numbers, pounds, words. Integers only.
import type { AccountStatus, AccountType, Bureau, CompanyType } from '@trefoil/contract';
import type { BureauAccount, BureauDate } from '../../bureaus/port.ts';
import type { Lender, ResolvedNames, ResolveLender } from './lender-registry.ts';

/** From 1; 0 is an unknown family. */
export const FAMILY = { unknown: 0, instalment: 1, revolving: 2, mortgage: 3, currentAccount: 4, service: 5 } as const;
export const FAMILY_COUNT = 6;

export type Family = (typeof FAMILY)[keyof typeof FAMILY];

const FAMILIES: Record<AccountType, Family> = {
  'hire-purchase': FAMILY.instalment,
  'personal-loan': FAMILY.instalment,
  'secured-loan': FAMILY.instalment,
  lease: FAMILY.instalment,
  'student-loan': FAMILY.instalment,
  'home-credit': FAMILY.instalment,
  'credit-card': FAMILY.revolving,
  'store-card': FAMILY.revolving,
  'charge-card': FAMILY.revolving,
  'mail-order': FAMILY.revolving,
  'buy-now-pay-later': FAMILY.revolving,
  mortgage: FAMILY.mortgage,
  'current-account': FAMILY.currentAccount,
  communications: FAMILY.service,
  utility: FAMILY.service,
  insurance: FAMILY.service,
  rental: FAMILY.service,
  other: FAMILY.unknown,
};

/** Means "the bureau did not say" in a number field; no amount or count is so far below zero. */
export const UNKNOWN = -(2 ** 30);

/** How many days later the real date may be when only the month is given. */
export const MONTH_SPAN = 30;

/**
 * Flat, and it holds everything that the comparisons read: a pair needs two places in memory instead of ten, which is
 * most of the cost of a comparison in a long report (docs/decisions/0117-merge.md).
 */
export type ComparableAccount = {
  readonly bureau: Bureau;
  readonly ref: string;
  readonly account: BureauAccount;
  /** Further rows of the same bureau with the same content under another reference; found when rows are sorted. */
  copies: readonly BureauAccount[];
  readonly family: Family;
  readonly type: AccountType;
  readonly isRevolving: boolean;
  readonly status: AccountStatus;
  readonly isClosed: boolean;
  /** The lenders that the names may mean. */
  readonly lender: ResolvedNames;
  /** Null where neither the registry nor the bureau says what kind of company it is. */
  readonly isPurchaser: boolean | null;
  /** Day numbers; 0 where the bureau did not say. The span is 0 for a day and `MONTH_SPAN` for a month. */
  readonly startDay: number;
  readonly startSpan: number;
  readonly endDay: number;
  readonly endSpan: number;
  /** When the bureau last updated the account, as a number that grows with time; 0 where it did not say. */
  readonly updated: number;
  /** The last three and last four characters of the number, encoded as a number; 0 where there are fewer. */
  readonly tailOfThree: number;
  readonly tailOfFour: number;
  readonly tailLength: number;
  /** Amounts in pence and counts; `UNKNOWN` where the bureau did not say. */
  readonly startBalance: number;
  readonly payment: number;
  readonly balance: number;
  readonly moneyStep: number;
  readonly numberOfPayments: number;
  readonly repaymentMonths: number;
};

const CLOSED: ReadonlySet<AccountStatus> = new Set([
  'settled',
  'closed',
  'partially-settled',
  'voluntary-termination',
  'repossessed',
  'transferred',
]);

/** Days since 1 March of year 0, by the civil calendar: integer arithmetic, no clock, no time zone. */
function dayNumber(year: number, month: number, day: number): number {
  const y = month <= 2 ? year - 1 : year;
  const m = month <= 2 ? month + 9 : month - 3;
  return (
    365 * y + Math.floor(y / 4) - Math.floor(y / 100) + Math.floor(y / 400) + Math.floor((153 * m + 2) / 5) + day - 1
  );
}

/** Digit by digit: splitting the text first took longer than the rest of the row. */
function digits(text: string, from: number, to: number): number {
  let value = 0;
  for (let at = from; at < to; at += 1) value = value * 10 + text.charCodeAt(at) - 48;
  return value;
}

const isMonth = (date: BureauDate | null) => date?.length === 7;

function toDay(date: BureauDate | null): number {
  if (date === null) return 0;
  return dayNumber(digits(date, 0, 4), digits(date, 5, 7), isMonth(date) ? 1 : digits(date, 8, 10));
}

/** Seven bits for each of the last characters. A tail with non-ASCII characters counts as none. */
function toTail(tail: string | null, length: number): number {
  if (tail === null || tail.length < length) return 0;
  let value = 1;
  for (let at = tail.length - length; at < tail.length; at += 1) {
    const code = tail.charCodeAt(at);
    if (code > 127) return 0;
    value = value * 128 + code;
  }
  return value;
}

function isPurchaser(told: CompanyType, lenders: readonly Lender[]): boolean | null {
  if (lenders.length > 0) return lenders.every(({ companyType }) => companyType === 'debt-purchaser');
  return told === 'other' ? null : told === 'debt-purchaser';
}

const NO_COPIES: readonly BureauAccount[] = [];

export function toComparable(bureau: Bureau, account: BureauAccount, resolve: ResolveLender): ComparableAccount {
  const { companyName, companyNameLimit, otherCompanyNames, accountType } = account;
  const { startDate, endDate, updatedDate } = account;
  // If the cut fell on a space, the name is one character shorter than the limit.
  const lender = resolve(companyName, companyName.length >= companyNameLimit - 1, otherCompanyNames);
  const family = FAMILIES[accountType];
  // In the order in which comparisons read them: the first few fields decide most pairs.
  return {
    bureau,
    startDay: toDay(startDate),
    startSpan: isMonth(startDate) ? MONTH_SPAN : 0,
    tailOfThree: toTail(account.accountNumberTail, 3),
    startBalance: account.startBalancePence ?? UNKNOWN,
    payment: account.paymentPence ?? UNKNOWN,
    type: accountType,
    family,
    isRevolving: family === FAMILY.revolving || family === FAMILY.currentAccount,
    moneyStep: account.moneyStepPence,
    lender,
    isPurchaser: isPurchaser(account.companyType, lender.lenders),
    tailOfFour: toTail(account.accountNumberTail, 4),
    numberOfPayments: account.numberOfPayments ?? UNKNOWN,
    repaymentMonths: account.repaymentPeriodMonths ?? UNKNOWN,
    endDay: toDay(endDate),
    endSpan: isMonth(endDate) ? MONTH_SPAN : 0,
    balance: account.balancePence ?? UNKNOWN,
    isClosed: CLOSED.has(account.accountStatus),
    status: account.accountStatus,
    // A day of a month is more recent than the month alone.
    updated: updatedDate === null ? 0 : 2 * toDay(updatedDate) + (isMonth(updatedDate) ? 0 : 1),
    tailLength: account.accountNumberTail?.length ?? 0,
    ref: account.ref,
    copies: NO_COPIES,
    account,
  };
}

/** The most distinctive field first, so that two rows are seldom compared beyond the second. */
const CONTENT = [
  'startDate',
  'startBalancePence',
  'balancePence',
  'accountNumberTail',
  'companyName',
  'accountType',
  'paymentPence',
  'numberOfPayments',
  'repaymentPeriodMonths',
  'endDate',
  'updatedDate',
  'accountStatus',
  'companyType',
  'balloonPence',
  'isJoint',
  'title',
  'firstName',
  'lastName',
  'moneyStepPence',
  'companyNameLimit',
] as const satisfies readonly (keyof BureauAccount)[];

function compareValues(x: string | number | boolean | null, y: string | number | boolean | null): number {
  if (x === y) return 0;
  if (x === null || y === null) return x === null ? -1 : 1;
  return x < y ? -1 : 1;
}

/** An order over all fields of a row except its reference; 0 when two rows have the same content. */
export function compareContent(a: ComparableAccount, b: ComparableAccount): number {
  for (const field of CONTENT) {
    const order = compareValues(a.account[field], b.account[field]);
    if (order !== 0) return order;
  }
  return compareValues(a.account.otherCompanyNames.join('\n'), b.account.otherCompanyNames.join('\n'));
}
