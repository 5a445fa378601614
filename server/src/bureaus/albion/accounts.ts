// Reads the accounts of an Albion file.
import { tailOfNumber } from '../account-number.ts';
import { unintelligible } from '../bureau-fault.ts';
import type { BureauAccount } from '../port.ts';
import {
  COMPANY_NAME_MAX,
  createRefs,
  type HolderName,
  isoDay,
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
  splitName,
} from '../reply-values.ts';
import { ACCOUNT_STATUSES, ACCOUNT_TYPES, COMPANY_TYPES, FREQUENCIES } from './codes.ts';
import { onlyChild, type XmlElement } from './xml.ts';

export const COMPANY_NAME_LIMIT = 26;
const PAYMENTS_MAX = 2_000;

/** Whole pounds, with an optional leading minus. */
const poundsToPence = (text: string) => (/^-?\d{1,15}$/.test(text) ? BigInt(text) * 100n : undefined);

/** The unread accounts of the section. Any other element there may be or contain an account, which we would lose. */
export function accountRows({ children }: XmlElement): readonly XmlElement[] {
  if (children.some(({ name }) => name !== 'acct')) unintelligible('an unknown element among the accounts');
  return children;
}

export function readAccounts(notes: Notes, rows: readonly XmlElement[], subject: XmlElement): BureauAccount[] {
  const nextRef = createRefs(notes);
  const holder = subjectName(notes, subject);
  return rows.map((element) => readAccount(notes, element, { ref: nextRef(element.attributes.get('ref')), holder }));
}

type Given = { readonly ref: string; readonly holder: HolderName };

function readAccount(notes: Notes, element: XmlElement, { ref, holder }: Given): BureauAccount {
  const account = element.attributes;
  const child = (name: string) => onlyChild(element, name)?.attributes ?? new Map<string, string>();
  const [open, terms, now] = [child('open'), child('terms'), child('now')];
  const pence = (field: string, value: string | undefined) => readPence(notes, field, value, poundsToPence);
  const amount = (field: string, value: string | undefined) => notNegative(notes, field, pence(field, value));
  const date = (field: string, value: string | undefined) => readDate(notes, field, value, isoDay);
  const numberOfPayments = readCount(notes, 'account.numberOfPayments', terms.get('n'), PAYMENTS_MAX);
  const name = readText(notes, 'account.name', account.get('nm'), NAME_MAX);
  return {
    ref,
    accountType: readCode(notes, 'account.type', account.get('ty'), { table: ACCOUNT_TYPES, fallback: 'other' }),
    accountStatus: readCode(notes, 'account.status', now.get('st'), { table: ACCOUNT_STATUSES, fallback: 'unknown' }),
    companyType: readCode(notes, 'account.companyType', account.get('org'), {
      table: COMPANY_TYPES,
      fallback: 'other',
    }),
    companyName: readNeededText(notes, 'account.companyName', account.get('orgName'), COMPANY_NAME_MAX),
    companyNameLimit: COMPANY_NAME_LIMIT,
    otherCompanyNames: [],
    // The holder is given only when it is not the subject of the file.
    ...(name === null ? holder : splitName(name)),
    accountNumberTail: tailOfNumber(notes, 'account.number', account.get('no')),
    startDate: date('account.startDate', open.get('dt')),
    endDate: date('account.endDate', now.get('end')),
    updatedDate: date('account.updatedDate', now.get('upd')),
    numberOfPayments,
    repaymentPeriodMonths: toMonths(notes, numberOfPayments, terms.get('freq')),
    paymentPence: amount('account.payment', terms.get('amt')),
    startBalancePence: amount('account.startBalance', open.get('amt')),
    balancePence: pence('account.balance', now.get('bal')),
    balloonPence: amount('account.balloon', terms.get('last')),
    moneyStepPence: 100,
    isJoint: readFlag(notes, 'account.isJoint', account.get('jnt'), ['0', '1']),
  };
}

function subjectName(notes: Notes, { attributes }: XmlElement): HolderName {
  return {
    title: readText(notes, 'subject.title', attributes.get('ttl'), NAME_MAX),
    firstName: readText(notes, 'subject.firstName', attributes.get('fore'), NAME_MAX),
    lastName: readText(notes, 'subject.lastName', attributes.get('sur'), NAME_MAX),
  };
}

/** Albion gives the number and frequency of payments, not the duration: rounded to the nearest month. */
function toMonths(notes: Notes, payments: number | null, frequency: string | undefined): number | null {
  if (frequency === undefined) return null;
  const every = FREQUENCIES.get(frequency);
  if (every === undefined) notes.warn('account.frequency', 'unknown-code');
  return payments === null || every === undefined ? null : monthsOf(payments, every);
}
