// Retention: a report is kept for its tenant's days and then unreadable for good (docs/decisions/0057). Twenty minutes
// more, so that nobody loses a report while its code can still be replayed.
import type { Database } from '../lib/database.ts';
import { deleteOldSightings } from '../screening/note-sightings.ts';
import { deleteOutlived, listReportsToPurge, purge } from './purge-store.ts';

const AT_A_TIME = 500;

export async function purgeReports(database: Database): Promise<number> {
  let purged = 0;
  for (;;) {
    const keys = await database.asSystem(async (tx) => {
      const found = await listReportsToPurge(tx, AT_A_TIME);
      if (found.length > 0) await purge(tx, found);
      return found;
    });
    purged += keys.length;
    if (keys.length < AT_A_TIME) break;
  }
  await database.asSystem(deleteOutlived);
  await database.asSystem(deleteOldSightings);
  return purged;
}
