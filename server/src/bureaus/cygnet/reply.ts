// Reads Cygnet's reply: an outcome of the port, "not yet", or "the token is not valid". Pure, and never throws.
import {
  countObjects,
  isObject,
  type Json,
  type JsonObject,
  own,
  parseStrictJson,
} from '../../lib/outside/strict-json.ts';
import { type Asked, checkDateOfBirth, checkEnquiryId } from '../asked.ts';
import { BureauFault, reading, unintelligible } from '../bureau-fault.ts';
import { type BureauReply, isContentType } from '../call-bureau.ts';
import { checkFileLimits } from '../file-limits.ts';
import type { BureauFile, BureauSearch, ReadOutcome } from '../port.ts';
import {
  COMPANY_NAME_MAX,
  checkCode,
  createNotes,
  type Notes,
  readDate,
  readNeededText,
  readSearchDay,
} from '../reply-values.ts';
import { accountRows, COMPANY_NAME_LIMIT, readAccounts } from './accounts.ts';
import { readAddress } from './addresses.ts';
import { PROBLEMS, SEARCH_REASONS } from './codes.ts';
import { fromCygnetDate } from './dates.ts';

export type Pending = { readonly kind: 'pending'; readonly id: string };
/** No enquiry was made: Cygnet checks the token first. */
export type Unauthenticated = { readonly kind: 'unauthenticated' };

export function readReply(
  reply: Omit<BureauReply, 'retryAfterSeconds'>,
  asked: Asked,
): ReadOutcome | Pending | Unauthenticated {
  return reading(() => {
    const { status, contentType, bytes } = reply;
    if (isContentType(contentType, 'application/problem+json')) return readProblem(parseStrictJson(bytes), asked);
    if (status === 429) throw new BureauFault('throttled', 'HTTP 429');
    if (status >= 400) throw new BureauFault('refused', `HTTP ${status}`);
    const isJson = isContentType(contentType, 'application/json');
    if (!isJson || (status !== 200 && status !== 202)) unintelligible('not a reply of this bureau');
    const body = parseStrictJson(bytes);
    const enquiry = isObject(body) ? own(body, 'enquiry') : undefined;
    if (!isObject(body) || !isObject(enquiry)) return unintelligible('no enquiry');
    checkEnquiryId(asked, own(enquiry, 'reference'));
    return status === 202 ? readPending(enquiry) : readFile(body, enquiry, asked);
  });
}

function readProblem(problem: Json, asked: Asked): ReadOutcome | Unauthenticated {
  const type = isObject(problem) ? own(problem, 'type') : undefined;
  if (!isObject(problem) || typeof type !== 'string') return unintelligible('no problem type');
  const name = type.slice(type.lastIndexOf('/') + 1);
  const meaning = PROBLEMS.get(name);
  const detail = meaning ? `problem ${name}` : 'a problem nobody knows';
  switch (meaning) {
    case 'no-trace':
      checkEnquiryId(asked, own(problem, 'reference'));
      return { kind: 'no-trace' };
    case 'unauthenticated':
      return { kind: 'unauthenticated' };
    case 'throttled':
      throw new BureauFault('throttled', detail);
    case 'request-refused':
      throw new BureauFault('refused', detail, 'request');
    case 'refused':
    case undefined:
      throw new BureauFault('refused', detail);
  }
}

function readPending(enquiry: JsonObject): Pending {
  const id = own(enquiry, 'id');
  // The id becomes part of a path.
  if (typeof id !== 'string' || !/^cyg_[A-Za-z0-9]{1,60}$/.test(id)) return unintelligible('no id to poll');
  return own(enquiry, 'status') === 'pending' ? { kind: 'pending', id } : unintelligible('neither here nor pending');
}

function readFile(body: JsonObject, enquiry: JsonObject, asked: Asked): ReadOutcome {
  const notes = createNotes();
  if (own(enquiry, 'status') !== 'complete') unintelligible('a file that is not complete');
  const subject = own(enquiry, 'subject');
  checkDateOfBirth(asked, isObject(subject) ? own(subject, 'born') : undefined);
  const rows = accountRows(notes, creditOf(body));
  const premises = own(body, 'premises');
  if (premises === undefined) notes.warn('addresses', 'missing-section');
  else if (!isObject(premises)) unintelligible('premises that are no record');
  const lookups = own(body, 'lookups');
  if (lookups === undefined) notes.warn('searches', 'missing-section');
  else if (!Array.isArray(lookups)) unintelligible('searches that are no list');
  const [places, found] = [Object.values((premises ?? {}) as JsonObject), (lookups ?? []) as readonly Json[]];
  checkFileLimits({ accounts: rows.length, addresses: places.length, searches: found.length });
  // Perhaps a new layout: we would lose an account outside its section. Compared with the rows that look like accounts,
  // since a row that does not would hide a lost account.
  if (countObjects(body, isAccountLike) > rows.filter((row) => isObject(row) && isAccountLike(row)).length) {
    unintelligible('an account outside its section');
  }
  const today = readDate(notes, 'enquiry.madeAt', own(enquiry, 'madeAt'), fromCygnetDate);
  const file: BureauFile = {
    accounts: readAccounts(notes, rows),
    addresses: places.map((place) => readAddress(notes, place, today)),
    searches: found.flatMap((lookup) => readSearch(notes, lookup)),
  };
  return { kind: 'ok', file, warnings: notes.warnings };
}

/** Recognised by two of its keys: either alone could become a key of another object. */
const isAccountLike = (row: JsonObject) => Object.hasOwn(row, 'handle') && Object.hasOwn(row, 'product');

function creditOf(body: JsonObject): JsonObject {
  const credit = own(body, 'credit');
  if (isObject(credit)) return credit;
  const sections = own(body, 'sections');
  // A file without its accounts is no file, whether or not the reply says so: it would be shown as an empty report.
  if (isObject(sections) && own(sections, 'credit') !== undefined) {
    throw new BureauFault('refused', 'the accounts are not available');
  }
  return unintelligible('no accounts section');
}

/** A report has no place for a search without a date: it is counted and left out. No other row is ever left out. */
function readSearch(notes: Notes, lookup: Json): BureauSearch[] {
  if (!isObject(lookup)) return unintelligible('a search that is no record');
  checkCode(notes, 'search.reason', own(lookup, 'purpose'), SEARCH_REASONS);
  const date = readSearchDay(notes, own(lookup, 'on'), fromCygnetDate);
  if (date === null) return [];
  const companyName = readNeededText(notes, 'search.companyName', own(lookup, 'by'), COMPANY_NAME_MAX);
  return [{ companyName, companyNameLimit: COMPANY_NAME_LIMIT, date }];
}
