// From the rows of one agreement to the one line a tenant sees: a rule per field, never "the newest wins". Ties fall
// in the fixed order of the bureaus, so that the same rows always give the same line.
import type { AccountRecord, AccountType, CompanyType, Money } from '@trefoil/contract';
import { inBureauOrder } from './bureau-order.ts';
import { type ComparableAccount, UNKNOWN } from './comparable-account.ts';
import type { Lender } from './lender-registry.ts';
import { isSameAmount } from './match-score.ts';
import { sortPart } from './merge-order.ts';

type Rows = readonly ComparableAccount[];
type Telling<T> = (row: ComparableAccount) => T | null;

/** The value most rows give; among equals the one `isBetter` prefers, then the first. Loops: it runs for every record. */
function majority<T>(rows: Rows, pick: Telling<T>, isBetter?: (a: T, b: T) => boolean): T | null {
  let best: T | null = null;
  let bestCount = 0;
  for (const row of rows) {
    const value = pick(row);
    if (value === null || value === best) continue;
    let count = 0;
    for (const other of rows) if (pick(other) === value) count += 1;
    if (count > bestCount || (count === bestCount && best !== null && isBetter?.(value, best))) {
      best = value;
      bestCount = count;
    }
  }
  return best;
}

function firstKnown<T>(rows: Rows, pick: Telling<T>): T | null {
  for (const row of rows) {
    const value = pick(row);
    if (value !== null) return value;
  }
  return null;
}

/** A start as a number: even for a day, odd for a month. */
const START: Telling<number> = ({ startDay, startSpan }) =>
  startDay === 0 ? null : 2 * startDay + (startSpan > 0 ? 1 : 0);
/** A day beats a month; then the earlier date: a later one is more often when the bureau was told. */
const isBetterStart = (a: number, b: number) => a % 2 < b % 2 || (a % 2 === b % 2 && a < b);

/** The row that tells the start. */
export function startOf(rows: Rows): ComparableAccount | undefined {
  const chosen = majority(rows, START, isBetterStart);
  const teller = rows.find((row) => START(row) === chosen);
  if (chosen === null || !teller || teller.startSpan === 0) return chosen === null ? undefined : teller;
  // Most tell a month; one that tells a day of it says more.
  const precise = rows.find(({ account }) => account.startDate?.startsWith(`${teller.account.startDate}-`));
  return precise ?? teller;
}

function startDate(rows: Rows): string | null {
  const teller = startOf(rows);
  const date = teller?.account.startDate ?? null;
  return date !== null && teller?.startSpan !== 0 ? `${date}-01` : date;
}

const toMoney = (pence: number): Money => ({ amount: pence, currency: 'GBP' });

/** Amounts that differ only by rounding count as one; the one most rows agree with is shown, to the penny if told. */
function amount(rows: Rows, pick: (row: ComparableAccount) => number): Money | null {
  let chosen = UNKNOWN;
  let chosenStep = 0;
  let mostAgreeing = 0;
  for (const row of rows) {
    const pence = pick(row);
    if (pence === UNKNOWN) continue;
    let agreeing = 0;
    for (const other of rows) {
      const told = pick(other);
      if (told !== UNKNOWN && isSameAmount(pence, told, row.moneyStep, other.moneyStep)) agreeing += 1;
    }
    if (agreeing > mostAgreeing || (agreeing === mostAgreeing && row.moneyStep < chosenStep)) {
      chosen = pence;
      chosenStep = row.moneyStep;
      mostAgreeing = agreeing;
    }
  }
  return chosen === UNKNOWN ? null : toMoney(chosen);
}

/** The row its bureau heard of last; one that says nothing of when comes after those that do. */
function latest(rows: Rows, isTelling: (row: ComparableAccount) => boolean): ComparableAccount | undefined {
  let found: ComparableAccount | undefined;
  for (const row of rows) if (isTelling(row) && (!found || row.updated > found.updated)) found = row;
  return found;
}

/** The one lender that fits every row that fits any. A name that fits two is not a fact: a letter would go astray. */
function lenderOf(rows: Rows): Lender | undefined {
  let only: Lender | null = null;
  for (const { lender } of rows) {
    // Where all rows name one lender, as they nearly always do, there is nothing to weigh.
    if (lender.only === null || (only !== null && lender.only !== only)) return sharedLender(rows);
    only = lender.only;
  }
  return only ?? undefined;
}

function sharedLender(rows: Rows): Lender | undefined {
  const [first, ...others] = rows.map(({ lender }) => lender.lenders).filter((lenders) => lenders.length > 0);
  const shared = first?.filter((lender) => others.every((lenders) => lenders.includes(lender))) ?? [];
  return shared.length === 1 ? shared[0] : undefined;
}

/** Without a lender of the registry, the longest name that a bureau gave. */
function longestName(rows: Rows): string | null {
  const names = rows.flatMap(({ account }) => [account.companyName, ...account.otherCompanyNames]);
  return names.toSorted((a, b) => b.length - a.length || (a < b ? -1 : 1))[0] || null;
}

/** A mask of fixed width: it must not tell how long the number is. */
function maskedNumber(rows: Rows): string | null {
  let longest: ComparableAccount | undefined;
  for (const row of rows) if (row.tailLength > (longest?.tailLength ?? 0)) longest = row;
  return longest ? `******${longest.account.accountNumberTail?.slice(-4)}` : null;
}

function listRefs(rows: Rows): AccountRecord['bureaus'] {
  const isCopied = rows.some(({ copies }) => copies.length > 0);
  // Copies stand in the order of their references.
  return isCopied
    ? rows.flatMap(({ bureau, account, copies }) => [account, ...copies].map(({ ref }) => ({ id: bureau, ref })))
    : rows.map(({ bureau, ref }) => ({ id: bureau, ref }));
}

/** What each field is told by. Written once: made anew for every record they would be most of its cost. */
const TITLE: Telling<string> = ({ account }) => account.title;
const FIRST_NAME: Telling<string> = ({ account }) => account.firstName;
const LAST_NAME: Telling<string> = ({ account }) => account.lastName;
const TYPE: Telling<AccountType> = ({ type }) => (type === 'other' ? null : type);
const COMPANY_TYPE: Telling<CompanyType> = ({ account }) =>
  account.companyType === 'other' ? null : account.companyType;
const PAYMENTS: Telling<number> = ({ numberOfPayments }) => (numberOfPayments === UNKNOWN ? null : numberOfPayments);
const PERIOD: Telling<number> = ({ repaymentMonths }) => (repaymentMonths === UNKNOWN ? null : repaymentMonths);
const PAYMENT = ({ payment }: ComparableAccount) => payment;
const START_BALANCE = ({ startBalance }: ComparableAccount) => startBalance;
const BALANCE = ({ balance }: ComparableAccount) => balance;
const tellsStatus = ({ status }: ComparableAccount) => status !== 'unknown' && status !== 'query';
const tellsAnything = () => true;

export function goldenRecord(cluster: Rows): AccountRecord {
  const rows = cluster.slice();
  sortPart(rows, 0, rows.length, inBureauOrder);
  const current = latest(rows, tellsStatus) ?? latest(rows, tellsAnything);
  const lender = lenderOf(rows);
  return {
    title: firstKnown(rows, TITLE),
    firstName: firstKnown(rows, FIRST_NAME),
    lastName: firstKnown(rows, LAST_NAME),
    accountNumber: maskedNumber(rows),
    accountType: majority(rows, TYPE) ?? 'other',
    accountStatus: current?.status ?? 'unknown',
    companyType: lender?.companyType ?? majority(rows, COMPANY_TYPE) ?? 'other',
    companyName: lender?.trading ?? longestName(rows),
    numberOfPayments: majority(rows, PAYMENTS),
    repaymentPeriod: majority(rows, PERIOD),
    payment: amount(rows, PAYMENT),
    startBalance: amount(rows, START_BALANCE),
    balance: current && current.balance !== UNKNOWN ? toMoney(current.balance) : amount(rows, BALANCE),
    startDate: startDate(rows),
    bureaus: listRefs(rows),
  };
}
