// What an erasure does to rows of reports, beyond what their retention does: references, receipts, and the keyed hashes of the
// person in device sessions. The counts of a number stay, those of the company too: an erasure must not allow more codes.
import { type AgedRow, deletePlaces } from '../../lib/postgres/retention.ts';
import { execute, rows, sql, type Tx } from '../../lib/postgres/sql.ts';

export { type Purged, purgeReports } from './purge-store.ts';

/** Locks those of these reports that are there and have ended, in the order of ids. */
export async function lockEndedReports(tx: Tx, tenantId: string, ids: readonly string[]): Promise<string[]> {
  const locked = await rows<{ id: string }>(
    tx,
    sql`
    select id from credit_reports
     where tenant_id = ${tenantId} and id = any (${ids}::uuid[]) and status not in ('pending', 'fetching')
       and (status <> 'challenged' or (is_test and created_at <= clock_timestamp() - interval '1 hour'))
     order by id
       for no key update`,
  );
  return locked.map(({ id }) => id);
}

/** Call it with the reports locked. */
export function clearReferences(tx: Tx, tenantId: string, ids: readonly string[]): Promise<number> {
  return execute(
    tx,
    sql`
    update credit_reports set external_reference_hash = null
     where tenant_id = ${tenantId} and id = any (${ids}::uuid[]) and external_reference_hash is not null`,
  );
}

/** As the system role: receipts of settled messages, which have the carrier's reference. */
export function deleteReceipts(tx: Tx, tenantId: string, ids: readonly string[]): Promise<number> {
  return execute(
    tx,
    sql`
    delete from sms_receipts using sms_sends
     where sms_sends.tenant_id = ${tenantId} and sms_sends.credit_report_id = any (${ids}::uuid[])
       and sms_sends.state not in ('queued', 'submitted')
       -- One that waits to be applied may still charge its message.
       and sms_receipts.pending_since is null
       and sms_receipts.tenant_id = sms_sends.tenant_id and sms_receipts.send_id = sms_sends.id`,
  );
}

/** As the app role. The table has the sessions of two hours: few enough to read them all. */
export function listDeviceSessions(tx: Tx, boundTo: readonly Buffer[]): Promise<AgedRow[]> {
  return rows<AgedRow>(
    tx,
    sql`
    select ctid::text as place, bound_at::text as at from device_sessions where bound_to = any (${boundTo}::bytea[])`,
  );
}

/** As the system role. */
export const deleteDeviceSessions = (tx: Tx, found: readonly AgedRow[]) =>
  deletePlaces(tx, 'device_sessions', 'bound_at', found);
