// Ends test challenges whose five minutes are over, so that test mode tells that event too, and refunds those that were charged.
import { appendEvents } from '../../events/append-events.ts';
import type { Database } from '../../lib/postgres/database.ts';
import type { Tx } from '../../lib/postgres/sql.ts';
import { settleEach } from '../../lib/settle-each.ts';
import { listUnexpiredIds, lockFreeReports } from '../live/live-store.ts';
import { clearTestDue, listDueTestChallenges, type ReportKey, updateReportsExpired } from '../store.ts';
import { refundReports } from './charge-in-sandbox.ts';
import { endEvents } from './test-events.ts';

const AT_A_TIME = 200;

/** Reports of one tenant, locked, whose challenges are past their time. */
export async function endExpired(tx: Tx, tenantId: string, expired: readonly ReportKey[]): Promise<void> {
  await updateReportsExpired(tx, expired);
  const refunded = await refundReports(tx, tenantId, expired);
  await appendEvents(
    tx,
    expired.flatMap((key) => endEvents(key, 'report.expired', refunded.get(key.creditReportId))),
  );
}

async function expire(database: Database, tenantId: string, due: readonly ReportKey[]): Promise<number> {
  return database.forTenants([tenantId], async (tx) => {
    // A report that another transaction has locked is being judged just now: the next run looks at it again.
    const reports = await lockFreeReports(tx, due);
    // A message that was requested since the challenge was found extends it by five minutes.
    const unexpired = await listUnexpiredIds(tx, reports);
    const over = reports.filter(({ creditReportId }) => !unexpired.has(creditReportId));
    const expired = over.filter(({ status, isTest }) => isTest && status === 'challenged');
    await clearTestDue(tx, over);
    await endExpired(tx, tenantId, expired);
    return over.length;
  });
}

/** Returns how many challenges it took off the list. */
export async function expireInSandbox(database: Database): Promise<number> {
  let count = 0;
  for (;;) {
    const due = await database.asSystem((tx) => listDueTestChallenges(tx, AT_A_TIME));
    const byTenant = Map.groupBy(due, ({ tenantId }) => tenantId);
    const ended = await settleEach(byTenant, ([tenantId, ofTenant]) => expire(database, tenantId, ofTenant));
    count += ended;
    if (due.length < AT_A_TIME || ended === 0) return count;
  }
}
