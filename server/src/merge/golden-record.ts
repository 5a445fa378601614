// From the rows of one agreement to the one line a tenant sees: a rule per field, never "the newest wins". The fixed
// order of the bureaus breaks ties, so that the same rows always give the same line.
import type { AccountRecord, AccountType, CompanyType, Money } from '@trefoil/contract';
import { inBureauOrder } from './bureau-order.ts';
import { type ComparableAccount, UNKNOWN } from './matching/comparable-account.ts';
import type { Lender } from './matching/lender-registry.ts';
import { isSameAmount } from './matching/match-score.ts';
import { sortPart } from './merge-order.ts';
import { spelledBest } from './spelling.ts';

type Rows = readonly ComparableAccount[];
type Telling<T> = (row: ComparableAccount) => T | null;

/** The value most rows give; on a tie the one `isBetter` prefers, then the first. Uses loops: it runs for every record. */
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

/** The first known value, in a bureau's mixed-case spelling if one has it. */
function spelled(rows: Rows, pick: Telling<string>): string | null {
  const chosen = firstKnown(rows, pick);
  return chosen === null ? null : spelledBest(chosen, rows.map(pick));
}

/** A start as a number: even for a day, odd for a month. */
const START: Telling<number> = ({ startDay, startSpan }) =>
  startDay === 0 ? null : 2 * startDay + (startSpan > 0 ? 1 : 0);
/** A day beats a month; then the earlier date wins: a later one is more often the date of the report to the bureau. */
const isBetterStart = (a: number, b: number) => a % 2 < b % 2 || (a % 2 === b % 2 && a < b);

/** The row that gives the start. */
export function startOf(rows: Rows): ComparableAccount | undefined {
  const chosen = majority(rows, START, isBetterStart);
  const teller = rows.find((row) => START(row) === chosen);
  if (chosen === null || !teller || teller.startSpan === 0) return chosen === null ? undefined : teller;
  // Most rows give a month; a row with a day in that month is more precise.
  const precise = rows.find(({ account }) => account.startDate?.startsWith(`${teller.account.startDate}-`));
  return precise ?? teller;
}

function startDate(rows: Rows): string | null {
  const teller = startOf(rows);
  const date = teller?.account.startDate ?? null;
  return date !== null && teller?.startSpan !== 0 ? `${date}-01` : date;
}

const toMoney = (pence: number): Money => ({ amount: pence, currency: 'GBP' });

/** Amounts that differ only by rounding count as one; shows the one most rows agree with, to the penny if a row has it. */
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

/** The row with the latest update; rows without an update date come last. */
function latest(rows: Rows, isTelling: (row: ComparableAccount) => boolean): ComparableAccount | undefined {
  let found: ComparableAccount | undefined;
  for (const row of rows) if (isTelling(row) && (!found || row.updated > found.updated)) found = row;
  return found;
}

/** Balances of the same date and the same open or closed state are one figure in several roundings, as payments are. */
function balanceOf(rows: Rows, current: ComparableAccount | undefined): Money | null {
  const isBeside = (row: ComparableAccount) => row.updated === current?.updated && row.isClosed === current.isClosed;
  return amount(rows.filter(isBeside), BALANCE) ?? amount(rows, BALANCE);
}

/** The only lender that fits every row with candidates. A name that fits two is no proof: a letter would go astray. */
export function lenderOf(rows: Rows): Lender | undefined {
  let only: Lender | null = null;
  for (const { lender } of rows) {
    // If all rows name one lender, as they nearly always do, there is nothing to weigh.
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

/** Without a lender from the registry: the longest name that a bureau gave. */
function longestName(rows: Rows): string | null {
  const names = rows.flatMap(({ account }) => [account.companyName, ...account.otherCompanyNames]);
  const sorted = names.toSorted((a, b) => b.length - a.length || (a < b ? -1 : 1));
  return sorted[0] ? spelledBest(sorted[0], sorted) : null;
}

/** A mask of fixed width: it must not reveal the length of the number. */
function maskedNumber(rows: Rows): string | null {
  let longest: ComparableAccount | undefined;
  for (const row of rows) if (row.tailLength > (longest?.tailLength ?? 0)) longest = row;
  return longest ? `******${longest.account.accountNumberTail?.slice(-4)}` : null;
}

function listRefs(rows: Rows): AccountRecord['bureaus'] {
  const isCopied = rows.some(({ copies }) => copies.length > 0);
  // Copies are in the order of their references.
  return isCopied
    ? rows.flatMap(({ bureau, account, copies }) => [account, ...copies].map(({ ref }) => ({ id: bureau, ref })))
    : rows.map(({ bureau, ref }) => ({ id: bureau, ref }));
}

/** The reader of each field. Defined once: creating them for every record would be most of its cost. */
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

/** The rows of a record in the order of its `bureaus`. */
export function inRecordOrder(cluster: Rows): Rows {
  const rows = cluster.slice();
  sortPart(rows, 0, rows.length, inBureauOrder);
  return rows;
}

export function goldenRecord(cluster: Rows): AccountRecord {
  const rows = inRecordOrder(cluster);
  const current = latest(rows, tellsStatus) ?? latest(rows, tellsAnything);
  const lender = lenderOf(rows);
  return {
    title: spelled(rows, TITLE),
    firstName: spelled(rows, FIRST_NAME),
    lastName: spelled(rows, LAST_NAME),
    accountNumber: maskedNumber(rows),
    accountType: majority(rows, TYPE) ?? 'other',
    accountStatus: current?.status ?? 'unknown',
    companyType: lender?.companyType ?? majority(rows, COMPANY_TYPE) ?? 'other',
    companyName: lender?.trading ?? longestName(rows),
    numberOfPayments: majority(rows, PAYMENTS),
    repaymentPeriod: majority(rows, PERIOD),
    payment: amount(rows, PAYMENT),
    startBalance: amount(rows, START_BALANCE),
    balance: balanceOf(rows, current),
    startDate: startDate(rows),
    bureaus: listRefs(rows),
  };
}
