// What this feature erases by age, table by table: reports after their tenant's retention days, which makes them
// unreadable for good (docs/decisions/0057-retrieval.md), and rows that are needed only for hours or days. app.ts makes a
// job of each.
import { type Aged, forgetAged, type Retained } from '../../lib/postgres/retention.ts';
import { listReportsToPurge, listTenantsBehind, purgeReports, SHORT_LIVED } from './purge-store.ts';

/** More tenants than there are; each costs one index look-up. */
const TENANTS_MAX = 50_000;

/**
 * Tenant by tenant, each with its current retention: a tenant that keeps reports for ninety days does not delay one
 * that keeps them for none. If one tenant's reports cannot be erased, the others still are.
 */
const creditReports: Retained = {
  table: 'credit_reports',
  async forgetDue({ inTurn, signal, noteOverdue }) {
    const behind = await inTurn((tx) => listTenantsBehind(tx, TENANTS_MAX));
    const failures: unknown[] = [];
    let sum = 0;
    let isDone = behind !== undefined;
    for (const { tenantId, overdueSeconds } of behind ?? []) {
      // The longest overdue come first: the rest is at most this far behind.
      noteOverdue(overdueSeconds);
      const aged: Aged = {
        list: (tx, from, limit) => listReportsToPurge(tx, tenantId, from, limit),
        forget: async (tx, ids) => (await purgeReports(tx, tenantId, ids)).reports,
      };
      try {
        const forgotten = await forgetAged({ inTurn, signal, noteOverdue: () => undefined }, aged);
        sum += forgotten.count;
        isDone &&= forgotten.isDone;
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw failures[0];
    return { count: sum, isDone };
  },
  findOverdueSeconds: async (tx) => (await listTenantsBehind(tx, 1))[0]?.overdueSeconds ?? 0,
};

export const REPORT_TABLES: readonly Retained[] = [creditReports, ...SHORT_LIVED];
