// The header `traceparent` of W3C Trace Context, version 00. Pure. A header that is not exactly of its form is ignored, as the
// specification asks: a wrong one must never fail a request.

export type SpanContext = { readonly traceId: string; readonly spanId: string };
export type RemoteContext = SpanContext & { readonly isSampled: boolean };

const FORM = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
/** A later version may add fields; none that exists is longer. */
const LENGTH_MAX = 512;
const NO_TRACE = '0'.repeat(32);
const NO_SPAN = '0'.repeat(16);
const SAMPLED = 0x01;

/** Undefined unless it is well-formed. A header that came twice is not. */
export function parseTraceparent(header: string | readonly string[] | undefined): RemoteContext | undefined {
  if (typeof header !== 'string' || header.length > LENGTH_MAX) return undefined;
  const [, version, traceId = '', spanId = '', flags = '', rest] = FORM.exec(header) ?? [];
  if (version === undefined || version === 'ff' || (version === '00' && rest !== undefined)) return undefined;
  if (traceId === NO_TRACE || spanId === NO_SPAN) return undefined;
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & SAMPLED) === SAMPLED };
}

/** Only spans that are recorded are told to others, so the flag is always set. */
export function formatTraceparent({ traceId, spanId }: SpanContext): string {
  return `00-${traceId}-${spanId}-01`;
}
