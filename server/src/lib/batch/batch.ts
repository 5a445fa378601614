// Group commit: concurrent calls on this node share one run of `run`, and so one transaction, one round of locks and one
// flush to disk. While a run is under way the next calls gather; nothing waits for a timer.
//
// batch-call.ts draws the states of a call. It waits in its line (fair-lines.ts: lower ranks first, groups in turn). A run
// whose outcome is not known (the database is away, a connection broke) puts its calls back in front of their lines, and
// the queue rests for a moment (batch-rest.ts): from its second attempt on, `run` must ask what the one before has done.
// Calls of rank 0 finish what was begun before: they have no bound. All others are bounded by count and by bytes.

import { busy } from '../errors.ts';
import type { HELD, RunOrder } from './batch-call.ts';
import { createQueue } from './batch-queue.ts';
import { enter } from './batch-schedule.ts';

export { HELD, type RunOrder } from './batch-call.ts';

export type BatchOptions<Item, Result> = {
  /** One result for each item, in the order of the items. */
  run(items: readonly Item[], order: RunOrder): Promise<readonly (Result | typeof HELD)[]>;
  /** What can be held up together, such as the items of one wallet. Others do not wait for it. */
  groupOf?(item: Item): string;
  /** 0 goes first and has no bound. */
  rankOf?(item: Item): number;
  /** How many of a rank one run takes. */
  limitOf?(rank: number): number;
  readonly itemsMax?: number;
  /** Calls and bytes above rank 0 that may be in the queue, running ones included. */
  readonly bounds?: { readonly items: number; readonly bytes: number };
  /** Parked groups that run beside the queue at the same time; each needs a connection. */
  readonly parkedRunsMax?: number;
};

export type CallOptions = {
  /** On the clock of `performance.now()`; a call that still waits then is refused. */
  readonly deadlineMs?: number;
  readonly bytes?: number;
};

export type BatchState = {
  readonly items: number;
  readonly bytes: number;
  /** Age of the oldest call that waits in its line. */
  readonly oldestMs: number;
  /** Age of the oldest run that groups share; one of a parked group may wait for its lock and says nothing about the others. */
  readonly runMs: number;
};

export interface Batch<Item, Result> {
  /** Rejects with service-unavailable when the queue is full, or the group's share of it. */
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
