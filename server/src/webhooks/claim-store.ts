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
  readonly leaseSeconds: number;
};

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
             as asked (id, room),
        -- One after the other, in the order asked for: when the places are taken, the rest is not looked at.
        lateral (select tenant_id, status, confirming_id from webhook_endpoints where id = asked.id limit 1) as endpoint,
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

/** As the system role: neither its tenant nor its endpoint was stopped since the claim. */
export async function isStillWanted(
  tx: Tx,
  { tenantId, id, endpointId }: Pick<Claimed, 'tenantId' | 'id' | 'endpointId'>,
): Promise<boolean> {
  const found = await rows(
    tx,
    sql`
    select from webhook_endpoints as endpoint
      join tenants on tenants.id = endpoint.tenant_id and is_enabled
     where endpoint.tenant_id = ${tenantId} and endpoint.id = ${endpointId}
       and (status = 'enabled' or status = 'disabled' and confirming_id = ${id})`,
  );
  return found.length > 0;
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
       and (held_until is null or held_until <= statement_timestamp())
       and (hosts.paused_until is null or hosts.paused_until <= statement_timestamp())
       and (next_free_at is null or next_free_at <= statement_timestamp() + make_interval(secs => ${AHEAD_MAX_SECONDS}))`,
  );
  return queue ?? { waiting: 0, oldestSeconds: 0 };
}
