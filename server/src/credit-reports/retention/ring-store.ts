// Which keys wrap the data keys of reports, and the change of that. Wrapped keys are read as the app role: the system role
// sees only the ids.
import { execute, rows, sql, type Tx } from '../../lib/postgres/sql.ts';

/**
 * The keys of each tenant's oldest and newest report. Ids increase with time and keys are replaced from the newest report to the
 * oldest, so a key that was dropped too early shows at the oldest report, and a wrong ring at both. Reading every row of a
 * large table would delay the start.
 */
export async function listEdgeKeys(tx: Tx, tenantIds: readonly string[]): Promise<string[]> {
  const found = await rows<{ id: string }>(
    tx,
    sql`
    select distinct edge.ring_key_id as id
      from unnest(${tenantIds}::uuid[]) as asked (tenant_id)
     cross join lateral (
       (select ring_key_id from data_keys where data_keys.tenant_id = asked.tenant_id
         order by credit_report_id limit 1)
       union all
       (select ring_key_id from data_keys where data_keys.tenant_id = asked.tenant_id
         order by credit_report_id desc limit 1)) as edge`,
  );
  return found.map(({ id }) => id);
}

export type RewrappableKey = {
  readonly creditReportId: string;
  readonly ringKeyId: string;
  readonly wrappedKey: Buffer;
};

/** Which data keys a rotation leaves as they are: those under `keep`, and under working keys of months if `keepMonths`. */
export type Settled = { readonly keep: string; readonly keepMonths: boolean };

/**
 * From before `beforeId` downwards, locked. A batch that has no key to re-wrap is empty, however many rows it passed. A row that
 * another transaction is erasing is left out: to wait for it could be a deadlock, since the purge locks many in its own order.
 */
export function listRewrappable(
  tx: Tx,
  tenantId: string,
  { keep, keepMonths }: Settled,
  { beforeId, limit }: { readonly beforeId: string; readonly limit: number },
): Promise<RewrappableKey[]> {
  return rows<RewrappableKey>(
    tx,
    sql`
    select credit_report_id as "creditReportId", ring_key_id as "ringKeyId", wrapped_key as "wrappedKey"
      from data_keys
     where tenant_id = ${tenantId} and credit_report_id < ${beforeId}
       and ring_key_id <> ${keep} and not (${keepMonths} and ring_key_id like 'month:%')
     order by credit_report_id desc limit ${limit}
       for no key update skip locked`,
  );
}

export type RewrappedKey = RewrappableKey & { readonly to: { ringKeyId: string; wrappedKey: Buffer } };

/** Leaves a key alone that was erased or re-wrapped since it was read. */
export function updateDataKeys(tx: Tx, tenantId: string, keys: readonly RewrappedKey[]): Promise<number> {
  return execute(
    tx,
    sql`
    update data_keys set ring_key_id = changed.ring_key_id, wrapped_key = changed.wrapped_key
      from unnest(${keys.map((key) => key.creditReportId)}::uuid[], ${keys.map((key) => key.wrappedKey)}::bytea[],
                  ${keys.map((key) => key.to.ringKeyId)}::text[], ${keys.map((key) => key.to.wrappedKey)}::bytea[])
           as changed (credit_report_id, old_key, ring_key_id, wrapped_key)
     where data_keys.tenant_id = ${tenantId} and data_keys.credit_report_id = changed.credit_report_id
       and data_keys.wrapped_key = changed.old_key`,
  );
}

export type KeyUse = { readonly id: string; readonly count: number };

/** As the system role: how many data keys each key wraps. It reads the whole table, which retention keeps to 90 days. */
export function listKeyUses(tx: Tx): Promise<KeyUse[]> {
  return rows<KeyUse>(tx, sql`select ring_key_id as id, count(*)::int as count from data_keys group by 1 order by 1`);
}

/** As the system role: the longest retention of any tenant, in days; 0 without tenants. */
export async function getLongestRetention(tx: Tx): Promise<number> {
  const [row] = await rows<{ days: number }>(
    tx,
    sql`select coalesce(max(retention_days), 0)::int as days from tenants`,
  );
  return row?.days ?? 0;
}
