// Reads the accounts of a Cygnet file: lists by product group. New groups may appear.
import { isObject, type Json, type JsonObject, own } from '../../lib/outside/strict-json.ts';
import { tailOfLastDigits } from '../account-number.ts';
import { unintelligible } from '../bureau-fault.ts';
import type { BureauAccount } from '../port.ts';
import {
  COMPANY_NAME_MAX,
  createRefs,
  type HolderName,
  monthsOf,
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
  readTexts,
  unreadable,
} from '../reply-values.ts';
import { ACCOUNT_STATUSES, ACCOUNT_TYPES, COMPANY_TYPES, GROUPS, INTERVALS } from './codes.ts';
import { fromCygnetDate } from './dates.ts';

export const COMPANY_NAME_LIMIT = 20;
const PAYMENTS_MAX = 2_000;
const NOTHING: JsonObject = {};

/** Pounds with up to two decimals, as text: `289.14`, `-12.5`, `14250`. Never converted through a float. */
export function decimalToPence(text: string): bigint | undefined {
  const [, sign, pounds, pence = ''] = /^(-?)(\d{1,15})(?:\.(\d{1,2}))?$/.exec(text) ?? [];
  if (pounds === undefined) return undefined;
  const total = BigInt(pounds) * 100n + BigInt(pence.padEnd(2, '0'));
  return sign === '-' ? -total : total;
}

export function readAccounts(notes: Notes, rows: readonly Json[]): BureauAccount[] {
  const nextRef = createRefs(notes);
  return rows.map((row) => {
    if (!isObject(row)) unintelligible('an account that is no record');
    return readAccount(notes, row, nextRef(own(row, 'handle')));
  });
}

/** The unread rows of all groups. */
export function accountRows(notes: Notes, credit: JsonObject): Json[] {
  // These groups are always present: a missing one is lost, and its accounts with it.
  if (GROUPS.some((group) => !Array.isArray(own(credit, group)))) unintelligible('a product group that is no list');
  return Object.entries(credit).flatMap(([group, rows]) => {
    if (!GROUPS.includes(group)) notes.warn('credit.group', 'unknown-code');
    return Array.isArray(rows) ? (rows as readonly Json[]) : [];
  });
}

function readAccount(notes: Notes, row: JsonObject, ref: string): BureauAccount {
  const agreement = readPart(notes, 'account.agreement', own(row, 'agreement'));
  const lender = readPart(notes, 'account.lender', own(row, 'lender'));
  const schedule = readOptionalPart(notes, 'account.schedule', own(agreement, 'schedule'));
  const date = (field: string, key: string) => readDate(notes, field, own(agreement, key), fromCygnetDate);
  const amount = (field: string, value: unknown) => notNegative(notes, field, readMoney(notes, field, value));
  const numberOfPayments = readCount(notes, 'account.numberOfPayments', own(schedule, 'count'), PAYMENTS_MAX);
  return {
    ref,
    accountType: readCode(notes, 'account.type', own(row, 'product'), { table: ACCOUNT_TYPES, fallback: 'other' }),
    accountStatus: readCode(notes, 'account.status', own(agreement, 'state'), {
      table: ACCOUNT_STATUSES,
      fallback: 'unknown',
    }),
    companyType: readCode(notes, 'account.companyType', own(lender, 'sector'), {
      table: COMPANY_TYPES,
      fallback: 'other',
    }),
    companyName: readNeededText(notes, 'account.companyName', own(lender, 'short'), COMPANY_NAME_MAX),
    companyNameLimit: COMPANY_NAME_LIMIT,
    otherCompanyNames: readOtherNames(notes, own(lender, 'legal')),
    ...readHolder(notes, own(row, 'holder')),
    accountNumberTail: tailOfLastDigits(notes, 'account.number', own(agreement, 'lastDigits')),
    startDate: date('account.startDate', 'opened'),
    endDate: date('account.endDate', 'closed'),
    updatedDate: date('account.updatedDate', 'updated'),
    numberOfPayments,
    repaymentPeriodMonths: toMonths(notes, numberOfPayments, own(schedule, 'every')),
    paymentPence: amount('account.payment', own(schedule, 'amount')),
    startBalancePence: amount('account.startBalance', own(agreement, 'opening')),
    balancePence: readMoney(notes, 'account.balance', own(agreement, 'outstanding')),
    balloonPence: amount('account.balloon', own(agreement, 'balloon')),
    moneyStepPence: 1,
    isJoint: readFlag(notes, 'account.isJoint', own(row, 'joint'), [false, true]),
  };
}

/** A part that is always present; without it the account is still kept. */
function readPart(notes: Notes, field: string, value: unknown): JsonObject {
  return isObject(value) ? value : (unreadable(notes, field) ?? NOTHING);
}

function readOptionalPart(notes: Notes, field: string, value: unknown): JsonObject {
  return value === undefined || value === null ? NOTHING : readPart(notes, field, value);
}

function readMoney(notes: Notes, field: string, value: unknown): number | null {
  if (value === undefined || value === null) return null;
  // An amount in an unknown currency is not an amount in pounds.
  if (!isObject(value) || own(value, 'ccy') !== 'GBP' || typeof own(value, 'value') !== 'string')
    return unreadable(notes, field);
  return readPence(notes, field, own(value, 'value'), decimalToPence);
}

function readOtherNames(notes: Notes, value: unknown): string[] {
  const legal = readOptionalPart(notes, 'account.legalName', value);
  const trading = own(legal, 'tradingAs') ?? [];
  if (!Array.isArray(trading)) notes.warn('account.tradingNames', 'unreadable-value');
  const names = [own(legal, 'name'), ...(Array.isArray(trading) ? (trading as readonly unknown[]) : [])];
  return readTexts(notes, 'account.otherCompanyNames', names, COMPANY_NAME_MAX);
}

/** A missing holder is unknown: the subject may be one of two holders, or the other one. */
function readHolder(notes: Notes, value: unknown): HolderName {
  const holder = readOptionalPart(notes, 'account.name', value);
  const given = own(holder, 'given') ?? [];
  if (!Array.isArray(given)) notes.warn('account.firstName', 'unreadable-value');
  return {
    title: readText(notes, 'account.title', own(holder, 'title'), NAME_MAX),
    firstName: readText(notes, 'account.firstName', Array.isArray(given) ? given[0] : null, NAME_MAX),
    lastName: readText(notes, 'account.lastName', own(holder, 'family'), NAME_MAX),
  };
}

/** Cygnet gives the number and frequency of payments, not the duration. */
function toMonths(notes: Notes, payments: number | null, interval: unknown): number | null {
  if (interval === undefined || interval === null) return null;
  const every = typeof interval === 'string' ? INTERVALS.get(interval) : undefined;
  if (every === undefined) notes.warn('account.frequency', 'unknown-code');
  return payments === null || every === undefined ? null : monthsOf(payments, every);
}
