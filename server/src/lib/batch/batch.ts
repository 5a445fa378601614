// Group commit: concurrent calls on this node share one run of `run`, and so one transaction, one round of locks and one
// flush to disk. New calls gather while a run is under way; no call waits for a timer.
//
// batch-call.ts shows the states of a call. A new call waits in a line (fair-lines.ts: lower ranks first, groups take turns).
// If the outcome of a run is unknown (the database is unreachable, a connection broke), its calls return to the front of
// their lines and the queue pauses (batch-rest.ts). From the second attempt on, `run` must look for what the earlier attempt
// committed. Calls of rank 0 finish work that has begun, so nothing limits their number. All other calls are limited by
// count and by bytes.

import { busy } from '../errors.ts';
import type { HELD, RunOrder } from './batch-call.ts';
import { createQueue } from './batch-queue.ts';
import { enter } from './batch-schedule.ts';

export { HELD, type RunOrder } from './batch-call.ts';

export type BatchOptions<Item, Result> = {
  /** One result for each item, in the order of the items. */
  run(items: readonly Item[], order: RunOrder): Promise<readonly (Result | typeof HELD)[]>;
  /** Items that one lock can block together, such as those of one wallet. Other groups do not wait for that lock. */
  groupOf?(item: Item): string;
  /** Rank 0 goes first and has no limit. */
  rankOf?(item: Item): number;
  /** The maximum number of items of a rank in one run. */
  limitOf?(rank: number): number;
  readonly itemsMax?: number;
  /** The limit for calls above rank 0, by number and by bytes; running calls count too. */
  readonly bounds?: { readonly items: number; readonly bytes: number };
  /** How many parked groups may run at the same time, besides the shared runs. Each needs a database connection. */
  readonly parkedRunsMax?: number;
};

export type CallOptions = {
  /** On the clock of `performance.now()`. The queue refuses a call that still waits at this time. */
  readonly deadlineMs?: number;
  readonly bytes?: number;
};

export type BatchState = {
  readonly items: number;
  readonly bytes: number;
  /** The age of the oldest waiting call. */
  readonly oldestMs: number;
  /** The age of the oldest shared run. The run of a parked group does not count: it may be waiting for a lock. */
  readonly runMs: number;
};

export interface Batch<Item, Result> {
  /** Rejects with service-unavailable when the queue, or the group's share of it, is full. */
  add(item: Item, options?: CallOptions): Promise<Result>;
  state(): BatchState;
}

const ITEMS_MAX = 250;
const PARKED_RUNS_MAX = 4;
const BOUNDS = { items: 2_000, bytes: 64 * 1024 * 1024 };

export function createBatch<Item, Result>(options: BatchOptions<Item, Result>): Batch<Item, Result> {
  const { run, itemsMax = ITEMS_MAX, parkedRunsMax = PARKED_RUNS_MAX, bounds = BOUNDS } = options;
  const { groupOf = () => '', rankOf = () => 0, limitOf = () => itemsMax } = options;
  const queue = createQueue<Item, Result>({ run, limitOf, itemsMax, parkedRunsMax: parkedRunsMax, bounds });
  return {
    add: (item, { deadlineMs = Number.POSITIVE_INFINITY, bytes = 0 } = {}) =>
      new Promise((resolve, reject) => {
        const [group, rank] = [groupOf(item), rankOf(item)];
        if (rank > 0 && !queue.room.admits(group, bytes)) {
          reject(busy());
          return;
        }
        enter(queue, {
          item,
          group,
          rank,
          bytes,
          addedMs: performance.now(),
          deadlineMs,
          state: queue.parking.has(group) ? 'parked' : 'waiting',
          unknowns: 0,
          cause: undefined,
          resolve,
          reject,
        });
      }),
    state: () => ({
      ...queue.room.state(),
      oldestMs: queue.oldestMs,
      runMs: Math.max(0, ...[...queue.runs].map(({ startedMs }) => performance.now() - startedMs)),
    }),
  };
}
