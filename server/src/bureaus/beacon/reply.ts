// Reads Beacon's reply into an outcome of the port. Pure, and never throws.
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
import type { BureauAddress, BureauSearch, ReadOutcome } from '../port.ts';
import { isHouseNumber, PREMISES_MAX, readPostcode } from '../premises.ts';
import {
  COMPANY_NAME_MAX,
  checkCode,
  createNotes,
  type Notes,
  readFlag,
  readNeededText,
  readSearchDay,
  readText,
  unreadable,
} from '../reply-values.ts';
import { COMPANY_NAME_LIMIT, fromBeaconDate, readAccounts } from './accounts.ts';
import { RETURN_CODES, SEARCH_REASONS } from './codes.ts';

const FILE_FOLLOWS = '0000';
const NO_TRACE = '0100';

export function readReply(reply: Omit<BureauReply, 'retryAfterSeconds'>, asked: Asked): ReadOutcome {
  return reading(() => {
    const { status, contentType, bytes } = reply;
    if (status === 429) throw new BureauFault('throttled', 'HTTP 429');
    if (status >= 400) throw new BureauFault('refused', `HTTP ${status}`);
    if (status !== 200 || !isContentType(contentType, 'application/json')) unintelligible('not a reply of this bureau');
    const body = parseStrictJson(bytes);
    const header = isObject(body) ? own(body, 'hdr') : undefined;
    if (!isObject(body) || !isObject(header)) return unintelligible('no header');
    return readByCode(own(header, 'rc'), { body, header, asked });
  });
}

type Whole = { readonly body: JsonObject; readonly header: JsonObject; readonly asked: Asked };

function readByCode(code: unknown, { body, header, asked }: Whole): ReadOutcome {
  if (typeof code !== 'string' || !/^\d{4}$/.test(code)) unintelligible('no return code');
  if (code === FILE_FOLLOWS || code === NO_TRACE) checkEnquiryId(asked, own(header, 'ref'));
  if (code === FILE_FOLLOWS) return readFile(body, asked);
  // A no-trace is charged and shown as an answer: a reply with a file is not a no-trace.
  if (code === NO_TRACE) return own(body, 'acc') ? unintelligible('a no-trace with a file') : { kind: 'no-trace' };
  const meaning = RETURN_CODES.get(code);
  const detail = meaning ? `return code ${code}` : 'a return code nobody knows';
  if (meaning === 'throttled') throw new BureauFault('throttled', detail);
  throw new BureauFault('refused', detail, meaning === 'request-refused' ? 'request' : 'provider');
}

function readFile(body: JsonObject, asked: Asked): ReadOutcome {
  const notes = createNotes();
  const subject = own(body, 'sub');
  if (!isObject(subject)) return unintelligible('no subject');
  const born = own(subject, 'dob');
  checkDateOfBirth(asked, typeof born === 'string' ? fromBeaconDate(born) : undefined);
  const rows = own(body, 'acc');
  // Without this section we could not tell an empty file from a lost one.
  if (!isList(rows)) return unintelligible('no accounts section');
  const places = readSection(notes, body, 'loc', 'addresses');
  const found = readSection(notes, body, 'cap', 'searches');
  checkFileLimits({ accounts: rows.length, addresses: places.length, searches: found.length });
  // Perhaps a new layout: we would lose an account outside its section.
  if (countObjects(body, isAccountLike) > rows.filter(isAccountLike).length) {
    unintelligible('an account outside its section');
  }
  const accounts = readAccounts(notes, rows, subject);
  const addresses = places.map((row) => readAddress(notes, row));
  const searches = found.flatMap((row) => readSearch(notes, row));
  return { kind: 'ok', file: { accounts, addresses, searches }, warnings: notes.warnings };
}

/** Recognised by two of its keys: either alone could become a key of another object. */
const isAccountLike = (row: Json) => isObject(row) && Object.hasOwn(row, 'k') && Object.hasOwn(row, 'typ');

const isList = (value: Json | undefined): value is readonly Json[] => Array.isArray(value);

function readSection(notes: Notes, body: JsonObject, key: string, field: string): JsonObject[] {
  const rows = own(body, key);
  if (rows === undefined) notes.warn(field, 'missing-section');
  else if (!isList(rows)) unintelligible('a section that is no list');
  return ((rows ?? []) as readonly Json[]).map((row) =>
    isObject(row) ? row : unintelligible('a row that is no record'),
  );
}

function readAddress(notes: Notes, row: JsonObject): BureauAddress {
  const part = (field: string, key: string) => readText(notes, `address.${field}`, own(row, key), PREMISES_MAX);
  const flat = part('subBuildingName', 'flat');
  return {
    // Beacon leaves out the word for a flat before a number or a letter.
    subBuildingName: flat !== null && (isHouseNumber(flat) || /^[A-Z]$/i.test(flat)) ? `FLAT ${flat}` : flat,
    buildingName: part('buildingName', 'hnm'),
    buildingNumber: part('buildingNumber', 'hno') ?? part('buildingNumber', 'hn'),
    thoroughfare: part('thoroughfare', 'st'),
    district: part('district', 'dl'),
    townOrCity: part('townOrCity', 'pt'),
    county: null,
    country: null,
    postcode: readPostcode(notes, 'address.postcode', own(row, 'pc')),
    monthsAtAddress: readStay(notes, own(row, 'tm')),
    isCurrent: readFlag(notes, 'address.isCurrent', own(row, 'cu'), ['N', 'Y']),
  };
}

/** `0604`: six years and four months. */
function readStay(notes: Notes, value: unknown): number | null {
  if (value === undefined || value === '') return null;
  const [, years, months] = typeof value === 'string' ? (/^(\d{2})(0\d|1[01])$/.exec(value) ?? []) : [];
  return years === undefined ? unreadable(notes, 'address.monthsAtAddress') : Number(years) * 12 + Number(months);
}

/** A report has no place for a search without a date: it is counted and left out. No other row is ever left out. */
function readSearch(notes: Notes, row: JsonObject): BureauSearch[] {
  checkCode(notes, 'search.reason', own(row, 'tp'), SEARCH_REASONS);
  const date = readSearchDay(notes, own(row, 'dt'), fromBeaconDate);
  if (date === null) return [];
  const companyName = readNeededText(notes, 'search.companyName', own(row, 'co'), COMPANY_NAME_MAX);
  return [{ companyName, companyNameLimit: COMPANY_NAME_LIMIT, date }];
}
