// Ends test challenges whose five minutes are over, so that test mode tells that event too. There is nothing to refund.
import { appendEvents } from '../../events/append-events.ts';
import type { Database } from '../../lib/postgres/database.ts';
import { listUnexpiredIds, lockFreeReports } from '../live/live-store.ts';
import { clearTestDue, listDueTestChallenges, type ReportKey, updateReportsExpired } from '../store.ts';
import { reportEvent } from './test-events.ts';

const AT_A_TIME = 200;

async function expire(database: Database, due: readonly ReportKey[]): Promise<number> {
  const tenantIds = [...new Set(due.map(({ tenantId }) => tenantId))];
  return database.forTenants(tenantIds, async (tx) => {
    // A report that another transaction has locked is being judged just now: the next run looks at it again.
    const reports = await lockFreeReports(tx, due);
    // A message that was requested since the challenge was found extends it by five minutes.
    const unexpired = await listUnexpiredIds(tx, reports);
    const over = reports.filter(({ creditReportId }) => !unexpired.has(creditReportId));
    const expired = over.filter(({ status, isTest }) => isTest && status === 'challenged');
    await Promise.all([
      clearTestDue(tx, over),
      updateReportsExpired(tx, expired),
      appendEvents(
        tx,
        expired.map((key) => reportEvent(key, 'report.expired')),
      ),
    ]);
    return over.length;
  });
}

/** Returns how many challenges it took off the list. */
export async function expireInSandbox(database: Database): Promise<number> {
  let count = 0;
  for (;;) {
    const due = await database.asSystem((tx) => listDueTestChallenges(tx, AT_A_TIME));
    const ended = due.length > 0 ? await expire(database, due) : 0;
    count += ended;
    if (due.length < AT_A_TIME || ended === 0) return count;
  }
}
