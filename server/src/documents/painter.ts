// Paints documents in one worker thread of this node: on the event loop every other request would wait for them
// (docs/decisions/0223-documents-in-a-thread.md). One document at a time; a few more wait; the rest are refused at once.
import { Piscina } from 'piscina';
import { busy, ServiceError, tooLate } from '../lib/errors.ts';
import { describeError, type Log } from '../lib/log.ts';
import { remainingMs } from '../lib/request-scope.ts';
import type { DocumentMetrics } from './document-metrics.ts';
import type { PaintOrder, PaintOutcome } from './painter.worker.ts';

/** The bytes of the document. Throws service-unavailable if its thread died or reached a limit. */
export type Paint = (order: PaintOrder) => Promise<Uint8Array>;

export type Painter = {
  /**
   * Keeps a place in the queue while `work` runs, so that a full queue refuses a document before anything is read for it. Throws
   * service-unavailable, before `work` begins, if there is no place for this tenant.
   */
  /** A document that takes long counts as several `places`. */
  withPlace<T>(tenantId: string, work: (paint: Paint) => Promise<T>, places?: number): Promise<T>;
  /** Starts the thread and paints invented reports, so that no reader waits while fonts are read and code is compiled. */
  warmUp(): Promise<void>;
  close(): Promise<void>;
};

export type PainterOptions = {
  readonly log: Log;
  readonly metrics: DocumentMetrics;
  /** For one document; then its thread ends, and the next document gets a new one. */
  readonly limitMs?: number;
  readonly megabytesMax?: number;
};

/** One is painted and fifty wait. */
const PLACES_MAX = 51;
/** So that one tenant cannot take the places of all others. */
const TENANT_PLACES_MAX = 10;
/** The largest statement takes about two seconds. */
const LIMIT_MS = 10_000;
const WARM_UP_MS = 60_000;
const MEGABYTES_MAX = 512;
/** With a small one, collecting garbage takes as long as painting. */
const YOUNG_MEGABYTES = 64;
const RETRY_SECONDS = 2;
/** The thread remembers shapes of words, names among them, for no longer. */
const FORGET_MS = 600_000;

const notPainted = (cause: unknown) =>
  new ServiceError('service-unavailable', 'The document could not be made now. Try again after Retry-After.', {
    retryAfterSeconds: RETRY_SECONDS,
    cause,
  });

export function createPainter({
  log,
  metrics,
  limitMs = LIMIT_MS,
  megabytesMax = MEGABYTES_MAX,
}: PainterOptions): Painter {
  const threads = new Piscina({
    filename: new URL('./painter.worker.ts', import.meta.url).href,
    ...{ minThreads: 0, maxThreads: 1, idleTimeout: Number.POSITIVE_INFINITY },
    resourceLimits: { maxOldGenerationSizeMb: megabytesMax, maxYoungGenerationSizeMb: YOUNG_MEGABYTES },
  });
  let warm: Promise<void> | undefined;
  let taken = 0;
  const takenBy = new Map<string, number>();
  /** When the document before is done; it never rejects. */
  let turn: Promise<unknown> = Promise.resolve();

  // From here, since the thread's own timers stand still while it waits for work.
  const forgetting = setInterval(() => {
    if (!warm) return;
    const forgotten = turn.then(() => threads.run(undefined, { name: 'forgetWords' }));
    turn = forgotten.catch(() => {
      // The thread died: the next one is cold.
      warm = undefined;
    });
  }, FORGET_MS).unref();

  function warmUp(): Promise<void> {
    // A thread that has just started does not use up the time of the document that started it.
    warm ??= threads.run(undefined, { name: 'warmUp', signal: AbortSignal.timeout(WARM_UP_MS) });
    return warm;
  }

  async function runInThread(order: PaintOrder): Promise<PaintOutcome> {
    try {
      await warmUp();
      const startedAtMs = performance.now();
      const outcome = await threads.run(order, { name: 'paintInThread', signal: AbortSignal.timeout(limitMs) });
      metrics.documentSeconds.observe({ format: order.format }, (performance.now() - startedAtMs) / 1_000);
      return outcome;
    } catch (error) {
      // The thread died, or ended at the limit. The next document starts a new one.
      warm = undefined;
      metrics.documentsNotPainted.inc({ format: order.format });
      log.error('document not painted', describeError(error));
      throw notPainted(error);
    }
  }

  async function paintNow(order: PaintOrder): Promise<Uint8Array> {
    if (remainingMs() <= 0) throw tooLate();
    const outcome = await runInThread(order);
    if ('bytes' in outcome) return outcome.bytes;
    // The same document would fail again: this is our fault (500), and no reason to try again.
    log.error('a document cannot be painted', describeError(outcome.fault));
    throw new Error('a document cannot be painted', { cause: outcome.fault });
  }

  function paint(order: PaintOrder): Promise<Uint8Array> {
    const mine = turn.then(() => paintNow(order));
    turn = mine.catch(() => undefined);
    return mine;
  }

  function count(tenantId: string, change: number): void {
    taken += change;
    const own = (takenBy.get(tenantId) ?? 0) + change;
    if (own === 0) takenBy.delete(tenantId);
    else takenBy.set(tenantId, own);
  }

  return {
    warmUp,
    async withPlace(tenantId, work, places = 1) {
      const own = takenBy.get(tenantId) ?? 0;
      if (taken + places > PLACES_MAX || own + places > TENANT_PLACES_MAX) throw busy();
      count(tenantId, places);
      try {
        return await work(paint);
      } finally {
        count(tenantId, -places);
      }
    },
    close() {
      clearInterval(forgetting);
      return threads.destroy();
    },
  };
}
