// Counts the journal's new lines into the wallets' days. Each line is counted once, whatever number of workers run and
// whenever one dies: the count and its place move in one transaction, under the lock of the place.
import type { Database } from '../../lib/postgres/database.ts';
import { walkByKey } from '../../lib/postgres/key-order.ts';
import { type Behind, type CountedKind, countStretches, listBehind, lockRollups, type Stretch } from './day-store.ts';

const WALLETS_AT_A_TIME = 50;
/** For all wallets of a transaction together: some tens of milliseconds. */
const LINES_AT_A_TIME = 20_000;

/** The lines up to the place that was seen are committed: a wallet's last place moves in the transaction of its lines. */
function toStretches(behind: readonly Behind[], locked: readonly Behind[]): Stretch[] {
  const ends = new Map(behind.map(({ tenantId, lastSeq }) => [tenantId, lastSeq]));
  let left = LINES_AT_A_TIME;
  return locked.flatMap(({ tenantId, lastSeq: fromSeq }) => {
    const toSeq = Math.min(ends.get(tenantId) ?? 0, fromSeq + left);
    if (toSeq <= fromSeq) return [];
    left -= toSeq - fromSeq;
    return [{ tenantId, fromSeq, toSeq }];
  });
}

type Counted = { readonly lines: number; readonly kinds: readonly CountedKind[] };

async function countOnce(database: Database): Promise<Counted> {
  return database.asSystem(async (tx) => {
    const behind = await listBehind(tx, WALLETS_AT_A_TIME);
    if (behind.length === 0) return { lines: 0, kinds: [] };
    const locked = await lockRollups(
      tx,
      behind.map(({ tenantId }) => tenantId),
    );
    const stretches = toStretches(behind, locked);
    if (stretches.length === 0) return { lines: 0, kinds: [] };
    await walkByKey(tx);
    const kinds = await countStretches(tx, stretches);
    return { lines: stretches.reduce((sum, { fromSeq, toSeq }) => sum + toSeq - fromSeq, 0), kinds };
  });
}

/**
 * Runs until every line is counted, or another worker counts the rest; returns how many it counted. `onCounted` gets the sums
 * of each kind after their commit.
 */
export async function rollUpDays(
  database: Database,
  signal?: AbortSignal,
  onCounted?: (kind: CountedKind) => void,
): Promise<number> {
  let sum = 0;
  while (!signal?.aborted) {
    const { lines, kinds } = await countOnce(database);
    for (const kind of kinds) onCounted?.(kind);
    if (lines === 0) return sum;
    sum += lines;
  }
  return sum;
}
