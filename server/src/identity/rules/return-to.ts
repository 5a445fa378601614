// Where a browser may be sent after signing in: a path of ours and nothing that any browser could read as another
// host's address.
const MAX_LENGTH = 1_024;
export const DEFAULT_RETURN_TO = '/v1/auth/account';

/** Signing in again would go round in circles; the provider's addresses are no places to come back to. */
const NOT_A_PLACE = /^\/v1\/(?:auth\/(?:login|callback|logout)|oauth)(?:[/?#]|$)/;

/** Undefined when it must be refused. */
export function checkReturnTo(text: string): string | undefined {
  if (text.length > MAX_LENGTH) return undefined;
  // Printable ASCII without the backslash, which browsers read as a slash; what else a path needs comes encoded.
  if (!/^\/[!-[\]-~]*$/.test(text)) return undefined;
  // A second slash begins a host's name; encoded, it does so for whoever decodes once too often. Browsers drop tabs and
  // ends of lines, so these may stand before it.
  if (/^\/+(?:\/|%(?:25)*(?:2f|5c|0[9ad]))/i.test(text)) return undefined;
  // `.` and `..` vanish when a browser reads the address, and may bring a second slash to the front.
  const path = text.split(/[?#]/, 1)[0] ?? '';
  if (/\/\//.test(path) || /(?:^|\/)(?:\.|%2e){1,2}(?:\/|$)/i.test(path)) return undefined;
  return NOT_A_PLACE.test(text) ? undefined : text;
}
