// How many rows of deliveries companies have, and which go when there are too many. Runs as the system role.
import { execute, rows, sql, type Tx } from '../../lib/postgres/sql.ts';
import { freeNext, linesOf } from '../order-store.ts';
import type { DeliveryState } from '../rules/delivery-filter.ts';
import { wakeEndpoints } from '../turn-store.ts';

/** Tenants that have more, each with how many more, up to `atMost`: a company that has many times as many is counted in parts. */
export function listExcess(
  tx: Tx,
  max: number,
  atMost: number,
): Promise<{ readonly tenantId: string; readonly excess: number }[]> {
  return rows<{ tenantId: string; excess: number }>(
    tx,
    sql`
    select tenant_id as "tenantId", counted.count - ${max}::bigint as excess
      from (select distinct tenant_id from webhook_endpoints) as tenant,
        lateral (select count(*) as count
                   from (select from webhook_deliveries where webhook_deliveries.tenant_id = tenant.tenant_id
                          limit ${max + atMost}) as each) as counted
     where counted.count > ${max}::bigint`,
  );
}

/** The oldest of all endpoints in this state, in the order of their ids, which is that of time. */
async function listOldest(tx: Tx, tenantId: string, state: DeliveryState, limit: number): Promise<string[]> {
  const found = await rows<{ id: string }>(
    tx,
    sql`
    select oldest.id
      from webhook_endpoints as endpoint,
        lateral (select id from webhook_deliveries
                  where tenant_id = ${tenantId} and endpoint_id = endpoint.id and state = ${state}
                    and (leased_until is null or leased_until <= clock_timestamp())
                  order by id limit ${limit}) as oldest
     where endpoint.tenant_id = ${tenantId}
     order by oldest.id limit ${limit}`,
  );
  return found.map(({ id }) => id);
}

export async function deleteOldest(
  tx: Tx,
  tenantId: string,
  state: 'delivered' | 'failed',
  limit: number,
): Promise<number> {
  const ids = await listOldest(tx, tenantId, state, limit);
  return execute(
    tx,
    sql`delete from webhook_deliveries where tenant_id = ${tenantId} and id = any (${ids}::uuid[]) and state = ${state}`,
  );
}

/** Gives up the oldest that wait; what waits behind one of them goes on. */
export async function updateOldestGivenUp(tx: Tx, tenantId: string, limit: number): Promise<number> {
  const ids = await listOldest(tx, tenantId, 'pending', limit);
  const ended = await rows<{ endpointId: string; creditReportId: string | null }>(
    tx,
    sql`
    update webhook_deliveries set state = 'failed', leased_until = null, settled_at = clock_timestamp()
     where tenant_id = ${tenantId} and id = any (${ids}::uuid[]) and state = 'pending'
       and (leased_until is null or leased_until <= clock_timestamp())
    returning endpoint_id as "endpointId", credit_report_id as "creditReportId"`,
  );
  await freeNext(tx, linesOf(ended));
  await wakeEndpoints(
    tx,
    ended.map(({ endpointId }) => endpointId),
  );
  return ended.length;
}
