// Counts older reports ahead of the requests for counts, a run of reports at a time
// (docs/decisions/0230-what-a-list-of-reports-says.md). Safe to run concurrently.
import type { Database } from '../../lib/postgres/database.ts';
import { insertTally, listTenantsToTally } from './count-store.ts';

/** Reports in one tally. Ten million make 5,000 rows to add up, and a request counts a few thousand reports itself. */
const TALLY_SIZE = 2_000;
const TENANTS_AT_A_TIME = 1_000;

/** Returns how many tallies it added. A tenant whose next reports are too new, or still worked on, waits for the next run. */
export async function tallyReports(
  database: Pick<Database, 'asSystem'>,
  signal?: AbortSignal,
  size: number = TALLY_SIZE,
): Promise<number> {
  const tenants = await database.asSystem((tx) => listTenantsToTally(tx, size, TENANTS_AT_A_TIME));
  let count = 0;
  for (const { tenantId } of tenants) {
    let added = 1;
    while (added > 0 && !signal?.aborted) {
      added = await database.asSystem((tx) => insertTally(tx, tenantId, size));
      count += added;
    }
  }
  return count;
}
