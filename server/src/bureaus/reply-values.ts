// Reads the single values of a reply: text, dates, money, counts, codes. An unreadable value becomes null and is
// counted; it never costs its record. Warnings name fields, never their values.
import { isCalendarDate } from '../lib/values/calendar.ts';
import type { BureauDate, BureauWarning } from './port.ts';

/** Ten thousand million pounds, in pence: beyond it a number is a fault, not a debt. */
const PENCE_MAX = 1_000_000_000_000;
const YEAR_MIN = '1900';
const YEAR_MAX = '2099';
/** The lengths at which a text is cut. The longest known names are well below. */
export const NAME_MAX = 100;
export const COMPANY_NAME_MAX = 150;
export const REF_MAX = 64;
const OTHER_NAMES_MAX = 10;

/** The unreadable fields of one file, counted: one entry per field and kind, however long the file. */
export type Notes = {
  /** The warnings so far. */
  readonly warnings: readonly BureauWarning[];
  warn(field: string, kind: BureauWarning['kind']): void;
};

export function createNotes(): Notes {
  const counted = new Map<string, BureauWarning>();
  return {
    get warnings() {
      return [...counted.values()];
    },
    warn(field, kind) {
      const key = `${field} ${kind}`;
      counted.set(key, { field, kind, count: (counted.get(key)?.count ?? 0) + 1 });
    },
  };
}

/** Absent in every way that a wire can express it. */
const isAbsent = (value: unknown): value is null | undefined | '' =>
  value === undefined || value === null || value === '';

/** Control, format and unassigned characters: none belongs in a name, and some reverse a line. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}]/gu;

/** Trimmed, composed (NFC), on one line and no longer than `max`; null when nothing is left. */
export function readText(notes: Notes, field: string, value: unknown, max: number): string | null {
  if (isAbsent(value)) return null;
  if (typeof value !== 'string') return unreadable(notes, field);
  // Cut before the work, so that a text of megabytes costs nothing; again after it, since composing changes lengths.
  const plain = value
    .slice(0, max * 4)
    .toWellFormed()
    .normalize('NFC')
    .replace(UNPRINTABLE, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  if (plain === '') return null;
  return [...plain].slice(0, max).join('').trim();
}

/** A text that the record needs: empty, and counted, when it is missing. */
export function readNeededText(notes: Notes, field: string, value: unknown, max: number): string {
  const text = readText(notes, field, value, max);
  if (text === null && isAbsent(value)) notes.warn(field, 'unreadable-value');
  return text ?? '';
}

export function readTexts(notes: Notes, field: string, values: readonly unknown[], max: number): string[] {
  const texts = values.slice(0, OTHER_NAMES_MAX).map((value) => readText(notes, field, value, max));
  return [...new Set(texts.filter((text) => text !== null))];
}

export function unreadable(notes: Notes, field: string): null {
  notes.warn(field, 'unreadable-value');
  return null;
}

/** `toIso` returns `YYYY-MM-DD` or `YYYY-MM` for a text in the wire's own form, undefined for any other. */
export function readDate(
  notes: Notes,
  field: string,
  value: unknown,
  toIso: (text: string) => string | undefined,
): BureauDate | null {
  if (isAbsent(value)) return null;
  const date = typeof value === 'string' ? toIso(value) : undefined;
  if (date === undefined || date.slice(0, 4) < YEAR_MIN || date.slice(0, 4) > YEAR_MAX) return unreadable(notes, field);
  return isCalendarDate(date.length === 7 ? `${date}-01` : date) ? date : unreadable(notes, field);
}

/** The day of a search, which a report needs to show the search. A report shows days, so a month becomes its first day. */
export function readSearchDay(
  notes: Notes,
  value: unknown,
  toIso: (text: string) => string | undefined,
): string | null {
  const date = isAbsent(value) ? unreadable(notes, 'search.date') : readDate(notes, 'search.date', value, toIso);
  return date?.length === 7 ? `${date}-01` : date;
}

const ISO_DAY = /^\d{4}-\d{2}-\d{2}$/;

export const isoDay = (text: string) => (ISO_DAY.test(text) ? text : undefined);

/** `toPence` returns the pence of a text in the wire's own form, undefined for any other. */
export function readPence(
  notes: Notes,
  field: string,
  value: unknown,
  toPence: (text: string) => bigint | undefined,
): number | null {
  if (isAbsent(value)) return null;
  const pence = typeof value === 'string' && value.length <= 40 ? toPence(value) : undefined;
  if (pence === undefined || pence > PENCE_MAX || pence < -PENCE_MAX) return unreadable(notes, field);
  return Number(pence);
}

/** For amounts that are negative only by a fault: credit, payments, a last payment. A balance may be in credit. */
export function notNegative(notes: Notes, field: string, pence: number | null): number | null {
  return pence !== null && pence < 0 ? unreadable(notes, field) : pence;
}

export function readCount(notes: Notes, field: string, value: unknown, max: number): number | null {
  if (isAbsent(value)) return null;
  const count = typeof value === 'string' && /^\d{1,4}$/.test(value) ? Number(value) : value;
  const isCount = typeof count === 'number' && Number.isSafeInteger(count) && count >= 0 && count <= max;
  return isCount ? count : unreadable(notes, field);
}

/** A code of the bureau's own table. An unknown or missing code becomes the fallback and is counted. */
export function readCode<Word extends string>(
  notes: Notes,
  field: string,
  value: unknown,
  { table, fallback }: { readonly table: ReadonlyMap<string, Word>; readonly fallback: Word },
): Word {
  const word = typeof value === 'string' ? table.get(value) : undefined;
  if (word === undefined) notes.warn(field, 'unknown-code');
  return word ?? fallback;
}

/** For a code that must be known but does not reach the report. */
export function checkCode(notes: Notes, field: string, value: unknown, known: ReadonlySet<string>): void {
  if (!isAbsent(value) && (typeof value !== 'string' || !known.has(value))) notes.warn(field, 'unknown-code');
}

export function readFlag(notes: Notes, field: string, value: unknown, [no, yes]: readonly [unknown, unknown]) {
  if (value === yes) return true;
  return value === no ? false : unreadable(notes, field);
}

/** Gives every row its own reference; a missing or repeated one is counted, and its row is kept. */
export function createRefs(notes: Notes): (value: unknown) => string {
  const taken = new Set<string>();
  const copies = new Map<string, number>();
  let row = 0;
  return (value) => {
    row += 1;
    const ref = readText(notes, 'account.ref', value, REF_MAX);
    if (ref === null && isAbsent(value)) notes.warn('account.ref', 'unreadable-value');
    const wanted = ref ?? `row-${row}`;
    let unique = wanted;
    if (taken.has(wanted)) notes.warn('account.ref', 'duplicate-ref');
    // The count continues where it stopped, so that many copies of one reference do not take quadratic time.
    for (let copy = copies.get(wanted) ?? 2; taken.has(unique); copy++) {
      unique = `${wanted}#${copy}`;
      copies.set(wanted, copy + 1);
    }
    taken.add(unique);
    return unique;
  };
}

/** The duration of this many payments, to the nearest month; `every` is the months between two, as a fraction. */
export function monthsOf(payments: number, [months, per]: readonly [number, number]): number {
  return Math.floor((2 * payments * months + per) / (2 * per));
}

/** Titles that precede a name in one text; any other word counts as the first name. */
const TITLES = new Set('MR MRS MS MISS MX DR PROF REV SIR DAME LADY LORD MASTER FR SR CAPT MAJ COL'.split(' '));

export type HolderName = {
  readonly title: string | null;
  readonly firstName: string | null;
  readonly lastName: string | null;
};

/** `MRS ANNE VAN DER BERG`: title, one first name, and the rest, since family names have more words than first names. */
export function splitName(text: string | null): HolderName {
  const words = (text ?? '').split(' ').filter(Boolean);
  const first = words[0]?.toUpperCase().replace(/\.$/, '') ?? '';
  const title = TITLES.has(first) ? (words.shift() ?? null) : null;
  // A single word is a family name: lenders leave out the first name.
  const firstName = words.length > 1 ? (words.shift() ?? null) : null;
  return { title, firstName, lastName: words.join(' ') || null };
}
