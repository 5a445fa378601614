// Sends spans to the collector, a batch at a time, beside the work of the process: nothing ever waits for it. What does not fit
// into the queue, and what the collector refuses, is dropped and counted. A batch that may arrive later is kept and sent again.
//
//   recorded ── queue full ──► dropped (full)
//      └── waiting ──► sent ── 2xx ──► done                   partly refused: dropped (refused)
//             ▲         │ ├── any other answer ──► dropped (refused)
//             └─ pause ─┘ └── eighth try, or the process stops ──► dropped (failed)
//          429, 502, 503, 504, no answer
import { setTimeout as wait } from 'node:timers/promises';
import { describeError, type LogFields } from '../log.ts';
import type { HttpLine, HttpReply } from '../outside/http-line.ts';
import { outsideScope } from '../request-scope.ts';
import { parseJson } from '../settings.ts';
import { type Resource, writeOtlp } from './otlp.ts';
import type { Span } from './span.ts';

export type Dropped = 'full' | 'refused' | 'failed';

/** What the last exchange says about the collector. */
export type CollectorState = 'well' | 'refuses' | 'away';

export type ExportOptions = {
  readonly line: HttpLine;
  readonly headers: Readonly<Record<string, string>>;
  readonly resource: Resource;
  readonly onDropped: (count: number, why: Dropped) => void;
  /** Called when the state changes; the first one is `well`. */
  readonly onState?: (state: CollectorState, fields: LogFields) => void;
  /** For the time each exchange may take; also the longest that a close takes. */
  readonly timeoutMs?: number;
  readonly everyMs?: number;
  readonly pauseMs?: number;
  readonly pauseMaxMs?: number;
};

export interface SpanExport {
  record(span: Span): void;
  /** Sends what is left, once and for a short time. */
  close(): Promise<void>;
}

/** About 3 MB of memory, or some hundred reports. */
export const QUEUE_MAX = 4_096;
/** Small, so that writing one takes a millisecond or two of the event loop. */
const BATCH_MAX = 256;
/** How long a span may wait for others to go along. */
export const EVERY_MS = 1_000;
export const TIMEOUT_MS = 5_000;
const CLOSE_MS = 2_000;
const PAUSE_MS = 1_000;
const PAUSE_MAX_MS = 30_000;
/** Then the batch is given up: one that the collector can never take would keep all others waiting for ever. */
export const TRIES_MAX = 8;
/** Beyond this the two clocks have parted, and the time of day holds. */
const CLOCKS_APART_MS = 100;

/** OTLP, "Retryable Response Codes": after any other answer the same batch must not be sent again. */
const AGAIN = [429, 502, 503, 504];

type Sent = { readonly state: CollectorState; readonly retryAfterMs: number };

function judge({ status }: HttpReply): CollectorState {
  if (status >= 200 && status < 300) return 'well';
  return AGAIN.includes(status) ? 'away' : 'refuses';
}

/** How many of a batch the collector says it did not take. It may say anything. */
function countRefused({ bytes }: HttpReply, max: number): number {
  const answer = parseJson(Buffer.from(bytes).toString()) as { partialSuccess?: { rejectedSpans?: unknown } } | null;
  const count = Number(answer?.partialSuccess?.rejectedSpans ?? 0);
  return Number.isSafeInteger(count) && count > 0 ? Math.min(count, max) : 0;
}

/** Steady within a process, so that spans lie inside their parents; corrected when the clock was. */
function createOrigin(): () => number {
  let originMs = performance.timeOrigin;
  return () => {
    const nowMs = Date.now() - performance.now();
    if (Math.abs(nowMs - originMs) > CLOCKS_APART_MS) originMs = nowMs;
    return originMs;
  };
}

export function openSpanExport(options: ExportOptions): SpanExport {
  const { line, headers, resource, onDropped, timeoutMs = TIMEOUT_MS, everyMs = EVERY_MS } = options;
  const { pauseMs: firstPauseMs = PAUSE_MS, pauseMaxMs = PAUSE_MAX_MS, onState } = options;
  const origin = createOrigin();
  const queue: Span[] = [];
  let timer: NodeJS.Timeout | undefined;
  let sending: Promise<void> | undefined;
  let pauseMs = firstPauseMs;
  let state: CollectorState = 'well';
  const stopping = new AbortController();

  function noteState(next: CollectorState, fields: LogFields): void {
    // An exchange that our own stop cut off says nothing about the collector.
    if (next === state || stopping.signal.aborted) return;
    state = next;
    onState?.(next, fields);
  }

  async function send(spans: readonly Span[], signal: AbortSignal): Promise<Sent> {
    const body = writeOtlp(spans, resource, origin());
    const call = { method: 'POST', path: '/v1/traces', body, isBodyOptional: true } as const;
    try {
      const reply = await line.call({ ...call, headers: { 'content-type': 'application/json', ...headers } }, signal);
      const judged = judge(reply);
      const refused = judged === 'refuses' ? spans.length : judged === 'well' ? countRefused(reply, spans.length) : 0;
      if (refused > 0) onDropped(refused, 'refused');
      noteState(judged, { status: reply.status });
      return { state: judged, retryAfterMs: (reply.retryAfterSeconds ?? 0) * 1_000 };
    } catch (error) {
      noteState('away', describeError(error));
      return { state: 'away', retryAfterMs: 0 };
    }
  }

  /** Whether the batch is over: taken, refused or given up. Otherwise the process stops, and tries it once more. */
  async function sendPatiently(batch: readonly Span[], signal: AbortSignal): Promise<boolean> {
    for (let tries = 0; tries < TRIES_MAX; tries += 1) {
      const sent = await send(batch, AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]));
      if (sent.state !== 'away') {
        pauseMs = firstPauseMs;
        return true;
      }
      const afterMs = Math.max(pauseMs, Math.min(sent.retryAfterMs, pauseMaxMs));
      await wait(afterMs, undefined, { ref: false, signal }).catch(() => undefined);
      if (signal.aborted) return false;
      pauseMs = Math.min(pauseMs * 2, pauseMaxMs);
    }
    onDropped(batch.length, 'failed');
    return true;
  }

  async function sendAll(): Promise<void> {
    const { signal } = stopping;
    while (queue.length > 0 && !signal.aborted) {
      const batch = queue.slice(0, BATCH_MAX);
      if (await sendPatiently(batch, signal)) queue.splice(0, batch.length);
    }
  }

  function sendSoon(): void {
    timer = undefined;
    const sent = sendAll().catch(() => {
      // A span that cannot be written must not end the process, nor be tried for ever.
      onDropped(queue.splice(0, BATCH_MAX).length, 'failed');
    });
    sending = sent.finally(() => {
      sending = undefined;
    });
  }

  return {
    record(span) {
      if (stopping.signal.aborted) return onDropped(1, 'failed');
      if (queue.length >= QUEUE_MAX) return onDropped(1, 'full');
      queue.push(span);
      if (!timer && !sending) timer = outsideScope(() => setTimeout(sendSoon, everyMs).unref());
    },
    async close() {
      clearTimeout(timer);
      stopping.abort();
      await sending;
      const signal = AbortSignal.timeout(Math.min(timeoutMs, CLOSE_MS));
      while (queue.length > 0 && !signal.aborted) {
        const batch = queue.splice(0, BATCH_MAX);
        if ((await send(batch, signal)).state === 'away') {
          onDropped(batch.length + queue.length, 'failed');
          queue.length = 0;
        }
      }
      if (queue.length > 0) onDropped(queue.length, 'failed');
      await line.close();
    },
  };
}
