// Erasure, as the system role: it deletes keys and blanks sealed columns that it cannot read, and deletes other rows by
// age alone. It compares ages with `statement_timestamp()`, which an index can serve.
import { agedTable, type DueRow, type Retained } from '../../lib/postgres/retention.ts';
import { execute, rows, sql, type Tx } from '../../lib/postgres/sql.ts';

export type TenantBehind = { readonly tenantId: string; readonly overdueSeconds: number };

/**
 * Tenants with a report past its retention, the longest overdue first. Retention counts from the settlement, or from the
 * creation of a test challenge that was never finished; plus twenty minutes, so that no report disappears while its code
 * can still be replayed (docs/decisions/0039-submit-after-complete.md, 0057-retrieval.md). No report is settled before it
 * is created, so the query uses the index on the creation time and skips the few that were settled too recently.
 */
export function listTenantsBehind(tx: Tx, limit: number): Promise<TenantBehind[]> {
  return rows<TenantBehind>(
    tx,
    sql`
    select tenants.id as "tenantId",
           extract(epoch from statement_timestamp() - retention_days * interval '1 day' - interval '20 minutes'
                              - oldest.since)::float8 as "overdueSeconds"
      from tenants
     cross join lateral (
       select coalesce(settled_at, created_at) as since from credit_reports
        where tenant_id = tenants.id and purged_at is null
          and created_at < statement_timestamp() - retention_days * interval '1 day' - interval '20 minutes'
          and coalesce(settled_at, created_at)
                < statement_timestamp() - retention_days * interval '1 day' - interval '20 minutes'
          and status not in ('pending', 'fetching') and (is_test or status <> 'challenged')
        order by created_at limit 1) as oldest
     order by 2 desc limit ${limit}`,
  );
}

/** The due reports of one tenant, oldest first. */
export function listReportsToPurge(tx: Tx, tenantId: string, from: string, limit: number): Promise<DueRow[]> {
  // The cutoff is a subquery: with a join, the planner would lose the index order and sort everything that is due.
  return rows<DueRow>(
    tx,
    sql`
    select id as place, created_at::text as position,
           extract(epoch from (select statement_timestamp() - retention_days * interval '1 day' - interval '20 minutes'
                                 from tenants where id = ${tenantId})
                              - coalesce(settled_at, created_at))::float8 as "overdueSeconds"
      from credit_reports
     where tenant_id = ${tenantId} and purged_at is null and created_at >= ${from}::timestamptz
       and created_at < (select statement_timestamp() - retention_days * interval '1 day' - interval '20 minutes'
                           from tenants where id = ${tenantId})
       and coalesce(settled_at, created_at)
             < (select statement_timestamp() - retention_days * interval '1 day' - interval '20 minutes'
                  from tenants where id = ${tenantId})
       and status not in ('pending', 'fetching') and (is_test or status <> 'challenged')
     order by created_at limit ${limit}`,
  );
}

/** The dates are null when the count is zero. */
export type Erasable = { readonly count: number; readonly oldestAt: Date | null; readonly newestAt: Date | null };

/** `isTestOnly`: as if there were no live reports. */
export type ErasableOrder = { readonly days: number; readonly isTestOnly: boolean };

/** The reports that are readable now and would not be with this many days; the dates are when they were settled. */
export async function findErasable(tx: Tx, tenantId: string, { days, isTestOnly }: ErasableOrder): Promise<Erasable> {
  const [found] = await rows<Erasable>(
    tx,
    sql`
    select count(*)::int as count, min(since) as "oldestAt", max(since) as "newestAt"
      from (select coalesce(settled_at, created_at) as since from credit_reports
             where tenant_id = ${tenantId} and purged_at is null and (is_test or not ${isTestOnly}::boolean)
               and created_at < statement_timestamp() - ${days} * interval '1 day'
               and status not in ('pending', 'fetching') and (is_test or status <> 'challenged')) as settled
     where since < statement_timestamp() - ${days} * interval '1 day'
       and since >= statement_timestamp()
                      - (select retention_days from tenants where id = ${tenantId}) * interval '1 day'`,
  );
  return found as Erasable;
}

/** Of messages that are settled: for the others the carrier is still asked, and they are charged by its answer. Call it with them locked. */
function clearCarrierRefs(tx: Tx, tenantId: string, ids: readonly string[]): Promise<number> {
  return execute(
    tx,
    sql`
    update sms_sends set carrier_ref = null
     where tenant_id = ${tenantId} and credit_report_id = any (${ids}::uuid[])
       and state not in ('queued', 'submitted') and carrier_ref is not null`,
  );
}

export type Purged = { readonly reports: number; readonly carrierReferences: number };

/**
 * Without its data key a report can never be opened again, not even from a backup. The ciphertext is deleted as well, and the
 * carrier's reference, by which the carrier finds the number. A message that is not settled loses it when it is (sms-store.ts).
 * Reports that were purged before are not counted.
 */
export async function purgeReports(tx: Tx, tenantId: string, ids: readonly string[]): Promise<Purged> {
  // In one order, and before the messages: retention, an erasure and a code may want the same ones.
  await execute(
    tx,
    sql`
    select from credit_reports where tenant_id = ${tenantId} and id = any (${ids}::uuid[]) order by id for no key update`,
  );
  // All of them, in the order in which receipts lock them: one that is being settled now is waited for, and its state is then seen.
  await execute(
    tx,
    sql`
    select from sms_sends where tenant_id = ${tenantId} and credit_report_id = any (${ids}::uuid[])
     order by id for no key update`,
  );
  const carrierReferences = await clearCarrierRefs(tx, tenantId, ids);
  await execute(
    tx,
    sql`delete from data_keys where tenant_id = ${tenantId} and credit_report_id = any (${ids}::uuid[])`,
  );
  const reports = await execute(
    tx,
    sql`
    update credit_reports set sealed_request = '', sealed_report = null, sealed_provenance = null,
                              purged_at = clock_timestamp()
     where tenant_id = ${tenantId} and id = any (${ids}::uuid[]) and purged_at is null`,
  );
  return { reports, carrierReferences };
}

/** Rows that are needed only for hours or days. */
export const SHORT_LIVED: readonly Retained[] = [
  // An hour longer than a use counts.
  agedTable('mobile_uses', 'last_used_at', '25 hours'),
  agedTable('tenant_mobile_uses', 'last_used_at', '25 hours'),
  // A session is valid for thirty minutes (docs/decisions/0034-device-sessions.md).
  agedTable('device_sessions', 'bound_at', '2 hours'),
  // Receipts outlive every dispute about a message by a wide margin.
  agedTable('sms_receipts', 'received_at', '90 days'),
];
