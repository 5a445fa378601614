// Reads Albion's reply: an outcome of the port, or a pick list. Pure, and never throws.
import { type Asked, checkDateOfBirth, checkEnquiryId } from '../asked.ts';
import { BureauFault, reading, unavailable, unintelligible } from '../bureau-fault.ts';
import { type BureauReply, isContentType } from '../call-bureau.ts';
import { checkFileLimits } from '../file-limits.ts';
import type { BureauFile, BureauSearch, ReadOutcome } from '../port.ts';
import {
  COMPANY_NAME_MAX,
  checkCode,
  createNotes,
  isoDay,
  type Notes,
  readNeededText,
  readSearchDay,
} from '../reply-values.ts';
import { accountRows, COMPANY_NAME_LIMIT, readAccounts } from './accounts.ts';
import { readAddressLine } from './address-line.ts';
import { FAULTS, SEARCH_REASONS } from './codes.ts';
import type { Pick } from './pick.ts';
import { childrenNamed, onlyChild, parseXml, type XmlElement } from './xml.ts';

const SOAP = 'http://schemas.xmlsoap.org/soap/envelope/';
const REPORT = 'urn:albion:report:3';
const PICKS_MAX = 100;
const ENQUIRY_ELEMENTS: readonly string[] = ['outcome', 'subject', 'prem', 'accts', 'foot'];
const FOOT_ELEMENTS: readonly string[] = ['srch'];

export type PickList = { readonly kind: 'pick-list'; readonly picks: readonly Pick[] };

export function readReply(reply: Omit<BureauReply, 'retryAfterSeconds'>, asked: Asked): ReadOutcome | PickList {
  return reading(() => {
    const { status, contentType, bytes } = reply;
    const isXml = isContentType(contentType, 'text/xml');
    if (status === 429) throw new BureauFault('throttled', 'HTTP 429');
    if (status >= 400 && !(isXml && status === 500)) throw new BureauFault('refused', `HTTP ${status}`);
    if (!isXml || (status !== 200 && status !== 500)) unintelligible('not a reply of this bureau');
    const body = bodyOf(parseXml(bytes));
    return status === 500 ? unavailable(readFault(body)) : readEnquiry(body, asked);
  });
}

function bodyOf(root: XmlElement): XmlElement {
  if (root.name !== `${SOAP}|Envelope`) unintelligible('no envelope');
  return onlyChild(root, `${SOAP}|Body`) ?? unintelligible('no body');
}

function readFault(body: XmlElement): BureauFault {
  const fault = onlyChild(body, `${SOAP}|Fault`);
  const code = (fault && onlyChild(fault, 'flt'))?.attributes.get('code') ?? unintelligible('no fault code');
  const meaning = FAULTS.get(code);
  const detail = meaning ? `fault ${code}` : 'a fault nobody knows';
  if (meaning === 'throttled') return new BureauFault('throttled', detail);
  return new BureauFault('refused', detail, meaning === 'request-refused' ? 'request' : 'provider');
}

function readEnquiry(body: XmlElement, asked: Asked): ReadOutcome | PickList {
  const enquiry = onlyChild(body, `${REPORT}|Enquiry`) ?? unintelligible('no enquiry');
  checkEnquiryId(asked, enquiry.attributes.get('enqId'));
  const outcome = onlyChild(enquiry, 'outcome') ?? unintelligible('no outcome');
  switch (outcome.attributes.get('code') ?? '') {
    case 'OK':
      return readFile(body, enquiry, asked);
    case 'NT':
      // A no-trace is charged and shown as an answer: a reply with a file is not a no-trace.
      if (onlyChild(enquiry, 'accts') || hasAccountBesides(body)) unintelligible('a no-trace with a file');
      return { kind: 'no-trace' };
    case 'PL':
      return readPicks(enquiry);
    default:
      return unintelligible('an outcome nobody knows');
  }
}

function readFile(body: XmlElement, enquiry: XmlElement, asked: Asked): ReadOutcome {
  const notes = createNotes();
  const subject = onlyChild(enquiry, 'subject') ?? unintelligible('no subject');
  checkDateOfBirth(asked, subject.attributes.get('dob'));
  // Without this section we could not tell an empty file from a lost one.
  const section = onlyChild(enquiry, 'accts') ?? unintelligible('no accounts section');
  const rows = accountRows(section);
  // We would lose an account outside its section.
  if (hasAccountBesides(body, section)) unintelligible('an account outside its section');
  const foot = onlyChild(enquiry, 'foot');
  const [premises, found] = [childrenNamed(enquiry, 'prem'), foot ? childrenNamed(foot, 'srch') : []];
  checkFileLimits({ accounts: rows.length, addresses: premises.length, searches: found.length });
  warnOfUnknown(notes, 'enquiry.element', enquiry, ENQUIRY_ELEMENTS);
  if (foot) warnOfUnknown(notes, 'search.element', foot, FOOT_ELEMENTS);
  else notes.warn('searches', 'missing-section');
  const accounts = readAccounts(notes, rows, subject);
  const addresses = premises.map(({ attributes }) => ({
    ...readAddressLine(notes, attributes.get('line')),
    monthsAtAddress: readDuration(notes, attributes.get('since')),
    isCurrent: readCurrent(notes, attributes.get('cur')),
  }));
  const searches = found.flatMap((search) => readSearch(notes, search));
  const file: BureauFile = { accounts, addresses, searches };
  return { kind: 'ok', file, warnings: notes.warnings };
}

/** Recognised by its name or by its reference, which no other element has: renamed, it is still an account. */
const isAccountLike = ({ name, attributes }: XmlElement) => name === 'acct' || attributes.has('ref');

/** Whether there is an account anywhere but directly in its section. Parsing has bounded the depth. */
function hasAccountBesides(element: XmlElement, section?: XmlElement): boolean {
  return element.children.some(
    (child) => (element !== section && isAccountLike(child)) || hasAccountBesides(child, section),
  );
}

/** An unknown element may be a known one under a new name, so it is counted. */
function warnOfUnknown(notes: Notes, field: string, { children }: XmlElement, known: readonly string[]): void {
  for (const { name } of children) if (!known.includes(name)) notes.warn(field, 'unknown-code');
}

function readPicks(enquiry: XmlElement): PickList {
  const list = onlyChild(enquiry, 'picks') ?? unintelligible('no picks');
  const picks = childrenNamed(list, 'pick').map(({ attributes }) => {
    const [premKey, line] = [attributes.get('premKey') ?? '', attributes.get('line') ?? ''];
    // The key goes back to the bureau, so it must have the bureau's own form.
    return /^\d{8}$/.test(premKey) ? { premKey, line } : unintelligible('a pick without a key');
  });
  if (picks.length === 0 || picks.length > PICKS_MAX) unintelligible('no list of picks');
  return { kind: 'pick-list', picks };
}

function readDuration(notes: Notes, value: string | undefined): number | null {
  if (value === undefined) return null;
  const parts = /^P(?:(\d{1,2})Y)?(?:(\d{1,2})M)?$/.exec(value);
  if (parts && (parts[1] ?? parts[2]) !== undefined) return Number(parts[1] ?? 0) * 12 + Number(parts[2] ?? 0);
  notes.warn('address.monthsAtAddress', 'unreadable-value');
  return null;
}

function readCurrent(notes: Notes, value: string | undefined): boolean | null {
  if (value === '0' || value === '1') return value === '1';
  notes.warn('address.isCurrent', 'unreadable-value');
  return null;
}

/** A report has no place for a search without a date: it is counted and left out. No other row is ever left out. */
function readSearch(notes: Notes, { attributes }: XmlElement): BureauSearch[] {
  checkCode(notes, 'search.reason', attributes.get('why'), SEARCH_REASONS);
  const date = readSearchDay(notes, attributes.get('dt'), isoDay);
  if (date === null) return [];
  const companyName = readNeededText(notes, 'search.companyName', attributes.get('org'), COMPANY_NAME_MAX);
  return [{ companyName, companyNameLimit: COMPANY_NAME_LIMIT, date }];
}
