// What the caller would rather read: of two media types, and of the compressed forms of a file. The headers are read by
// negotiator (docs/decisions/0193-libraries-for-caches-and-headers.md). JSON unless the other type is named and not
// outbid: nobody gets a 406 for asking loosely.
import Negotiator from 'negotiator';

/** Whichever of the two is named with the higher quality, or first. A range such as text/* names neither. RFC 9110, 12.5.1. */
function prefers(accept: string | undefined, mediaType: string): boolean {
  const named = new Negotiator({ headers: { accept } }).mediaTypes().map((name) => name.toLowerCase());
  return named.find((name) => name === mediaType || name === 'application/json') === mediaType;
}

export const prefersCsv = (accept: string | undefined) => prefers(accept, 'text/csv');

/** A browser that opens an address names HTML; a program that calls one does not. */
export const prefersPage = (accept: string | undefined) => prefers(accept, 'text/html');

/** Those of the codings that the caller takes; a star takes every coding that is not named. RFC 9110, 12.5.3. */
export const acceptedEncodings = (acceptEncoding: string | undefined, encodings: readonly string[]): string[] =>
  new Negotiator({ headers: { 'accept-encoding': acceptEncoding } }).encodings(encodings);
