// Phone numbers: removes the punctuation that people write (docs/decisions/0164-input-as-people-send-it.md), checks the
// E.164 form (docs/decisions/0013-field-rules.md), and tells whether a number is a mobile and of which country. The
// sending policy decides whether we send to it.
import { parsePhoneNumberFromString } from 'libphonenumber-js/max';

// Also keeps long texts away from the library.
const SHAPE = /^\+[1-9][0-9]{1,14}$/;
// Reserved by Ofcom for fiction and never allocated, so the library calls it invalid; all our fixtures use it.
const RESERVED_UK_MOBILE = /^\+447700900[0-9]{3}$/;

/** No number is longer with all its punctuation; a longer text stays unchanged, and is refused. */
const WRITTEN_LENGTH_MAX = 50;
/** The national zero that people write in brackets after the country code, and that is not dialled with it. */
const NATIONAL_ZERO = /^(\+[0-9]{1,3}[\s.\p{Pd}]*)\(0\)/u;
const PUNCTUATION = /[\s.()\p{Pd}]/gu;

/** Only for a text that begins with a plus: the country of any other text is unknown. */
export function normalisePhone(text: string): string {
  if (!text.startsWith('+') || text.length > WRITTEN_LENGTH_MAX) return text;
  return text.replace(NATIONAL_ZERO, '$1').replace(PUNCTUATION, '');
}

export function isE164(text: string): boolean {
  if (!SHAPE.test(text)) return false;
  if (RESERVED_UK_MOBILE.test(text)) return true;
  const parsed = parsePhoneNumberFromString(text);
  // The library tolerates a national zero after the country code; a number with one is not E.164.
  return parsed?.isValid() === true && parsed.number === text;
}

/** The country of a number that is, or may be, a mobile; undefined for every other number. */
export function mobileCountry(e164: string): string | undefined {
  if (RESERVED_UK_MOBILE.test(e164)) return 'GB';
  const parsed = parsePhoneNumberFromString(e164);
  const type = parsed?.getType();
  return type === 'MOBILE' || type === 'FIXED_LINE_OR_MOBILE' ? parsed?.country : undefined;
}
