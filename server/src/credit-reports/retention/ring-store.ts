// The ring keys that seal reports, read as the app role: the system role cannot see them.
import { rows, sql, type Tx } from '../../lib/postgres/sql.ts';

/**
 * The keys of each tenant's oldest and newest report. Ids increase with time and keys are replaced one after another,
 * so a key that was dropped too early shows at the oldest report, and a wrong ring at both. Reading every row of a
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
