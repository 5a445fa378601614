// A company has so many rows of deliveries and no more (docs/decisions/0274-what-deliveries-keep.md): the oldest accepted ones go first, then
// those that were given up. What still waits is given up before its row goes.
import type { Database } from '../../lib/postgres/database.ts';
import { deleteEnded, listExcess, listTenantsWithEndpoints, updateGivenUp } from './row-store.ts';

const AT_A_TIME = 1_000;
/** Of one company before the next one's turn: counting its rows costs as much as deleting some thousands. */
const IN_A_TURN = 20_000;

const inParts = (ids: readonly string[]): string[][] =>
  Array.from({ length: Math.ceil(ids.length / AT_A_TIME) }, (_, part) =>
    ids.slice(part * AT_A_TIME, (part + 1) * AT_A_TIME),
  );

/** One turn of a company. */
async function forgetExcess(
  database: Database,
  tenantId: string,
  max: number,
  signal: AbortSignal | undefined,
): Promise<{ readonly count: number; readonly areMore: boolean }> {
  const { ended, pending } = await database.asSystem((tx) => listExcess(tx, tenantId, max, IN_A_TURN));
  let count = 0;
  for (const ids of inParts(ended)) {
    if (!signal?.aborted) count += await database.asSystem((tx) => deleteEnded(tx, tenantId, ids));
  }
  for (const ids of inParts(pending)) {
    if (signal?.aborted) break;
    // Two transactions: a turn is locked after all deliveries (turn-store.ts).
    await database.asSystem((tx) => updateGivenUp(tx, tenantId, ids));
    count += await database.asSystem((tx) => deleteEnded(tx, tenantId, ids));
  }
  // Without progress others hold the rows: the next run finds them again.
  return { count, areMore: ended.length + pending.length === IN_A_TURN && count > 0 };
}

/**
 * Returns how many rows it deleted. It does not rest while a company has too many: one at its highest rate adds more than a turn's in a minute.
 * An error of one company ends the run only after the others had their turns.
 */
export async function limitDeliveries(database: Database, max: number, signal?: AbortSignal): Promise<number> {
  const errors: unknown[] = [];
  let sum = 0;
  let tenantIds = await database.asSystem(listTenantsWithEndpoints);
  while (tenantIds.length > 0) {
    const again: string[] = [];
    for (const tenantId of tenantIds) {
      if (signal?.aborted) return sum;
      try {
        const { count, areMore } = await forgetExcess(database, tenantId, max, signal);
        sum += count;
        if (areMore) again.push(tenantId);
      } catch (error) {
        errors.push(error);
      }
    }
    tenantIds = again;
  }
  if (errors.length > 0) throw errors[0];
  return sum;
}
