// Reads and merges large bureau replies in worker threads: on the event loop every other request would wait for them.
// Small replies stay, since copying them there and back takes longer than the work itself
// (docs/decisions/0155-large-files-in-threads.md).
import { availableParallelism } from 'node:os';
import { Piscina } from 'piscina';
import { unavailable } from './bureaus/bureau-fault.ts';
import { type ReadReply, readHere } from './bureaus/read-reply.ts';
import type { MergeFiles, MergeOrder } from './credit-reports/live/fetch-report.ts';
import { writeReport } from './credit-reports/live/write-report.ts';
import type { ToldFault, WireOrder } from './large-files.worker.ts';
import { OutsideFault } from './lib/outside/outside-fault.ts';
import type { LenderRegistry } from './merge/matching/lender-registry.ts';

/** About five milliseconds of reading. */
const BYTES_HERE_MAX = 32 * 1024;
/** Accounts, addresses and searches in all files together. */
const ROWS_HERE_MAX = 300;
const THREADS_MAX = 4;
const IDLE_MS = 30_000;
/** A reply of five megabytes needs about a hundred. If one needs more, its thread ends and the node does not. */
const THREAD_MEGABYTES_MAX = 512;

export type LargeFiles = { readonly read: ReadReply; readonly merge: MergeFiles; close(): Promise<void> };

function countRows({ files }: MergeOrder): number {
  return files.reduce((sum, { file }) => sum + file.accounts.length + file.addresses.length + file.searches.length, 0);
}

export function openLargeFiles(registry: LenderRegistry): LargeFiles {
  const threads = new Piscina({
    filename: new URL('./large-files.worker.ts', import.meta.url).href,
    minThreads: 0,
    maxThreads: Math.max(1, Math.min(THREADS_MAX, availableParallelism() - 1)),
    idleTimeout: IDLE_MS,
    workerData: registry,
    resourceLimits: { maxOldGenerationSizeMb: THREAD_MEGABYTES_MAX },
  });

  /** A thread that fails has met an unreadable reply, like a reader that fails. */
  async function readThere(order: WireOrder, signal: AbortSignal) {
    const result = await threads.run(order, { name: 'read', signal }).catch((error: unknown) => {
      if (signal.aborted) throw error;
      return unavailable(new OutsideFault('unintelligible', 'the reader failed'));
    });
    if (result.kind !== 'unavailable' || result.cause instanceof OutsideFault) return result;
    const { reason, detail, blame } = result.cause as ToldFault;
    return unavailable(new OutsideFault(reason, detail, blame));
  }

  return {
    read(wire, order, signal) {
      const { bytes } = order.reply;
      if (bytes.byteLength <= BYTES_HERE_MAX) return readHere(wire, order, signal);
      // Taken here: the reply may wait for a thread.
      return readThere({ wire, ...order, answeredAt: new Date().toISOString() }, signal);
    },
    async merge(order) {
      return countRows(order) <= ROWS_HERE_MAX ? writeReport(order, registry) : threads.run(order, { name: 'merge' });
    },
    close: () => threads.destroy(),
  };
}
