// A bureau's account in the form in which two can be compared: families, day numbers, pounds, words. Integers only.
import type { AccountType, Bureau, CompanyType } from '@trefoil/contract';
import type { BureauAccount, BureauDate } from '../../bureaus/port.ts';
import type { GivenName, Lender, ResolveLender } from './lender-registry.ts';

export type Family = 'instalment' | 'revolving' | 'mortgage' | 'current-account' | 'service' | 'unknown';

const FAMILIES: Record<AccountType, Family> = {
  'hire-purchase': 'instalment',
  'personal-loan': 'instalment',
  'secured-loan': 'instalment',
  lease: 'instalment',
  'student-loan': 'instalment',
  'home-credit': 'instalment',
  'credit-card': 'revolving',
  'store-card': 'revolving',
  'charge-card': 'revolving',
  'mail-order': 'revolving',
  'buy-now-pay-later': 'revolving',
  mortgage: 'mortgage',
  'current-account': 'current-account',
  communications: 'service',
  utility: 'service',
  insurance: 'service',
  rental: 'service',
  other: 'unknown',
};

export type Day = { readonly number: number; readonly isMonthOnly: boolean };

export type ComparableAccount = {
  readonly bureau: Bureau;
  readonly account: BureauAccount;
  /** Rows of the same bureau that say the same thing under another reference; the first is `account`. */
  readonly copies: readonly BureauAccount[];
  readonly family: Family;
  readonly lenders: readonly Lender[];
  readonly names: readonly (readonly string[])[];
  /** Null where neither the registry nor the bureau says what kind of company it is. */
  readonly isPurchaser: boolean | null;
  readonly start: Day | null;
  readonly end: Day | null;
};

/** Days since 1 March of year 0, by the civil calendar: integer arithmetic, no clock, no time zone. */
export function dayNumber(year: number, month: number, day: number): number {
  const y = month <= 2 ? year - 1 : year;
  const m = month <= 2 ? month + 9 : month - 3;
  return (
    365 * y + Math.floor(y / 4) - Math.floor(y / 100) + Math.floor(y / 400) + Math.floor((153 * m + 2) / 5) + day - 1
  );
}

export function toDay(date: BureauDate | null): Day | null {
  if (date === null) return null;
  const isMonthOnly = date.length === 7;
  const day = isMonthOnly ? 1 : Number(date.slice(8, 10));
  return { number: dayNumber(Number(date.slice(0, 4)), Number(date.slice(5, 7)), day), isMonthOnly };
}

export function givenNames(account: BureauAccount): GivenName[] {
  // A cut that fell on a space leaves the name one character short.
  const isCut = account.companyName.length >= account.companyNameLimit - 1;
  return [{ text: account.companyName, isCut }, ...account.otherCompanyNames.map((text) => ({ text, isCut: false }))];
}

function isPurchaser(told: CompanyType, lenders: readonly Lender[]): boolean | null {
  if (lenders.length > 0) return lenders.every(({ companyType }) => companyType === 'debt-purchaser');
  return told === 'other' ? null : told === 'debt-purchaser';
}

/** Rows of one bureau with the same content. */
export type Copies = readonly [BureauAccount, ...BureauAccount[]];

export function toComparable(bureau: Bureau, copies: Copies, resolve: ResolveLender): ComparableAccount {
  const [account] = copies;
  const given = givenNames(account);
  const { lenders, names } = resolve(given);
  return {
    bureau,
    // A copy, so that what is compared lies together in memory.
    account: { ...account },
    copies,
    family: FAMILIES[account.accountType],
    lenders,
    names,
    isPurchaser: isPurchaser(account.companyType, lenders),
    start: toDay(account.startDate),
    end: toDay(account.endDate),
  };
}

/** The most telling first, so that two rows are seldom compared beyond the second. */
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

/** An order over everything a row says but its reference; 0 when two rows say the same. */
export function compareContent(a: BureauAccount, b: BureauAccount): number {
  for (const field of CONTENT) {
    const order = compareValues(a[field], b[field]);
    if (order !== 0) return order;
  }
  return compareValues(a.otherCompanyNames.join('\n'), b.otherCompanyNames.join('\n'));
}
