// Group commit: concurrent calls on this node share one run of `run`, and so one transaction, one round of locks and one
// flush to disk. While a run is under way the next calls gather; nothing waits for a timer. Calls of other groups need not
// wait for a short run: a second one takes them meanwhile. A run that fails is repeated item by item, so that one bad item
// does not sink its neighbours: from its second attempt on, `run` must ask what the one before has done (an unknown commit).
import assert from 'node:assert/strict';
import { setTimeout } from 'node:timers/promises';
import { isHeldUp, isUnavailable } from './unavailable.ts';

export type BatchOptions<Item, Result> = {
  /** One result for each item, in the order of the items. */
  run(items: readonly Item[], attempt: number): Promise<readonly Result[]>;
  readonly itemsMax?: number;
  /** What can be held up together, such as the items of one wallet. Others do not wait for it. */
  groupOf?(item: Item): string;
};

const ITEMS_MAX = 250;
/** Between tries while the database is away: long enough for a failover's first seconds, short enough for a caller. */
const RETRY_DELAYS_MS = [100, 400, 1_500];

/** Runs at the same time: while one waits for the database, the other is prepared. */
const RUNS_MAX = 2;
/** A run of more than this keeps the database busy by itself; another beside it would only make both smaller. */
const SMALL_RUN = 32;

/** Groups that run beside the queue at the same time; each needs a connection. */
const LANES_MAX = 4;
/** How many callers go on in one turn of the loop. */
const SLICE = 8;

type Waiting<Item, Result> = {
  readonly item: Item;
  resolve(result: Result): void;
  reject(error: unknown): void;
};

/**
 * Not all at once and not before the next turn of the loop: the next run is then on its way to the database while callers
 * go on, and its answers are heard in between instead of after the last of them.
 */
function tell<Item, Result>(waiting: readonly Waiting<Item, Result>[], results: readonly Result[]): void {
  let place = 0;
  const next = () => {
    for (const each of waiting.slice(place, place + SLICE)) each.resolve(results[place++] as Result);
    if (place < waiting.length) setImmediate(next);
  };
  setImmediate(next);
}

export function createBatch<Item, Result>(options: BatchOptions<Item, Result>): (item: Item) => Promise<Result> {
  const { run, itemsMax = ITEMS_MAX, groupOf = () => '' } = options;
  let queue: Waiting<Item, Result>[] = [];
  let isAwake = false;
  const runs = new Set<{ readonly groups: ReadonlySet<string>; readonly size: number }>();
  /** What waits beside the queue, by group: those that were held up, and their neighbours until they are through. */
  const lanes = new Map<string, Waiting<Item, Result>[]>();
  const parked: string[] = [];
  let lanesRunning = 0;

  async function runOnce(waiting: readonly Waiting<Item, Result>[], attempt: number): Promise<void> {
    const results = await run(
      waiting.map(({ item }) => item),
      attempt,
    );
    // A caller must not take silence for an answer.
    assert.equal(results.length, waiting.length, 'a run has not answered for each of its items');
    tell(waiting, results);
  }

  /** Until it is done, refused, or parked; `earlier` attempts may have been committed. */
  async function runTogether(
    waiting: readonly Waiting<Item, Result>[],
    earlier: number,
    mayPark: boolean,
  ): Promise<void> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await runOnce(waiting, earlier + tries);
      } catch (error) {
        const delayMs = RETRY_DELAYS_MS[tries - 1];
        if (isHeldUp(error) && mayPark) return park(waiting);
        // What makes one item impossible does not pass by itself; a server that is away, or a deadlock, does.
        if (isUnavailable(error) && delayMs !== undefined) await setTimeout(delayMs);
        else if (isUnavailable(error) || waiting.length === 1) {
          for (const each of waiting) each.reject(error);
          return undefined;
        } else {
          // One after another: they share a wallet, and would only wait for each other.
          for (const each of waiting) await runTogether([each], earlier + tries, mayPark);
          return undefined;
        }
      }
    }
  }

  /** One group is held up and nobody can tell which: each goes on by itself, beside the queue. */
  function park(waiting: readonly Waiting<Item, Result>[]): void {
    for (const each of waiting) {
      const group = groupOf(each.item);
      if (!lanes.has(group)) parked.push(group);
      lanes.set(group, [...(lanes.get(group) ?? []), each]);
    }
    runLanes();
  }

  function runLanes(): void {
    while (lanesRunning < LANES_MAX && parked.length > 0) {
      lanesRunning += 1;
      void runLane(parked.shift() ?? '').finally(() => {
        lanesRunning -= 1;
        runLanes();
      });
    }
  }

  async function runLane(group: string): Promise<void> {
    for (;;) {
      const waiting = lanes.get(group)?.splice(0, itemsMax) ?? [];
      if (waiting.length === 0) break;
      await runTogether(waiting, 1, false);
    }
    lanes.delete(group);
  }

  /** The oldest calls whose group is in no run. */
  function takeFree(): Waiting<Item, Result>[] {
    if (runs.size === 0) return queue.splice(0, itemsMax);
    const isFree = ({ item }: Waiting<Item, Result>) => ![...runs].some(({ groups }) => groups.has(groupOf(item)));
    const taken = queue.filter(isFree).slice(0, itemsMax);
    const rest = new Set(taken);
    if (taken.length > 0) queue = queue.filter((each) => !rest.has(each));
    return taken;
  }

  function startRuns(): void {
    isAwake = false;
    while (queue.length > 0 && runs.size < RUNS_MAX && [...runs].every(({ size }) => size <= SMALL_RUN)) {
      const waiting = takeFree();
      if (waiting.length === 0) return;
      const run = { groups: new Set(waiting.map(({ item }) => groupOf(item))), size: waiting.length };
      runs.add(run);
      void runTogether(waiting, 0, true).finally(() => {
        runs.delete(run);
        startRuns();
      });
    }
  }

  return (item) =>
    new Promise((resolve, reject) => {
      const waiting = { item, resolve, reject };
      const lane = lanes.get(groupOf(item));
      if (lane) {
        lane.push(waiting);
        return;
      }
      queue.push(waiting);
      if (isAwake || runs.size === RUNS_MAX) return;
      isAwake = true;
      // After this turn of the loop, so that requests that arrived together go together.
      setImmediate(startRuns);
    });
}
