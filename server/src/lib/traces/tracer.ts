// Decides which trace a request belongs to and whether it is recorded. The trace of a report follows from its id alone, so every
// node and every later job finds it, and decides the same, with nothing stored
// (docs/decisions/0248-the-trace-of-a-report.md).
import { hash } from 'node:crypto';
import { takeRandom } from '../crypto/random-pool.ts';
import { newSpanId, type Peer, type Span, type Trace } from './span.ts';
import { parseTraceparent, type SpanContext } from './traceparent.ts';

export interface Tracer {
  /** The span of a request that has just arrived; undefined where traces are off. */
  startRequest(traceparent: string | readonly string[] | undefined): Span | undefined;
  /** The place in a report's trace for work that no request waits for; undefined unless that trace is recorded. */
  placeOf(creditReportId: string | null): Span | undefined;
}

export const NO_TRACES: Tracer = { startRequest: () => undefined, placeOf: () => undefined };

export type TracerOptions = {
  readonly ratio: number;
  /** Whether a caller's trace is continued, or only linked to. */
  readonly callers: 'link' | 'continue';
  readonly tells: readonly Peer[];
  readonly record: (span: Span) => void;
};

/** One-way: a trace does not tell which report it is about, and who knows the report's id finds its trace. */
export function contextOf(creditReportId: string): SpanContext {
  const digest = hash('sha256', `trefoil-trace:${creditReportId}`, 'hex');
  return { traceId: digest.slice(0, 32), spanId: digest.slice(32, 48) };
}

/** By the last 52 bits of the trace id: the same on every node. */
export function isSampled(traceId: string, ratio: number): boolean {
  return Number.parseInt(traceId.slice(-13), 16) < ratio * 2 ** 52;
}

const newTraceId = () => takeRandom(16).toString('hex');

export function createTracer({ ratio, callers, tells, record }: TracerOptions): Tracer {
  function settle(trace: Trace, traceId: string, sampled: boolean): void {
    trace.traceId = traceId;
    trace.isSampled = sampled;
    if (sampled) for (const span of trace.undecided) record(span);
    trace.undecided.length = 0;
  }

  const newTrace = (): Trace => ({
    traceId: undefined,
    isSampled: undefined,
    undecided: [],
    tells,
    follow(request, creditReportId, isNew) {
      const { traceId, spanId } = contextOf(creditReportId);
      // It is the caller's trace already: the report's own has what happens later.
      if (this.traceId !== undefined) {
        request.links.push({ traceId, spanId });
        return;
      }
      // The request that creates a report is the root of its trace; all that follows is below it.
      if (isNew) request.spanId = spanId;
      else request.parent = { spanId };
      settle(this, traceId, isSampled(traceId, ratio));
    },
    decide() {
      if (this.traceId !== undefined) return;
      const traceId = newTraceId();
      settle(this, traceId, isSampled(traceId, ratio));
    },
    record(span) {
      if (this.isSampled) record(span);
      else if (this.isSampled === undefined) this.undecided.push(span);
    },
  });

  const newSpan = (kind: Span['kind'], trace = newTrace()): Span => ({
    ...{ trace, kind, name: 'checks', startMs: performance.now(), endMs: 0, spanId: newSpanId() },
    ...{ parent: undefined, peer: undefined, attributes: {}, links: [], isFailed: false },
  });

  return {
    startRequest(traceparent) {
      const span = newSpan('server');
      const caller = parseTraceparent(traceparent);
      if (!caller) return span;
      if (callers === 'continue') {
        span.parent = { spanId: caller.spanId };
        settle(span.trace, caller.traceId, caller.isSampled);
      } else span.links.push({ traceId: caller.traceId, spanId: caller.spanId });
      return span;
    },
    placeOf(creditReportId) {
      if (creditReportId === null) return undefined;
      const { traceId, spanId } = contextOf(creditReportId);
      if (!isSampled(traceId, ratio)) return undefined;
      const trace = newTrace();
      settle(trace, traceId, true);
      return Object.assign(newSpan('internal', trace), { spanId });
    },
  };
}
