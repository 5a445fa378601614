// Which media type and which compression a client prefers. The library negotiator parses the headers
// (docs/decisions/0193-libraries-for-caches-and-headers.md). The response is JSON unless the client names the other type and
// does not prefer JSON to it. An imprecise Accept header never leads to a 406.
import Negotiator from 'negotiator';

/**
 * True if the client names the type with a higher quality than JSON, or before it. A range such as text/* names no type
 * (RFC 9110, 12.5.1).
 */
function prefers(accept: string | undefined, mediaType: string, other = 'application/json'): boolean {
  const named = new Negotiator({ headers: { accept } }).mediaTypes().map((name) => name.toLowerCase());
  return named.find((name) => name === mediaType || name === other) === mediaType;
}

export const prefersCsv = (accept: string | undefined) => prefers(accept, 'text/csv');

/** For an answer that is a PDF or a page. */
export const prefersPdf = (accept: string | undefined) => prefers(accept, 'application/pdf', 'text/html');

/** A browser that opens a page names HTML; a program that calls the API does not. */
export const prefersPage = (accept: string | undefined) => prefers(accept, 'text/html');

/** The encodings that the client accepts. A star accepts every encoding that is not named. RFC 9110, 12.5.3. */
export const acceptedEncodings = (acceptEncoding: string | undefined, encodings: readonly string[]): string[] =>
  new Negotiator({ headers: { 'accept-encoding': acceptEncoding } }).encodings(encodings);
