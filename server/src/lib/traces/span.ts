// Spans, written by hand where work begins and ends. Where traces are off, or a request is not sampled, nothing is recorded
// and `inSpan` only calls the work. A span's trace may still be undecided while it is open: a report's trace has the name of
// its report, which a new request does not have yet (docs/decisions/0248-the-trace-of-a-report.md).
import { takeRandom } from '../crypto/random-pool.ts';
import type { LogFields } from '../log.ts';
import { currentScope, currentSpan, withSpan } from '../request-scope.ts';
import type { SpanAttributes } from './span-attributes.ts';
import { formatTraceparent, type SpanContext } from './traceparent.ts';

export const SPAN_NAMES = [
  ...(['checks', 'queue wait', 'transaction', 'screening', 'bureau', 'merge', 'seal'] as const),
  ...(['message', 'carrier', 'webhook', 'settle delivery'] as const),
];
export type SpanName = (typeof SPAN_NAMES)[number];

/** Other companies that may be told the trace. */
export const PEERS = ['bureaus', 'screening', 'sms', 'webhooks'] as const;
export type Peer = (typeof PEERS)[number];

export type Trace = {
  /** Undefined until it is decided. */
  traceId: string | undefined;
  isSampled: boolean | undefined;
  /** Spans that ended before it was decided. */
  readonly undecided: Span[];
  readonly tells: readonly Peer[];
  follow(request: Span, creditReportId: string, isNew: boolean): void;
  /** A trace of its own, for a request that is about no report. */
  decide(): void;
  record(span: Span): void;
};

export type Span = {
  readonly trace: Trace;
  /** A request's is its method and route; it is known when the request has ended. */
  name: SpanName | `${string} /${string}`;
  readonly kind: 'internal' | 'server' | 'client';
  readonly startMs: number;
  endMs: number;
  spanId: string;
  /** Its id is read when the span is exported: until then it may change. */
  parent: { readonly spanId: string } | undefined;
  readonly peer: Peer | undefined;
  readonly attributes: SpanAttributes;
  readonly links: SpanContext[];
  isFailed: boolean;
};

export type SpanOptions = {
  readonly attributes?: SpanAttributes;
  /** A call to another company: it is told the trace if the operator allows it. */
  readonly peer?: Peer;
  readonly startMs?: number;
};

export const newSpanId = () => takeRandom(8).toString('hex');

function startSpan(parent: Span, name: SpanName, { attributes = {}, peer, startMs }: SpanOptions): Span {
  return {
    trace: parent.trace,
    name,
    kind: peer ? 'client' : 'internal',
    startMs: startMs ?? performance.now(),
    endMs: 0,
    spanId: newSpanId(),
    parent,
    peer,
    attributes: { ...attributes },
    links: [],
    isFailed: false,
  };
}

function endSpan(span: Span): void {
  span.endMs = performance.now();
  span.trace.record(span);
}

/** The current span, if what happens in it can be of use. */
export function tracedSpan(): Span | undefined {
  const span = currentSpan();
  return span?.trace.isSampled === false ? undefined : span;
}

type EndedSpan = SpanOptions & { readonly endMs?: number; readonly isFailed?: boolean };

/** Records a span that is over already. */
export function recordSpan(parent: Span | undefined, name: SpanName, ended: EndedSpan = {}): void {
  if (!parent) return;
  const { endMs, isFailed = false, ...options } = ended;
  const span = startSpan(parent, name, options);
  span.endMs = endMs ?? performance.now();
  span.isFailed = isFailed;
  span.trace.record(span);
}

async function record<T>(span: Span, work: (span: Span) => Promise<T>): Promise<T> {
  try {
    return await withSpan(span, () => work(span));
  } catch (error) {
    span.isFailed = true;
    throw error;
  } finally {
    endSpan(span);
  }
}

type Work<T> = (span: Span | undefined) => Promise<T>;

/** Runs the work in a span inside this one; without one in no span, whatever span is current: it is of another trace. */
export function inSpanOf<T>(parent: Span | undefined, name: SpanName, options: SpanOptions, work: Work<T>): Promise<T> {
  if (parent) return record(startSpan(parent, name, options), work);
  return currentSpan() ? withSpan(undefined, () => work(undefined)) : work(undefined);
}

/** The same inside the current span. Without one it runs the work, and no promise is added. */
export function inSpan<T>(name: SpanName, options: SpanOptions, work: Work<T>): Promise<T> {
  const parent = tracedSpan();
  return parent ? inSpanOf(parent, name, options, work) : work(undefined);
}

/** The same for work that needs no waiting. */
export function inShortSpan<T>(name: SpanName, work: () => T): T {
  const parent = tracedSpan();
  if (!parent) return work();
  const startMs = performance.now();
  try {
    return work();
  } finally {
    recordSpan(parent, name, { startMs });
  }
}

/** Joins the trace of a report. `isNew` for the request that creates it. */
export function followReport(creditReportId: string, isNew = false): void {
  const request = currentScope()?.span;
  request?.trace.follow(request, creditReportId, isNew);
}

/** The request has passed its checks, which began with it. */
export function noteChecks(request: Span | undefined): void {
  recordSpan(request, 'checks', request && { startMs: request.startMs });
}

/** The header for another company; none unless this call is recorded and the operator lets its company know. */
export function traceHeaders(): Record<string, string> {
  const span = tracedSpan();
  if (!span?.peer || !span.trace.traceId || !span.trace.tells.includes(span.peer)) return {};
  return { traceparent: formatTraceparent({ traceId: span.trace.traceId, spanId: span.spanId }) };
}

/** For log lines: only of what is recorded, so that a line with a trace has one. */
export function traceFields(span: Span | undefined): LogFields {
  if (!span?.trace.isSampled) return {};
  return { trace_id: span.trace.traceId, span_id: span.spanId };
}
