// From the rows of one agreement to the one line a tenant sees: a rule per field, never "the newest wins". Ties fall
// in the fixed order of the bureaus, so that the same rows always give the same line.
import type { AccountRecord, AccountStatus, Money } from '@trefoil/contract';
import type { BureauAccount } from '../../bureaus/port.ts';
import { inBureauOrder } from './bureau-order.ts';
import type { ComparableAccount } from './comparable-account.ts';
import type { Lender } from './lender-registry.ts';
import { isSameAmount } from './match-score.ts';

type Telling<T> = (account: BureauAccount) => T | null;

/** The value most rows give; among equals the one `isBetter` prefers, then the first. Loops: it runs for every record. */
function majority<T>(
  accounts: readonly BureauAccount[],
  pick: Telling<T>,
  isBetter?: (a: T, b: T) => boolean,
): T | null {
  let best: T | null = null;
  let bestCount = 0;
  for (const account of accounts) {
    const value = pick(account);
    if (value === null || value === best) continue;
    let count = 0;
    for (const other of accounts) if (pick(other) === value) count += 1;
    if (count > bestCount || (count === bestCount && best !== null && isBetter?.(value, best))) {
      best = value;
      bestCount = count;
    }
  }
  return best;
}

function firstKnown<T>(accounts: readonly BureauAccount[], pick: Telling<T>): T | null {
  for (const account of accounts) {
    const value = pick(account);
    if (value !== null) return value;
  }
  return null;
}

/** A day beats a month; then the earlier date: a later one is more often when the bureau was told. */
function startDate(accounts: readonly BureauAccount[]): string | null {
  const isBetter = (a: string, b: string) => a.length > b.length || (a.length === b.length && a < b);
  const chosen = majority(accounts, (account) => account.startDate, isBetter);
  if (chosen === null || chosen.length === 10) return chosen;
  const precise = firstKnown(accounts, (account) =>
    account.startDate?.startsWith(`${chosen}-`) ? account.startDate : null,
  );
  return precise ?? `${chosen}-01`;
}

/** Amounts that differ only by rounding count as one; the one most rows agree with is shown, to the penny if told. */
function amount(accounts: readonly BureauAccount[], pick: Telling<number>): Money | null {
  let chosen: { pence: number; step: number; agreeing: number } | undefined;
  for (const account of accounts) {
    const pence = pick(account);
    if (pence === null) continue;
    const step = account.moneyStepPence;
    let agreeing = 0;
    for (const other of accounts) {
      const told = pick(other);
      if (told !== null && isSameAmount(pence, told, step, other.moneyStepPence)) agreeing += 1;
    }
    if (!chosen || agreeing > chosen.agreeing || (agreeing === chosen.agreeing && step < chosen.step)) {
      chosen = { pence, step, agreeing };
    }
  }
  return chosen ? { amount: chosen.pence, currency: 'GBP' } : null;
}

/** The row its bureau heard of last; one that says nothing of when comes after those that do. */
function latest(accounts: readonly BureauAccount[], isTelling: (account: BureauAccount) => boolean) {
  let found: BureauAccount | undefined;
  for (const account of accounts) {
    if (isTelling(account) && (!found || (account.updatedDate ?? '') > (found.updatedDate ?? ''))) found = account;
  }
  return found;
}

const UNTELLING: readonly AccountStatus[] = ['unknown', 'query'];

/** The one lender that fits every row that fits any. A name that fits two is not a fact: a letter would go astray. */
function lenderOf(members: readonly ComparableAccount[]): Lender | undefined {
  let shared: readonly Lender[] | undefined;
  for (const { lenders } of members) {
    if (lenders.length === 0 || lenders === shared) continue;
    shared = shared ? shared.filter((lender) => lenders.includes(lender)) : lenders;
  }
  return shared?.length === 1 ? shared[0] : undefined;
}

/** Without a lender of the registry, the longest name that a bureau gave. */
function longestName(accounts: readonly BureauAccount[]): string | null {
  const names = accounts.flatMap((account) => [account.companyName, ...account.otherCompanyNames]);
  return names.toSorted((a, b) => b.length - a.length || (a < b ? -1 : 1))[0] || null;
}

/** A mask of fixed width: it must not tell how long the number is. */
function maskedNumber(accounts: readonly BureauAccount[]): string | null {
  let longest = '';
  for (const { accountNumberTail } of accounts) {
    if (accountNumberTail !== null && accountNumberTail.length > longest.length) longest = accountNumberTail;
  }
  return longest ? `******${longest.slice(-4)}` : null;
}

function listRefs(members: readonly ComparableAccount[]): AccountRecord['bureaus'] {
  return members.flatMap(({ bureau, copies }) =>
    copies
      .map(({ ref }) => ref)
      .toSorted()
      .map((ref) => ({ id: bureau, ref })),
  );
}

export function goldenRecord(cluster: readonly ComparableAccount[]): AccountRecord {
  const members = cluster.length > 1 ? cluster.toSorted(inBureauOrder) : cluster;
  const accounts = members.map(({ account }) => account);
  const current =
    latest(accounts, ({ accountStatus }) => !UNTELLING.includes(accountStatus)) ?? latest(accounts, () => true);
  const lender = lenderOf(members);
  return {
    title: firstKnown(accounts, ({ title }) => title),
    firstName: firstKnown(accounts, ({ firstName }) => firstName),
    lastName: firstKnown(accounts, ({ lastName }) => lastName),
    accountNumber: maskedNumber(accounts),
    accountType: majority(accounts, ({ accountType }) => (accountType === 'other' ? null : accountType)) ?? 'other',
    accountStatus: current?.accountStatus ?? 'unknown',
    companyType:
      lender?.companyType ??
      majority(accounts, ({ companyType }) => (companyType === 'other' ? null : companyType)) ??
      'other',
    companyName: lender?.trading ?? longestName(accounts),
    numberOfPayments: majority(accounts, ({ numberOfPayments }) => numberOfPayments),
    repaymentPeriod: majority(accounts, ({ repaymentPeriodMonths }) => repaymentPeriodMonths),
    payment: amount(accounts, ({ paymentPence }) => paymentPence),
    startBalance: amount(accounts, ({ startBalancePence }) => startBalancePence),
    balance:
      amount(current ? [current] : accounts, ({ balancePence }) => balancePence) ??
      amount(accounts, ({ balancePence }) => balancePence),
    startDate: startDate(accounts),
    bureaus: listRefs(members),
  };
}
