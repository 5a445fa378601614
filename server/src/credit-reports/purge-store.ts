// Forgetting, as the system role: it deletes keys and blanks sealed columns it cannot read.
import { execute, rows, sql, type Tx } from '../lib/sql.ts';
import type { ReportKey } from './live-store.ts';

/** Ended reports older than their tenant's retention. */
export function listReportsToPurge(tx: Tx, limit: number): Promise<ReportKey[]> {
  return rows<ReportKey>(
    tx,
    sql`
    select tenant_id as "tenantId", credit_reports.id as "creditReportId"
      from credit_reports join tenants on tenants.id = tenant_id
     where purged_at is null
       and credit_reports.created_at < clock_timestamp() - retention_days * interval '1 day' - interval '20 minutes'
       and status not in ('pending', 'fetching') and (is_test or status <> 'challenged')
     order by credit_reports.created_at limit ${limit}`,
  );
}

/** Without its data key nobody can open a report again, in a backup either; the ciphertext goes as well. */
export async function purge(tx: Tx, keys: readonly ReportKey[]): Promise<void> {
  const tenantIds = keys.map((key) => key.tenantId);
  const ids = keys.map((key) => key.creditReportId);
  await execute(
    tx,
    sql`
    delete from data_keys
     where (tenant_id, credit_report_id) in (select * from unnest(${tenantIds}::uuid[], ${ids}::uuid[]))`,
  );
  await execute(
    tx,
    sql`
    update credit_reports set sealed_request = '', sealed_report = null, purged_at = clock_timestamp()
     where (tenant_id, id) in (select * from unnest(${tenantIds}::uuid[], ${ids}::uuid[])) and purged_at is null`,
  );
}

/** What is void by its age alone. Receipts outlive every dispute about a message by a wide margin. */
export async function deleteOutlived(tx: Tx): Promise<number> {
  const deleted = [
    await execute(tx, sql`delete from idempotency_keys where created_at < clock_timestamp() - interval '25 hours'`),
    await execute(tx, sql`delete from mobile_uses where last_used_at < clock_timestamp() - interval '25 hours'`),
    await execute(tx, sql`delete from device_sessions where bound_at < clock_timestamp() - interval '2 hours'`),
    await execute(tx, sql`delete from sms_receipts where received_at < clock_timestamp() - interval '90 days'`),
  ];
  return deleted.reduce((sum, count) => sum + count, 0);
}
