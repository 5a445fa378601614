// Reads the accounts of a Beacon file.
import { isObject, type Json, type JsonObject, own } from '../../lib/outside/strict-json.ts';
import { tailOfNumber } from '../account-number.ts';
import { unintelligible } from '../bureau-fault.ts';
import type { BureauAccount } from '../port.ts';
import {
  COMPANY_NAME_MAX,
  checkCode,
  createRefs,
  type HolderName,
  NAME_MAX,
  type Notes,
  notNegative,
  readCode,
  readCount,
  readDate,
  readFlag,
  readNeededText,
  readPence,
  readText,
  splitName,
  unreadable,
} from '../reply-values.ts';
import {
  ACCOUNT_STATUSES,
  ACCOUNT_TYPES,
  BALANCE_KINDS,
  type BalanceKind,
  COMPANY_TYPES,
  FREQUENCIES,
} from './codes.ts';

export const COMPANY_NAME_LIMIT = 40;
const HOLDER_NAME_LIMIT = 40;
const PAYMENTS_MAX = 999;
/** Per account. There are five kinds, each given at most once. */
const BALANCES_MAX = 20;
/** Beacon writes every larger amount as this one: it is a ceiling, not an amount. */
const POUNDS_CEILING = '9999999';

/** Seven digits of whole pounds. */
const poundsToPence = (text: string) =>
  /^\d{7}$/.test(text) && text !== POUNDS_CEILING ? BigInt(text) * 100n : undefined;

/** `18022019`, or `00022019` where only the month is known. */
export function fromBeaconDate(text: string): string | undefined {
  const [, day, month, year] = /^(\d{2})(\d{2})(\d{4})$/.exec(text) ?? [];
  if (day === undefined) return undefined;
  return day === '00' ? `${year}-${month}` : `${year}-${month}-${day}`;
}

export function readAccounts(notes: Notes, rows: readonly Json[], subject: JsonObject): BureauAccount[] {
  const nextRef = createRefs(notes);
  const holder = subjectName(notes, subject);
  return rows.map((row) => {
    if (!isObject(row)) unintelligible('an account that is no record');
    return readAccount(notes, row, { ref: nextRef(own(row, 'k')), holder });
  });
}

type Given = { readonly ref: string; readonly holder: HolderName };

function readAccount(notes: Notes, row: JsonObject, { ref, holder }: Given): BureauAccount {
  const of = (key: string) => own(row, key);
  const date = (field: string, key: string) => readDate(notes, field, of(key), fromBeaconDate);
  const balances = readBalances(notes, of('b'));
  checkCode(notes, 'account.frequency', of('fq'), FREQUENCIES);
  return {
    ref,
    accountType: readCode(notes, 'account.type', of('typ'), { table: ACCOUNT_TYPES, fallback: 'other' }),
    accountStatus: readCode(notes, 'account.status', of('st'), { table: ACCOUNT_STATUSES, fallback: 'unknown' }),
    companyType: readCode(notes, 'account.companyType', of('cty'), { table: COMPANY_TYPES, fallback: 'other' }),
    companyName: readNeededText(notes, 'account.companyName', of('sup'), COMPANY_NAME_MAX),
    companyNameLimit: COMPANY_NAME_LIMIT,
    otherCompanyNames: [],
    ...readHolder(notes, of('nm'), holder),
    accountNumberTail: tailOfNumber(notes, 'account.number', of('num')),
    startDate: date('account.startDate', 'std'),
    endDate: date('account.endDate', 'sed'),
    updatedDate: date('account.updatedDate', 'upd'),
    numberOfPayments: readCount(notes, 'account.numberOfPayments', of('np'), PAYMENTS_MAX),
    repaymentPeriodMonths: readCount(notes, 'account.repaymentPeriod', of('rp'), PAYMENTS_MAX),
    paymentPence: readAmount(notes, 'account.payment', of('pay')),
    startBalancePence: readAmount(notes, 'account.startBalance', of('ob')),
    balancePence: balanceNow(notes, balances),
    balloonPence: balances.get('F') ?? null,
    moneyStepPence: 100,
    isJoint: readFlag(notes, 'account.isJoint', of('jn'), ['N', 'Y']),
  };
}

function readAmount(notes: Notes, field: string, value: unknown): number | null {
  return notNegative(notes, field, readPence(notes, field, value, poundsToPence));
}

/** An account with invalid balances is kept: they are only one field of it. */
function readBalances(notes: Notes, value: unknown): Map<BalanceKind, number | null> {
  const balances = new Map<BalanceKind, number | null>();
  if (!Array.isArray(value) || value.length > BALANCES_MAX) {
    notes.warn('account.balance', 'unreadable-value');
    return balances;
  }
  for (const entry of value as readonly unknown[]) {
    const kind = BALANCE_KINDS.find((each) => isObject(entry) && own(entry, 'kd') === each);
    if (!isObject(entry)) notes.warn('account.balance', 'unreadable-value');
    else if (kind === undefined) notes.warn('account.balanceKind', 'unknown-code');
    // A repeated kind counts as unknown: either value could be the right one.
    else if (balances.has(kind)) balances.set(kind, unreadable(notes, 'account.balance'));
    else balances.set(kind, readAmount(notes, 'account.balance', own(entry, 'amt')));
  }
  return balances;
}

/** The kind gives the sign. Both kinds at once contradict each other. */
function balanceNow(notes: Notes, balances: ReadonlyMap<BalanceKind, number | null>): number | null {
  if (balances.has('C') && balances.has('K')) return unreadable(notes, 'account.balance');
  const inFavour = balances.get('K');
  // Zero stays plain zero.
  return inFavour ? -inFavour : (balances.get('C') ?? inFavour ?? null);
}

function subjectName(notes: Notes, subject: JsonObject): HolderName {
  return {
    title: readText(notes, 'subject.title', own(subject, 'ttl'), NAME_MAX),
    firstName: readText(notes, 'subject.firstName', own(subject, 'fn'), NAME_MAX),
    lastName: readText(notes, 'subject.lastName', own(subject, 'sn'), NAME_MAX),
  };
}

/** The subject's own name needs no parsing: the file has its parts in full. */
function readHolder(notes: Notes, value: unknown, subject: HolderName): HolderName {
  const name = readText(notes, 'account.name', value, NAME_MAX);
  const whole = [subject.title, subject.firstName, subject.lastName].filter(Boolean).join(' ');
  return name === null || name === whole.slice(0, HOLDER_NAME_LIMIT).trimEnd() ? subject : splitName(name);
}
