// Notes at every hundredth event of a tenant how many there were up to it, so that a page is numbered without counting all events
// before it. Sequences do not depend on the marks: whoever counts, from whichever mark, gets the same number
// (docs/decisions/0281-a-sequence-for-each-tenant.md). Safe to run concurrently.
import type { Database } from '../lib/postgres/database.ts';
import { insertMarks, lockMarking } from './mark-store.ts';

const AT_A_TIME = 5_000;

/** Runs until it has passed all events that can be read; returns how many marks it made. */
export async function markEvents(database: Database, signal?: AbortSignal): Promise<number> {
  let count = 0;
  while (!signal?.aborted) {
    const page = await database.asSystem(async (tx) => {
      const after = await lockMarking(tx);
      return after && insertMarks(tx, after, AT_A_TIME);
    });
    count += page?.marked ?? 0;
    // Another worker does this now, or nothing is left.
    if (!page || page.passed < AT_A_TIME) break;
  }
  return count;
}
