// How many rows of deliveries companies have, and which go when there are too many. Runs as the system role.
import { execute, rows, sql, type Tx } from '../../lib/postgres/sql.ts';
import { freeNext, linesOf } from '../order-store.ts';
import type { DeliveryState } from '../rules/delivery-filter.ts';
import { wakeEndpoints } from '../turn-store.ts';

/** In one order, so that every company has its turn. */
export async function listTenantsWithEndpoints(tx: Tx): Promise<string[]> {
  const found = await rows<{ tenantId: string }>(
    tx,
    sql`select distinct tenant_id as "tenantId" from webhook_endpoints order by tenant_id`,
  );
  return found.map(({ tenantId }) => tenantId);
}

/** How many more than `max` the tenant has; `atMost` where it has many times as many. */
async function countExcess(tx: Tx, tenantId: string, max: number, atMost: number): Promise<number> {
  const [counted] = await rows<{ excess: number }>(
    tx,
    sql`
    select greatest(count(*) - ${max}::bigint, 0) as excess
      from (select from webhook_deliveries where tenant_id = ${tenantId} limit ${max + atMost}) as each`,
  );
  return counted?.excess ?? 0;
}

/** The oldest of all endpoints in this state, in the order of their ids, which is that of time. */
async function listOldest(tx: Tx, tenantId: string, state: DeliveryState, limit: number): Promise<string[]> {
  if (limit === 0) return [];
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

/** Ids of deliveries, by what they were when they were listed: an ended one may be sent again by now. */
export type Excess = { readonly ended: readonly string[]; readonly pending: readonly string[] };

/**
 * What the tenant has beyond `max`, up to `atMost`, in the order in which it goes. Ids and not a number: another node that lists them
 * at the same time finds the same, and no more than these are deleted.
 */
export async function listExcess(tx: Tx, tenantId: string, max: number, atMost: number): Promise<Excess> {
  const count = await countExcess(tx, tenantId, max, atMost);
  const delivered = await listOldest(tx, tenantId, 'delivered', count);
  const failed = await listOldest(tx, tenantId, 'failed', count - delivered.length);
  const ended = [...delivered, ...failed];
  return { ended, pending: await listOldest(tx, tenantId, 'pending', count - ended.length) };
}

/** But those that wait, by now or still. */
export function deleteEnded(tx: Tx, tenantId: string, ids: readonly string[]): Promise<number> {
  return execute(
    tx,
    sql`delete from webhook_deliveries where tenant_id = ${tenantId} and id = any (${ids}::uuid[]) and state <> 'pending'`,
  );
}

/** Gives up those of these that wait; what waits behind one of them goes on. */
export async function updateGivenUp(tx: Tx, tenantId: string, ids: readonly string[]): Promise<void> {
  const ended = await rows<{ endpointId: string; creditReportId: string | null }>(
    tx,
    sql`
    update webhook_deliveries set state = 'failed', leased_until = null, settled_at = clock_timestamp()
     where tenant_id = ${tenantId} and id = any (${ids}::uuid[]) and state = 'pending'
       and (leased_until is null or leased_until <= clock_timestamp())
    returning endpoint_id as "endpointId", credit_report_id as "creditReportId"`,
  );
  if (ended.length === 0) return;
  await freeNext(tx, linesOf(ended));
  await wakeEndpoints(
    tx,
    ended.map(({ endpointId }) => endpointId),
  );
}
