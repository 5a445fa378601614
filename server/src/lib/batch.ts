// Group commit: concurrent calls on this node share one run of `run`, and so one transaction, one round of locks and one
// flush to disk. While a run is under way the next calls gather; nothing waits for a timer. One bad item must not sink
// its neighbours: a run that fails is repeated item by item. Hence `run` must be repeatable: it is told the attempt
// and, from the second one on, must ask the database what the attempt before has done (an unknown commit).
import assert from 'node:assert/strict';
import { setTimeout } from 'node:timers/promises';
import { isUnavailable } from './unavailable.ts';

export type BatchOptions<Item, Result> = {
  /** One result for each item, in the order of the items. */
  run(items: readonly Item[], attempt: number): Promise<readonly Result[]>;
  readonly itemsMax?: number;
};

const ITEMS_MAX = 250;
/** Between tries while the database is away: long enough for a failover's first seconds, short enough for a caller. */
const RETRY_DELAYS_MS = [100, 400, 1_500];

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
  const { run, itemsMax = ITEMS_MAX } = options;
  const queue: Waiting<Item, Result>[] = [];
  let isRunning = false;

  async function runTogether(waiting: readonly Waiting<Item, Result>[], attempt: number): Promise<number> {
    let attempts = attempt;
    for (;;) {
      try {
        attempts += 1;
        const results = await run(
          waiting.map(({ item }) => item),
          attempts,
        );
        // A caller must not take silence for an answer.
        assert.equal(results.length, waiting.length, 'a run has not answered for each of its items');
        tell(waiting, results);
        return attempts;
      } catch (error) {
        const delayMs = RETRY_DELAYS_MS[attempts - attempt - 1];
        // What makes one item impossible does not pass by itself; a server that is away, or a deadlock, does.
        const isWorthwhile = isUnavailable(error) && delayMs !== undefined;
        if (isWorthwhile) await setTimeout(delayMs);
        else if (waiting.length === 1) {
          waiting[0]?.reject(error);
          return attempts;
        } else if (isUnavailable(error)) {
          for (const each of waiting) each.reject(error);
          return attempts;
        } else {
          // One after another: they share a wallet, and would only wait for each other.
          for (const each of waiting) await runTogether([each], attempts);
          return attempts;
        }
      }
    }
  }

  async function drain(): Promise<void> {
    while (queue.length > 0) await runTogether(queue.splice(0, itemsMax), 0);
    isRunning = false;
  }

  return (item) =>
    new Promise((resolve, reject) => {
      queue.push({ item, resolve, reject });
      if (isRunning) return;
      isRunning = true;
      // After this turn of the loop, so that requests that arrived together go together.
      setImmediate(() => void drain());
    });
}
