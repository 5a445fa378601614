// A company has so many rows of deliveries and no more (docs/decisions/0274-what-deliveries-keep.md): the oldest accepted ones go first, then
// those that were given up. What still waits is given up before its row goes.
import type { Database } from '../../lib/postgres/database.ts';
import { deleteOldest, listExcess, updateOldestGivenUp } from './row-store.ts';

const AT_A_TIME = 1_000;
/** Of one company in one run: another one's turn comes. */
const IN_A_RUN = 20_000;

async function forgetSome(database: Database, tenantId: string, limit: number): Promise<number> {
  for (const state of ['delivered', 'failed'] as const) {
    const count = await database.asSystem((tx) => deleteOldest(tx, tenantId, state, limit));
    if (count > 0) return count;
  }
  await database.asSystem((tx) => updateOldestGivenUp(tx, tenantId, limit));
  return database.asSystem((tx) => deleteOldest(tx, tenantId, 'failed', limit));
}

/** Returns how many rows it deleted. */
export async function limitDeliveries(database: Database, max: number, signal?: AbortSignal): Promise<number> {
  let sum = 0;
  for (const { tenantId, excess } of await database.asSystem((tx) => listExcess(tx, max, IN_A_RUN))) {
    for (let left = excess; left > 0 && !signal?.aborted; ) {
      const count = await forgetSome(database, tenantId, Math.min(left, AT_A_TIME));
      if (count === 0) break;
      left -= count;
      sum += count;
    }
  }
  return sum;
}
