// Workers claim deliveries: as the system role, for all tenants.
import type { EventType } from '@trefoil/contract';
import { execute, rows, sql, type Tx } from '../lib/postgres/sql.ts';
import { AHEAD_MAX_SECONDS } from './rules/budgets.ts';

/** Proven endpoints have most of the places; the others, which may hang, have places of their own. */
export type ClaimOrder = {
  readonly isProven: boolean;
  /** Deliveries at most. */
  readonly limit: number;
  /** Attempts under way to one endpoint, over all nodes. */
  readonly perEndpoint: number;
  /** Attempts under way for one tenant, on this node. */
  readonly perTenant: number;
  /** How many each tenant has under way on this node; a tenant that is not here has none. */
  readonly taken: ReadonlyMap<string, number>;
  /** The endpoint at which the claim before ended. */
  readonly after: string;
  readonly leaseSeconds: number;
};

export const LOWEST_ID = '00000000-0000-0000-0000-000000000000';
const HIGHEST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';
/** So many more endpoints than places are looked at: one endpoint of each tenant comes before the second of any. */
const LOOKED_AT = 100;

/**
 * Locks endpoints that have something due. It goes round in the index of what waits, from endpoint to endpoint, beginning
 * after the one where the last claim ended, and stops when it has seen enough: neither endpoints for which nothing waits nor
 * a long queue make a claim expensive, and none is always the first. An endpoint that another worker holds is skipped: two
 * claims at once must not both count the same places as free. The status is asked for twice, because PostgreSQL looks at the
 * outer condition again when the row was changed before it was locked.
 */
export async function lockDueEndpoints(tx: Tx, order: ClaimOrder): Promise<string[]> {
  const { isProven, limit, perEndpoint, perTenant, taken, after } = order;
  const full = [...taken].filter(([, count]) => count >= perTenant).map(([tenantId]) => tenantId);
  const locked = await rows<{ id: string }>(
    tx,
    sql`
    select id from webhook_endpoints
     where id = any (array(
       with recursive waiting (step, endpoint_id, due_at, until) as (
         select 0, ${after}::uuid, null::timestamptz, ${HIGHEST_ID}::uuid
         union all
         select waiting.step + 1, next.endpoint_id, next.next_attempt_at, next.until
           from waiting,
             lateral (
               (select endpoint_id, next_attempt_at, waiting.until from webhook_deliveries
                 where state = 'pending' and endpoint_id > waiting.endpoint_id and endpoint_id <= waiting.until
                 order by endpoint_id, next_attempt_at limit 1)
               union all
               -- From the last one to the first one, once.
               (select endpoint_id, next_attempt_at, ${after}::uuid from webhook_deliveries
                 where waiting.until = ${HIGHEST_ID}::uuid and state = 'pending' and endpoint_id <= ${after}::uuid
                 order by endpoint_id, next_attempt_at limit 1)
               limit 1) as next),
       due as (
         -- No order and no count in here: so PostgreSQL goes no further than this limit asks for.
         select id, tenant_id, step
           from waiting,
             -- One look-up for each that is due, and never a walk through all endpoints or tenants. What waits for a
             -- disabled tenant stays as it is (docs/decisions/0268-what-a-disabled-tenant-sends.md).
             lateral (select id, webhook_endpoints.tenant_id from webhook_endpoints
                        left join webhook_hosts as hosts on hosts.tenant_id = webhook_endpoints.tenant_id
                                                        and hosts.host = webhook_endpoints.host
                       where id = waiting.endpoint_id and is_proven = ${isProven}
                         and (status = 'enabled' or status = 'disabled' and exists (
                               -- One that said it was gone gets the test message that may enable it, and nothing else.
                               select from webhook_deliveries as test
                                where test.tenant_id = webhook_endpoints.tenant_id and test.id = confirming_id
                                  and state = 'pending' and next_attempt_at <= statement_timestamp()))
                         and (webhook_endpoints.paused_until is null or webhook_endpoints.paused_until <= statement_timestamp())
                         and (hosts.paused_until is null or hosts.paused_until <= statement_timestamp())
                         and (next_free_at is null
                              or next_free_at <= statement_timestamp() + make_interval(secs => ${AHEAD_MAX_SECONDS}))
                         and exists (select from tenants where tenants.id = webhook_endpoints.tenant_id and is_enabled)
                      offset 0) as endpoint
          where due_at <= statement_timestamp() and tenant_id <> all (${full}::uuid[])
          limit ${limit + LOOKED_AT})
       select id from (
         select id, step, row_number() over (partition by tenant_id order by random()) as place,
                ceil((${perTenant}::float8 - coalesce(taken.count, 0)) / ${perEndpoint}::float8) as room
           from due
           left join unnest(${[...taken.keys()]}::uuid[], ${[...taken.values()]}::int[]) as taken (tenant, count)
                  on taken.tenant = tenant_id) as placed
        where place <= room order by place, step limit ${limit}))
       and (status = 'enabled' or status = 'disabled' and confirming_id is not null)
       for no key update skip locked`,
  );
  return locked.map(({ id }) => id).toSorted((a, b) => compareTurns(after, a, b));
}

/** Those beyond the endpoint where the last claim ended come first, then those from the first one on. */
function compareTurns(after: string, a: string, b: string): number {
  const [isLaterA, isLaterB] = [a <= after, b <= after];
  if (isLaterA !== isLaterB) return isLaterA ? 1 : -1;
  return a < b ? -1 : 1;
}

export type Claimed = {
  readonly tenantId: string;
  readonly id: string;
  readonly endpointId: string;
  readonly eventId: string;
  readonly eventType: EventType;
  /** Null for events that are about no report. */
  readonly creditReportId: string | null;
  readonly body: string;
  readonly attempts: number;
  readonly attemptsMax: number;
  readonly fence: number;
  readonly sealedUrl: Buffer;
  readonly sealedSecret: Buffer;
  /** Null once its time is over. */
  readonly sealedOldSecret: Buffer | null;
  readonly host: string;
  /** Where the host was when it accepted messages of this tenant; empty when it never did. */
  readonly provenPlaces: readonly string[];
  /** It has said that it was gone since it accepted something. */
  readonly isHostGone: boolean;
  /** How many it has accepted. */
  readonly accepted: number;
  /** It is the test message that decides whether its endpoint is enabled. */
  readonly isConfirming: boolean;
};

/** An endpoint that a claim holds, and how many attempts it may begin there. */
export type Room = { readonly endpointId: string; readonly count: number };

/**
 * A few deliveries of each locked endpoint, with a lease: if this worker dies, another claims them after it. The count of attempts
 * has a ceiling: a number that does not fit into its column would end the claims of all tenants.
 */
export function claimDeliveries(
  tx: Tx,
  rooms: readonly Room[],
  { perEndpoint, limit, leaseSeconds }: ClaimOrder,
): Promise<Claimed[]> {
  return rows<Claimed>(
    tx,
    sql`
    with chosen as (
      select due.tenant_id, due.id
        from unnest(${rooms.map(({ endpointId }) => endpointId)}::uuid[], ${rooms.map(({ count }) => count)}::int[])
             as asked (id, room)
        join webhook_endpoints as endpoint on endpoint.id = asked.id,
        lateral (
          select * from (select tenant_id, id from webhook_deliveries
            where endpoint.status = 'enabled' and endpoint_id = asked.id and state = 'pending'
              and next_attempt_at <= statement_timestamp()
            order by next_attempt_at, place_xact_id, place_event
            limit greatest(0, least(room, ${perEndpoint}::int - (
              select count(*) from webhook_deliveries as under_way
               where under_way.endpoint_id = asked.id and under_way.state = 'pending'
                 and under_way.leased_until > statement_timestamp()
                 -- The end of the lease: so a few entries of the index are read, not all.
                 and under_way.next_attempt_at > statement_timestamp()
                 and under_way.next_attempt_at <= statement_timestamp() + make_interval(secs => ${leaseSeconds}))))
              for update skip locked) as first
          union all
          -- By its key: whatever else waits is not read.
          select * from (select tenant_id, id from webhook_deliveries
            where endpoint.status = 'disabled' and room > 0 and tenant_id = endpoint.tenant_id
              and id = endpoint.confirming_id and state = 'pending' and next_attempt_at <= statement_timestamp()
              for update skip locked) as test) as due
       limit ${limit})
    update webhook_deliveries as claimed
       set attempts = least(attempts + 1, 32000), fence = fence + 1,
           next_attempt_at = clock_timestamp() + make_interval(secs => ${leaseSeconds}),
           leased_until = clock_timestamp() + make_interval(secs => ${leaseSeconds})
      from chosen, webhook_endpoints as endpoint
      left join webhook_hosts as hosts on hosts.tenant_id = endpoint.tenant_id and hosts.host = endpoint.host
     where claimed.tenant_id = chosen.tenant_id and claimed.id = chosen.id
       and endpoint.tenant_id = claimed.tenant_id and endpoint.id = claimed.endpoint_id
    returning claimed.tenant_id as "tenantId", claimed.id, endpoint_id as "endpointId", event_id as "eventId",
              event_type as "eventType", credit_report_id as "creditReportId", body, attempts,
              attempts_max as "attemptsMax", fence, sealed_url as "sealedUrl", sealed_secret as "sealedSecret",
              case when old_secret_until > clock_timestamp() then sealed_old_secret end as "sealedOldSecret", endpoint.host,
              coalesce(proven_places, '{}') as "provenPlaces", coalesce(accepted, 0) as accepted,
              gone_at is not null as "isHostGone",
              coalesce(status = 'disabled' and confirming_id = claimed.id, false) as "isConfirming"`,
  );
}

/**
 * As the system role: ends what waits for deleted endpoints, which every claim would step over. Returns how many. A row that
 * another transaction holds is left for the next run. The age stays, so that no delivery outlives its endpoint.
 */
export function updateDeliveriesOfDeleted(tx: Tx, limit: number): Promise<number> {
  return execute(
    tx,
    sql`
    with chosen as (
      select waiting.tenant_id, waiting.id
        from webhook_endpoints as deleted,
          lateral (select tenant_id, id from webhook_deliveries
                    where endpoint_id = deleted.id and state = 'pending'
                    order by endpoint_id, next_attempt_at limit ${limit} for update skip locked) as waiting
       where deleted_at is not null
       limit ${limit})
    update webhook_deliveries as ended set state = 'failed', leased_until = null, settled_at = clock_timestamp()
      from chosen where ended.tenant_id = chosen.tenant_id and ended.id = chosen.id`,
  );
}

export type DeliveryQueue = { readonly waiting: number; readonly oldestSeconds: number };

/**
 * As the system role: what is due for endpoints that work, of enabled tenants. What a failing endpoint, a receiver that has had its
 * share or a disabled tenant lets pile up says nothing about us.
 */
export async function readDeliveryQueue(tx: Tx): Promise<DeliveryQueue> {
  const [queue] = await rows<DeliveryQueue>(
    tx,
    sql`
    select count(*) as waiting,
           coalesce(extract(epoch from clock_timestamp() - min(next_attempt_at)), 0)::float8 as "oldestSeconds"
      from webhook_deliveries
      join webhook_endpoints on webhook_endpoints.id = endpoint_id and status = 'enabled' and failures = 0
      join tenants on tenants.id = webhook_endpoints.tenant_id and is_enabled
      left join webhook_hosts as hosts on hosts.tenant_id = webhook_endpoints.tenant_id and hosts.host = webhook_endpoints.host
     where state = 'pending' and next_attempt_at <= statement_timestamp()
       and (hosts.paused_until is null or hosts.paused_until <= statement_timestamp())
       and (next_free_at is null or next_free_at <= statement_timestamp() + make_interval(secs => ${AHEAD_MAX_SECONDS}))`,
  );
  return queue ?? { waiting: 0, oldestSeconds: 0 };
}
