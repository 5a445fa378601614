// A carrier's receipt for a message. It is stored first, batched with concurrent ones, and acknowledged; then it is
// applied through the queue. Repeated receipts stop at the first step, and at the second their order does not matter.
// If a crash comes between the two, a job finds the rows. A receipt without a valid signature changes nothing.
import { setTimeout as sleep } from 'node:timers/promises';
import { createBatch } from '../../lib/batch/batch.ts';
import { createFairLines } from '../../lib/limits/fair-lines.ts';
import { describeError, type Log } from '../../lib/log.ts';
import type { Metrics } from '../../lib/metrics.ts';
import type { Database } from '../../lib/postgres/database.ts';
import type { CarrierReceipt, ReceiptReader } from '../../sms/port.ts';
import type { ReportQueue } from '../dependencies.ts';
import type { ReportMetrics } from '../report-metrics.ts';
import { type ProvedSend, raiseWriteOff, type SendProof } from './settle-sends.ts';
import { insertReceipts, listPendingReceipts, type SentReceipt } from './sms-store.ts';

export type ReceiptRequest = Parameters<ReceiptReader['readReceipt']>[0];

export type ReceiptAnswer = 'accepted' | 'refused' | 'unreadable' | 'unknown-carrier';

export type ReceiveReceipt = (carrier: string, request: ReceiptRequest) => Promise<ReceiptAnswer>;

type Options = {
  /** The jobs' connection pool: a burst of receipts must not take the connections of requests. */
  readonly database: Database;
  readonly queue: Pick<ReportQueue, 'prove'>;
  readonly log: Log;
  readonly metrics: Pick<ReportMetrics, 'receipts'> & Pick<Metrics, 'alarms'>;
  /** How many times as long as usual it may take to store one. */
  readonly patience?: number;
};

/** Receipts applied together: as many as one run of the queue takes. The others wait, to leave room for reports. */
const TOGETHER = 8;
/** Receipts that take longer wait for a lock: until they have it no further one of their tenant begins, and others go on. */
const HELD_UP_MS = 500;
/** Receipts beyond this many wait only in their rows. */
const WAITING_MAX = 20_000;
const BOUNDS = { items: WAITING_MAX, bytes: Number.POSITIVE_INFINITY };
/**
 * We ask the carrier to wait five seconds for an answer and then to send the receipt again
 * (docs/decisions/0123-twilio-over-undici.md).
 */
const STORE_MS = 4_500;
const AT_A_TIME = 200;

const toProof = (receipt: SentReceipt): SendProof => ({
  tenantId: receipt.tenantId,
  sendId: receipt.sendId,
  proof: receipt.status,
  actor: receipt.carrier,
  carrierRef: receipt.carrierRef,
  receipt,
});

export interface Receipts {
  /** Stores the carrier's status; resolves when it is committed, and applies it afterwards. */
  take(carrier: string, receipt: CarrierReceipt): Promise<void>;
  /** Applies stored receipts that a process left when it died or was cut off. Returns how many. */
  applyPending(): Promise<number>;
  /** Resolves when no receipt taken here waits to be applied. */
  idle(): Promise<void>;
}

export function openReceipts({ database, queue, log, metrics, patience = 1 }: Options): Receipts {
  const waiting = createFairLines<{ readonly rank: number; readonly group: string; readonly receipt: SentReceipt }>();
  const heldUp = new Set<string>();
  const applying = new Set<Promise<unknown>>();
  let isTurning = false;
  let mayRest = true;

  async function apply(receipt: SentReceipt): Promise<ProvedSend> {
    const proved = await queue.prove(toProof(receipt));
    metrics.receipts.inc({ outcome: proved.kind });
    if (proved.isWrittenOff) raiseWriteOff({ log, metrics }, receipt.tenantId);
    return proved;
  }

  function start(work: Promise<unknown>): Promise<unknown> {
    const started = work
      // Its row is stored, and the job applies it later.
      .catch((error) => log.warn('a receipt was not applied', describeError(error)))
      .finally(() => applying.delete(started));
    applying.add(started);
    return started;
  }

  /** Returns whether none had to wait for a lock. */
  async function applyTogether(receipts: readonly SentReceipt[]): Promise<boolean> {
    const underWay = new Map<SentReceipt, Promise<unknown>>();
    for (const receipt of receipts) {
      underWay.set(
        receipt,
        start(apply(receipt)).finally(() => underWay.delete(receipt)),
      );
    }
    await Promise.race([Promise.all(underWay.values()), sleep(HELD_UP_MS, undefined, { ref: false })]);
    for (const [tenantId, held] of Map.groupBy(underWay, ([receipt]) => receipt.tenantId)) {
      heldUp.add(tenantId);
      void start(Promise.all(held.map(([, work]) => work)).then(() => goOn(tenantId)));
    }
    return underWay.size === 0;
  }

  /** A few at a time, tenants in turn. */
  async function applyWaiting(): Promise<void> {
    if (isTurning) return;
    isTurning = true;
    const isFree = (tenantId: string) => !heldUp.has(tenantId);
    const takeNext = () => waiting.take(TOGETHER, isFree, () => TOGETHER).map(({ receipt }) => receipt);
    for (let next = takeNext(); next.length > 0; next = takeNext()) {
      const startedMs = performance.now();
      const isDone = await applyTogether(next);
      // As long as it worked: a burst of receipts leaves half of the time to reports. Waiting for a lock is no work.
      if (mayRest && isDone) await sleep(performance.now() - startedMs);
    }
    isTurning = false;
  }

  function goOn(tenantId: string): void {
    heldUp.delete(tenantId);
    void start(applyWaiting());
  }

  const store = createBatch<SentReceipt, boolean>({
    groupOf: ({ tenantId }) => tenantId,
    rankOf: () => 1,
    bounds: BOUNDS,
    run: (receipts) =>
      database.forTenants([...new Set(receipts.map(({ tenantId }) => tenantId))], async (tx) => {
        const added = await insertReceipts(tx, receipts);
        return receipts.map((receipt) => added.has(receipt));
      }),
  });

  return {
    async take(carrier, receipt) {
      const sent = { ...receipt, carrier };
      const isNew = await store.add(sent, { deadlineMs: performance.now() + patience * STORE_MS });
      if (!isNew) metrics.receipts.inc({ outcome: 'ignored' });
      else if (waiting.size < WAITING_MAX) waiting.add({ rank: 0, group: sent.tenantId, receipt: sent });
      void start(applyWaiting());
    },
    async applyPending() {
      const pending = await database.asSystem((tx) => listPendingReceipts(tx, AT_A_TIME));
      await Promise.all(pending.map(apply));
      return pending.length;
    },
    async idle() {
      mayRest = false;
      while (applying.size > 0) await Promise.all(applying);
    },
  };
}

export function createReceiveReceipt(
  carriers: ReadonlyMap<string, Partial<ReceiptReader>>,
  receipts: Receipts,
  metrics: Pick<ReportMetrics, 'receipts'>,
): ReceiveReceipt {
  return async (carrier, request) => {
    // A carrier that reports over its own connection has no reader here.
    const reading = carriers.get(carrier)?.readReceipt?.(request);
    if (!reading) return 'unknown-carrier';
    switch (reading.kind) {
      case 'refused':
      case 'unreadable':
        metrics.receipts.inc({ outcome: reading.kind });
        return reading.kind;
      case 'progress':
        metrics.receipts.inc({ outcome: 'progress' });
        return 'accepted';
      case 'receipt':
        await receipts.take(carrier, reading.receipt);
        return 'accepted';
    }
  };
}
