// Every account number from a bureau passes through here. Only its last digits leave, whatever the bureau sent: the rest
// must not reach a log, a row or a response (docs/operate/privacy.md).
import { type Notes, unreadable } from './reply-values.ts';

export const TAIL_MAX = 4;
/** Four digits would be most of a number shorter than this. */
const SHORT_LENGTH = 8;
const SHORT_TAIL_MAX = 2;
/** Enough for every real number, and so little that a text of megabytes costs nothing. */
const RAW_LENGTH_MAX = 200;

/** Every character a bureau may mask digits with. */
const MASK = /[Xx*#•●·.…_?]/;
const SEPARATORS = /[\s\-/]/g;

/** The tail of a number that the bureau has masked, or should have masked: `XXXXXX4821`, `*****821`, or a whole number. */
export function tailOfNumber(notes: Notes, field: string, value: unknown): string | null {
  const raw = rawText(notes, field, value);
  if (raw === null) return null;
  const visible = raw.slice(lastMask(raw) + 1).replace(/[^0-9]/g, '');
  if (/[0-9]{5}/.test(raw)) notes.warn(field, 'unmasked-number');
  return last(visible, raw.length < SHORT_LENGTH ? SHORT_TAIL_MAX : TAIL_MAX);
}

/** For a wire that sends only the last digits. More than four digits are treated as a whole number. */
export function tailOfLastDigits(notes: Notes, field: string, value: unknown): string | null {
  const raw = rawText(notes, field, value);
  if (raw === null) return null;
  return /^[0-9]{1,4}$/.test(raw) ? raw : tailOfNumber(notes, field, raw);
}

function rawText(notes: Notes, field: string, value: unknown): string | null {
  if (value === undefined || value === null || value === '') return null;
  if (typeof value !== 'string') return unreadable(notes, field);
  // Keeps the end, where the tail is.
  return value.slice(-RAW_LENGTH_MAX).replace(SEPARATORS, '') || null;
}

function lastMask(text: string): number {
  for (let index = text.length - 1; index >= 0; index--) if (MASK.test(text[index] ?? '')) return index;
  return -1;
}

function last(digits: string, max: number): string | null {
  return digits === '' ? null : digits.slice(-max);
}
