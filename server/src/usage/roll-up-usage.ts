// Counts new events into the days of their tenants, in commit order. Each event is counted once, whatever number of workers
// run and whenever one dies: counts and place move in one transaction, under the lock of the place.
import type { Database } from '../lib/postgres/database.ts';
import { walkByKey } from '../lib/postgres/key-order.ts';
import { countEvents, lockPlace } from './day-store.ts';

/** Some tens of milliseconds. */
const AT_A_TIME = 5_000;

/** Runs until every event that can be read is counted; returns how many it counted. */
export async function rollUpUsage(database: Database, signal?: AbortSignal): Promise<number> {
  let sum = 0;
  while (!signal?.aborted) {
    const count = await database.asSystem(async (tx) => {
      await walkByKey(tx);
      return countEvents(tx, await lockPlace(tx), AT_A_TIME);
    });
    sum += count;
    if (count < AT_A_TIME) return sum;
  }
  return sum;
}
