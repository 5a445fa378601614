// From the rows of one agreement to the one line a tenant sees: a rule per field, never "the newest wins". Ties fall
// in the fixed order of the bureaus, so that the same rows always give the same line.
import type { AccountRecord, AccountStatus, Bureau, Money } from '@trefoil/contract';
import type { BureauAccount } from '../../bureaus/port.ts';
import { type ComparableAccount, toDay } from './comparable-account.ts';

const BUREAU_ORDER: readonly Bureau[] = ['equifax', 'experian', 'transunion'];

const inOrder = (members: readonly ComparableAccount[]) =>
  members.toSorted((a, b) => BUREAU_ORDER.indexOf(a.bureau) - BUREAU_ORDER.indexOf(b.bureau));

/** The value most rows give; among equals the one `isBetter` prefers, then the first. */
function majority<T>(values: readonly T[], isBetter: (a: T, b: T) => boolean): T | undefined {
  // Nearly always all rows agree.
  const [first, ...others] = values;
  if (others.every((value) => value === first)) return first;
  const counts = new Map<T, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  let best: T | undefined;
  for (const [value, count] of counts) {
    const bestCount = best === undefined ? 0 : (counts.get(best) ?? 0);
    if (best === undefined || count > bestCount || (count === bestCount && isBetter(value, best))) best = value;
  }
  return best;
}

const known = <T>(values: readonly (T | null)[]): T[] => values.filter((value): value is T => value !== null);
const firstKnown = <T>(values: readonly (T | null)[]): T | null => known(values)[0] ?? null;

/** A day beats a month; then the earlier date: a later one is more often when the bureau was told. */
function startDate(accounts: readonly BureauAccount[]): string | null {
  const dates = known(accounts.map(({ startDate }) => startDate));
  const chosen = majority(dates, (a, b) => a.length > b.length || (a.length === b.length && a < b));
  const precise =
    chosen !== undefined && chosen.length === 7 ? dates.find((date) => date.startsWith(`${chosen}-`)) : undefined;
  return precise ?? (chosen === undefined ? null : chosen.padEnd(10, '-01'));
}

/** Amounts that differ only by rounding count as one; of those the one told in pence is shown. */
function amount(accounts: readonly BureauAccount[], pick: (account: BureauAccount) => number | null): Money | null {
  const told = accounts.flatMap((account) => {
    const pence = pick(account);
    return pence === null ? [] : [{ pence, step: account.moneyStepPence }];
  });
  const pounds = majority(
    told.map(({ pence }) => Math.floor(pence / 100)),
    () => false,
  );
  const fitting = told.filter(({ pence }) => Math.floor(pence / 100) === pounds);
  const chosen = fitting.find(({ step }) => step === 1) ?? fitting[0];
  return chosen ? { amount: chosen.pence, currency: 'GBP' } : null;
}

function number(accounts: readonly BureauAccount[], pick: (account: BureauAccount) => number | null): number | null {
  return majority(known(accounts.map(pick)), () => false) ?? null;
}

/** The row its bureau heard of last; one that says nothing of when comes after those that do. */
function latest(accounts: readonly BureauAccount[]): BureauAccount | undefined {
  const updated = (account: BureauAccount) => toDay(account.updatedDate)?.number ?? 0;
  return accounts.toSorted((a, b) => updated(b) - updated(a))[0];
}

const UNTELLING: readonly AccountStatus[] = ['unknown', 'query'];

/** The name as the registry writes it; without one, the longest that a bureau gave. */
function companyName(members: readonly ComparableAccount[]): string | null {
  const candidates = members.map(({ lenders }) => lenders).filter((lenders) => lenders.length > 0);
  const [shared] = (candidates[0] ?? []).filter((lender) => candidates.every((lenders) => lenders.includes(lender)));
  if (shared) return shared.trading;
  const names = members.flatMap(({ account }) => [account.companyName, ...account.otherCompanyNames]);
  return names.toSorted((a, b) => b.length - a.length || (a < b ? -1 : 1))[0] || null;
}

/** A mask of fixed width: it must not tell how long the number is. */
function maskedNumber(accounts: readonly BureauAccount[]): string | null {
  const tails = known(accounts.map(({ accountNumberTail }) => accountNumberTail));
  const longest = tails.toSorted((a, b) => b.length - a.length)[0];
  return longest ? `******${longest.slice(-4)}` : null;
}

export function goldenRecord(cluster: readonly ComparableAccount[]): AccountRecord {
  const members = inOrder(cluster);
  const accounts = members.map(({ account }) => account);
  const telling = accounts.filter(({ accountStatus }) => !UNTELLING.includes(accountStatus));
  const current = latest(telling) ?? latest(accounts);
  const types = accounts.map(({ accountType }) => accountType).filter((type) => type !== 'other');
  const companyTypes = accounts.map(({ companyType }) => companyType).filter((type) => type !== 'other');
  const lender = members.flatMap(({ lenders }) => (lenders.length === 1 ? lenders : []))[0];
  return {
    title: firstKnown(accounts.map(({ title }) => title)),
    firstName: firstKnown(accounts.map(({ firstName }) => firstName)),
    lastName: firstKnown(accounts.map(({ lastName }) => lastName)),
    accountNumber: maskedNumber(accounts),
    accountType: majority(types, () => false) ?? 'other',
    accountStatus: current?.accountStatus ?? 'unknown',
    companyType: lender?.companyType ?? majority(companyTypes, () => false) ?? 'other',
    companyName: companyName(members),
    numberOfPayments: number(accounts, ({ numberOfPayments }) => numberOfPayments),
    repaymentPeriod: number(accounts, ({ repaymentPeriodMonths }) => repaymentPeriodMonths),
    payment: amount(accounts, ({ paymentPence }) => paymentPence),
    startBalance: amount(accounts, ({ startBalancePence }) => startBalancePence),
    balance:
      amount(current ? [current] : accounts, ({ balancePence }) => balancePence) ??
      amount(accounts, ({ balancePence }) => balancePence),
    startDate: startDate(accounts),
    bureaus: members.flatMap(({ bureau, copies }) =>
      copies
        .map(({ ref }) => ref)
        .toSorted()
        .map((ref) => ({ id: bureau, ref })),
    ),
  };
}
