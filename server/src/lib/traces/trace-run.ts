// Two spans for each call of a queue whose calls share transactions: its wait, and the transaction that it had a part in. Calls
// that are not traced cost nothing here.
import { recordSpan, type Span } from './span.ts';
import type { SpanAttributes } from './span-attributes.ts';

/** What a call of the queue carries. The time is that of its arrival or, when a run did nothing for it, of that run's end. */
export type Waiting = { readonly span?: Span; sinceMs?: number };

export function waitIn(span: Span | undefined): Waiting {
  return span ? { span, sinceMs: performance.now() } : {};
}

type Call = Waiting & { readonly kind: NonNullable<SpanAttributes['trefoil.work']> };

function noteRun(calls: readonly Call[], items: number, startMs: number, isFailed: boolean): void {
  for (const call of calls) {
    const attributes = { 'trefoil.work': call.kind };
    recordSpan(call.span, 'queue wait', { attributes, startMs: call.sinceMs ?? startMs, endMs: startMs });
    recordSpan(call.span, 'transaction', {
      attributes: { ...attributes, 'trefoil.items': items },
      ...{ startMs, isFailed },
    });
    call.sinceMs = performance.now();
  }
}

export function traceRun<T>(calls: readonly Call[], run: () => Promise<T>): Promise<T> {
  const traced = calls.filter(({ span }) => span);
  if (traced.length === 0) return run();
  const startMs = performance.now();
  const note = (isFailed: boolean) => noteRun(traced, calls.length, startMs, isFailed);
  return run().then(
    (results) => {
      note(false);
      return results;
    },
    (error: unknown) => {
      note(true);
      throw error;
    },
  );
}
