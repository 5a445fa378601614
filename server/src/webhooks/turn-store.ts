// The turns of endpoints: when each is worth looking at next. Claims take those whose time has come, the one that waits for longest first,
// so they cost the same however many endpoints and deliveries there are (docs/decisions/0276-endpoints-have-turns.md).
//
// The order of locks: endpoints, deliveries, turns, hosts (docs/decisions/0120-lock-order.md). Whoever changes deliveries writes the turns of
// their endpoints after that, and waits for the claim that holds one. A claim begins with turns, and waits for neither an endpoint nor a delivery.
import { execute, rows, sql, type Tx } from '../lib/postgres/sql.ts';
import type { HostPlace } from './budgets/host-store.ts';
import type { ClaimOrder } from './claim-store.ts';
import { AHEAD_MAX_SECONDS } from './rules/budgets.ts';

/**
 * The last thing that a transaction does after it has added deliveries of these endpoints, given some another time or settled some, and after
 * it has ended a pause of these hosts. It asks neither for the state nor for pauses: another transaction may be changing them, and
 * the claim, which holds the endpoint, sees what became of it. What is due now comes last in turn, however long it has waited:
 * an endpoint with a long queue must not come before all others again and again.
 */
export async function wakeEndpoints(
  tx: Tx,
  endpointIds: readonly string[],
  hosts: readonly HostPlace[] = [],
): Promise<void> {
  if (endpointIds.length + hosts.length === 0) return;
  await execute(
    tx,
    sql`
    insert into webhook_turns as turn (tenant_id, endpoint_id, is_proven, look_at)
    select endpoint.tenant_id, endpoint.id, is_proven, greatest(first.next_attempt_at, clock_timestamp())
      from (select id from unnest(${endpointIds}::uuid[]) as id
            union
            select id from webhook_endpoints
              join unnest(${hosts.map(({ tenantId }) => tenantId)}::uuid[], ${hosts.map(({ host }) => host)}::text[])
                   as at (tenant_id, host) on at.tenant_id = webhook_endpoints.tenant_id and at.host = webhook_endpoints.host) as woken
      join webhook_endpoints as endpoint on endpoint.id = woken.id,
        lateral (select next_attempt_at from webhook_deliveries
                  where endpoint_id = endpoint.id and state = 'pending' and next_attempt_at < 'infinity'
                  order by next_attempt_at limit 1) as first
     order by endpoint.tenant_id, endpoint.id
    -- The row is locked before it is looked at: a claim that moves it has ended by then.
    on conflict (tenant_id, endpoint_id) do update set look_at = excluded.look_at, is_proven = excluded.is_proven
     where turn.look_at > excluded.look_at`,
  );
}

/** So many more turns than places are looked at: one endpoint of each tenant comes before the second of any. */
const LOOKED_AT = 100;

export type Turn = {
  readonly endpointId: string;
  /** False: another transaction holds the endpoint. */
  readonly isHeld: boolean;
};

/**
 * As the system role: locks turns that have come, and their endpoints, in the order in which they are served. Turns that another worker holds
 * are skipped: two claims at once must not both count the same places as free.
 */
export async function lockTurns(tx: Tx, order: ClaimOrder): Promise<{ turns: Turn[]; areMore: boolean }> {
  const { isProven, limit, perEndpoint, perTenant, taken } = order;
  const full = [...taken].filter(([, count]) => count >= perTenant).map(([tenantId]) => tenantId);
  const seenMax = limit + LOOKED_AT;
  const turns = await rows<Turn & { readonly seen: number }>(
    tx,
    sql`
    with seen as materialized (
      select tenant_id, endpoint_id, look_at from webhook_turns as turn
       where tenant_id <> all (${full}::uuid[]) and look_at <= statement_timestamp() and turn.is_proven = ${isProven}
       order by look_at limit ${seenMax} for no key update skip locked),
    placed as (
      select endpoint_id, look_at, row_number() over (partition by tenant_id order by look_at) as place,
             ceil((${perTenant}::float8 - coalesce(taken.count, 0)) / ${perEndpoint}::float8) as room
        from seen
        left join unnest(${[...taken.keys()]}::uuid[], ${[...taken.values()]}::int[]) as taken (tenant, count)
               on taken.tenant = tenant_id)
    select endpoint_id as "endpointId", held.id is not null as "isHeld", (select count(*) from seen) as seen
      from (select * from placed where place <= room order by place, look_at limit ${limit}) as chosen
      left join lateral (select id from webhook_endpoints where id = endpoint_id for no key update skip locked) as held on true
     order by place, look_at`,
  );
  return { turns, areMore: turns.length === limit || turns[0]?.seen === seenMax };
}

/** As the system role, after their turns were locked: the endpoints at which something can begin now. */
export async function listReady(tx: Tx, endpointIds: readonly string[], isProven: boolean): Promise<string[]> {
  const ready = await rows<{ id: string }>(
    tx,
    sql`
    select endpoint_id as id from unnest(${endpointIds}::uuid[]) with ordinality as asked (id, place)
      join webhook_looks(${endpointIds}::uuid[]) as look on look.endpoint_id = asked.id
     where greatest(look_at, next_free_at - make_interval(secs => ${AHEAD_MAX_SECONDS})) <= statement_timestamp()
       and look.is_proven = ${isProven}
     order by place`,
  );
  return ready.map(({ id }) => id);
}

/** An endpoint that another transaction holds, or with as many attempts under way as it may have, unless it is woken before. */
const BUSY_SECONDS = 1;

/**
 * As the system role, at the end of a claim: when each endpoint that it looked at is worth looking at again. None stays where it was, so
 * that one where nothing can begin does not keep others from their turns.
 */
export async function moveTurns(
  tx: Tx,
  endpointIds: readonly string[],
  served: ReadonlySet<string>,
  { perEndpoint, leaseSeconds }: Pick<ClaimOrder, 'perEndpoint' | 'leaseSeconds'>,
): Promise<void> {
  await execute(
    tx,
    sql`
    with next as (
      select tenant_id, endpoint_id, is_proven,
             greatest(look_at, next_free_at - make_interval(secs => ${AHEAD_MAX_SECONDS}),
                      clock_timestamp() + make_interval(secs => case
                        when look_at > statement_timestamp() then 0
                        when not is_served or ${perEndpoint}::int <= (
                          select count(*) from webhook_deliveries as under_way
                           where under_way.endpoint_id = looked.id and under_way.state = 'pending'
                             and under_way.leased_until > statement_timestamp()
                             -- The end of the lease: so a few entries of the index are read, not all.
                             and under_way.next_attempt_at > statement_timestamp()
                             and under_way.next_attempt_at <= statement_timestamp() + make_interval(secs => ${leaseSeconds}))
                        then ${BUSY_SECONDS} else 0 end)) as look_at
        from unnest(${endpointIds}::uuid[], ${endpointIds.map((id) => served.has(id))}::boolean[]) as looked (id, is_served)
        join webhook_looks(${endpointIds}::uuid[]) on endpoint_id = looked.id),
    moved as (
      update webhook_turns as turn set look_at = next.look_at, is_proven = next.is_proven
        from next where turn.tenant_id = next.tenant_id and turn.endpoint_id = next.endpoint_id)
    delete from webhook_turns as turn
     using unnest(${endpointIds}::uuid[]) as looked (id)
      join webhook_endpoints on webhook_endpoints.id = looked.id
     where turn.tenant_id = webhook_endpoints.tenant_id and turn.endpoint_id = looked.id
       and not exists (select from next where next.endpoint_id = looked.id)`,
  );
}

export const FIRST_ENDPOINT = '00000000-0000-0000-0000-000000000000';
/** Longer than any claim takes. */
const MISSED_SECONDS = 5;

/** As the system role: the next endpoints, each with whether something could begin there that no claim would look for soon. */
export function listMissed(
  tx: Tx,
  after: string,
  limit: number,
): Promise<{ readonly endpointId: string; readonly isMissed: boolean }[]> {
  return rows<{ endpointId: string; isMissed: boolean }>(
    tx,
    sql`
    select endpoint.id as "endpointId",
           exists (select from webhook_looks(array[endpoint.id]) as look
                    where greatest(look_at, next_free_at - make_interval(secs => ${AHEAD_MAX_SECONDS}))
                          < clock_timestamp() - make_interval(secs => ${MISSED_SECONDS})
                      and not exists (select from webhook_turns as turn
                                       where turn.tenant_id = endpoint.tenant_id and turn.endpoint_id = endpoint.id
                                         and turn.look_at < clock_timestamp() + make_interval(secs => ${MISSED_SECONDS})))
           as "isMissed"
      from webhook_endpoints as endpoint
     where endpoint.id > ${after} and status <> 'deleted'
     order by endpoint.id limit ${limit}`,
  );
}
