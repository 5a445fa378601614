// Where a browser may go after signing in: to a path of ours, and to nothing that a browser could read as the address of
// another host.
const MAX_LENGTH = 1_024;

/** Returning to the sign-in would loop, and the provider's addresses are not pages. */
const NOT_A_PLACE = /^\/v1\/(?:auth\/(?:login|callback|logout)|oauth)(?:[/?#]|$)/;

/** Where people set up a second factor. */
export const FACTOR_PLACE = '/v1/auth/security';

/**
 * A page where a person without a second factor has something to do first: a link of a mail, or the security page itself. The last one
 * is of a tab that only signs in again for another.
 */
export const isOnTheWay = (path: string) =>
  /^\/v1\/auth\/(?!account(?:[/?#]|$))|^\/console\/confirmed(?:[?#]|$)/.test(path);

/** Undefined when the path must be refused. */
export function checkReturnTo(text: string): string | undefined {
  if (text.length > MAX_LENGTH) return undefined;
  // Printable ASCII without the backslash, which browsers read as a slash. A path encodes all other characters.
  if (!/^\/[!-[\]-~]*$/.test(text)) return undefined;
  // A second slash begins a host name. Encoded, it does so for software that decodes once too often. Browsers drop tabs and
  // line ends, so these may precede it.
  if (/^\/+(?:\/|%(?:25)*(?:2f|5c|0[9ad]))/i.test(text)) return undefined;
  // Browsers remove `.` and `..` segments, which may move a second slash to the front.
  const path = text.split(/[?#]/, 1)[0] ?? '';
  if (/\/\//.test(path) || /(?:^|\/)(?:\.|%2e){1,2}(?:\/|$)/i.test(path)) return undefined;
  return NOT_A_PLACE.test(text) ? undefined : text;
}
