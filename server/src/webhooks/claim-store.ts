// The work of webhooks: events become deliveries, workers claim deliveries, attempts settle them. Handing out and claiming
// run as the system role, for all tenants; settling runs as the app role of one tenant.
import type { EventCursor } from '../events/read-events.ts';
import { execute, rows, sql, type Tx } from '../lib/postgres/sql.ts';

export async function getFanoutCursor(tx: Tx): Promise<EventCursor> {
  const [row] = await rows<EventCursor>(
    tx,
    sql`select xact_id::text as "xactId", event as id from webhook_fanout where id = 1`,
  );
  if (!row) throw new Error('the cursor of webhooks is missing');
  return row;
}

/** False when another worker has moved it: its deliveries are inserted already. */
export async function moveFanoutCursor(tx: Tx, from: EventCursor, to: EventCursor): Promise<boolean> {
  const moved = await execute(
    tx,
    sql`
    update webhook_fanout set xact_id = ${to.xactId}::xid8, event = ${to.id}
     where id = 1 and xact_id = ${from.xactId}::xid8 and event = ${from.id}`,
  );
  return moved === 1;
}

export type HandedOut = {
  readonly deliveryId: string;
  readonly tenantId: string;
  readonly eventId: string;
  readonly eventType: string;
  readonly isTest: boolean;
  readonly creditReportId: string | null;
  readonly place: EventCursor;
  readonly body: string;
};

export type EndpointWants = {
  readonly id: string;
  readonly tenantId: string;
  readonly isTest: boolean;
  readonly eventTypes: readonly string[] | null;
};

/** Disabled ones too: what happens meanwhile waits for them. */
export function listWants(tx: Tx, tenantIds: readonly string[]): Promise<EndpointWants[]> {
  return rows<EndpointWants>(
    tx,
    sql`
    select id, tenant_id as "tenantId", is_test as "isTest", event_types as "eventTypes" from webhook_endpoints
     where tenant_id = any (${tenantIds}::uuid[]) and status <> 'deleted'`,
  );
}

export type NewDelivery = HandedOut & { readonly endpointId: string };

/**
 * `isReplay` makes deliveries that are settled due again; otherwise one that is there already stays as it is. Deleted
 * endpoints get none, although one may have been deleted since it was listed.
 */
export async function insertDeliveries(
  tx: Tx,
  deliveries: readonly NewDelivery[],
  { attemptsMax, isReplay }: { readonly attemptsMax: number; readonly isReplay: boolean },
): Promise<number> {
  if (deliveries.length === 0) return 0;
  return execute(
    tx,
    sql`
    insert into webhook_deliveries as kept (tenant_id, id, endpoint_id, event_id, event_type, credit_report_id, place_xact_id,
                                            place_event, body, attempts_max)
    select added.tenant_id, added.id, endpoint_id, event_id, event_type, credit_report_id, place_xact_id, place_event, body,
           ${attemptsMax}
      from unnest(${deliveries.map((each) => each.tenantId)}::uuid[], ${deliveries.map((each) => each.deliveryId)}::uuid[],
                  ${deliveries.map((each) => each.endpointId)}::uuid[], ${deliveries.map((each) => each.eventId)}::text[],
                  ${deliveries.map((each) => each.eventType)}::text[],
                  ${deliveries.map((each) => each.creditReportId)}::uuid[],
                  ${deliveries.map((each) => each.place.xactId)}::xid8[],
                  ${deliveries.map((each) => each.place.id)}::bigint[], ${deliveries.map((each) => each.body)}::text[])
           as added (tenant_id, id, endpoint_id, event_id, event_type, credit_report_id, place_xact_id, place_event, body)
      join webhook_endpoints on webhook_endpoints.tenant_id = added.tenant_id and webhook_endpoints.id = endpoint_id
                            and status <> 'deleted'
     order by added.tenant_id, endpoint_id, event_id
    on conflict (tenant_id, endpoint_id, event_id) do update
       set state = 'pending', attempts = 0, next_attempt_at = clock_timestamp(), leased_until = null, settled_at = null,
           fence = kept.fence + 1, touched_at = clock_timestamp()
     where ${isReplay} and kept.state <> 'pending'`,
  );
}

export type Replay = {
  readonly tenantId: string;
  readonly endpointId: string;
  readonly isTest: boolean;
  readonly eventTypes: readonly string[] | null;
  readonly since: Date;
  readonly after: EventCursor;
};

/** One of each tenant, in random order: neither a tenant with many replays nor one that fails is always the first. */
export async function listReplays(tx: Tx, limit: number): Promise<Replay[]> {
  const found = await rows<Omit<Replay, 'after'> & { xactId: string; event: number }>(
    tx,
    sql`
    select * from (
      select distinct on (tenant_id) tenant_id as "tenantId", id as "endpointId", is_test as "isTest",
             event_types as "eventTypes", replay_since as since, replay_xact_id::text as "xactId", replay_event as event
        from webhook_endpoints where replay_since is not null order by tenant_id, random()) as chosen
     order by random() limit ${limit}`,
  );
  return found.map(({ xactId, event, ...replay }) => ({ ...replay, after: { xactId, id: event } }));
}

/** Undefined ends the replay. False when another worker has moved it, or the tenant has begun it anew. */
export async function moveReplay(tx: Tx, replay: Replay, to: EventCursor | undefined): Promise<boolean> {
  const { endpointId, since, after } = replay;
  const moved = await execute(
    tx,
    sql`
    update webhook_endpoints
       set replay_since = case when ${to === undefined} then null else replay_since end,
           replay_xact_id = ${to?.xactId ?? null}::xid8, replay_event = ${to?.id ?? null}
     where id = ${endpointId} and replay_since = ${since} and replay_xact_id = ${after.xactId}::xid8
       and replay_event = ${after.id}`,
  );
  return moved === 1;
}

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

export type ClaimableEndpoint = {
  readonly id: string;
  readonly isOrdered: boolean;
};

/**
 * Locks endpoints that have something due, in random order, so that none is always the first. An endpoint that another
 * worker holds is skipped: two claims at once must not both count the same places as free. The status is asked for twice,
 * because PostgreSQL looks at the outer condition again when the row was changed before it was locked.
 */
export function lockDueEndpoints(tx: Tx, order: ClaimOrder): Promise<ClaimableEndpoint[]> {
  return rows<ClaimableEndpoint>(
    tx,
    sql`
    select id, is_ordered as "isOrdered" from webhook_endpoints
     where id = any (array(
       select id from (
         select id, row_number() over (partition by tenant_id order by random()) as place,
                ceil((${order.perTenant}::float8 - coalesce(taken.count, 0)) / ${order.perEndpoint}::float8) as room
           from webhook_endpoints
           left join unnest(${[...order.taken.keys()]}::uuid[], ${[...order.taken.values()]}::int[])
                     as taken (tenant, count) on taken.tenant = tenant_id
          where status = 'enabled' and is_proven = ${order.isProven}
            and (paused_until is null or paused_until <= statement_timestamp())
            and exists (select from webhook_deliveries
                         where endpoint_id = webhook_endpoints.id and state = 'pending'
                           and next_attempt_at <= statement_timestamp())) as due
        where place <= room order by place, random() limit ${order.limit}))
       and status = 'enabled'
       for no key update skip locked`,
  );
}

export type Claimed = {
  readonly tenantId: string;
  readonly id: string;
  readonly endpointId: string;
  readonly eventId: string;
  readonly body: string;
  readonly attempts: number;
  readonly attemptsMax: number;
  readonly fence: number;
  readonly sealedUrl: Buffer;
  readonly sealedSecret: Buffer;
  /** Null once its time is over. */
  readonly sealedOldSecret: Buffer | null;
};

/**
 * A few deliveries of each locked endpoint, with a lease: if this worker dies, another claims them after it. Of an ordered
 * endpoint only the first event of a report that is not settled can be claimed. The count of attempts has a ceiling: a number
 * that does not fit into its column would end the claims of all tenants.
 */
export function claimDeliveries(
  tx: Tx,
  endpoints: readonly ClaimableEndpoint[],
  { perEndpoint, limit, leaseSeconds }: ClaimOrder,
): Promise<Claimed[]> {
  return rows<Claimed>(
    tx,
    sql`
    with chosen as (
      select due.tenant_id, due.id
        from unnest(${endpoints.map(({ id }) => id)}::uuid[], ${endpoints.map(({ isOrdered }) => isOrdered)}::boolean[])
             as asked (id, is_ordered),
        lateral (
          select tenant_id, id from webhook_deliveries as waiting
           where endpoint_id = asked.id and state = 'pending' and next_attempt_at <= statement_timestamp()
             and (not asked.is_ordered or credit_report_id is null or place_event is null
                  or not exists (select from webhook_deliveries as earlier
                                  where earlier.endpoint_id = asked.id and earlier.state = 'pending'
                                    and earlier.credit_report_id = waiting.credit_report_id
                                    and (earlier.place_xact_id, earlier.place_event)
                                        < (waiting.place_xact_id, waiting.place_event)))
           order by next_attempt_at, place_xact_id, place_event
           limit greatest(0, ${perEndpoint}::int - (select count(*) from webhook_deliveries as under_way
                                                where under_way.endpoint_id = asked.id and under_way.state = 'pending'
                                                  and under_way.leased_until > statement_timestamp()))
             for update skip locked) as due
       limit ${limit})
    update webhook_deliveries as claimed
       set attempts = least(attempts + 1, 32000), fence = fence + 1,
           next_attempt_at = clock_timestamp() + make_interval(secs => ${leaseSeconds}),
           leased_until = clock_timestamp() + make_interval(secs => ${leaseSeconds})
      from chosen, webhook_endpoints
     where claimed.tenant_id = chosen.tenant_id and claimed.id = chosen.id
       and webhook_endpoints.tenant_id = claimed.tenant_id and webhook_endpoints.id = claimed.endpoint_id
    returning claimed.tenant_id as "tenantId", claimed.id, endpoint_id as "endpointId", event_id as "eventId", body, attempts,
              attempts_max as "attemptsMax", fence, sealed_url as "sealedUrl", sealed_secret as "sealedSecret",
              case when old_secret_until > clock_timestamp() then sealed_old_secret end as "sealedOldSecret"`,
  );
}

export type Settlement =
  | { readonly state: 'delivered' | 'failed' }
  | { readonly state: 'pending'; readonly afterSeconds: number };

/** False when the claim is not the newest: another worker has the delivery, or the tenant has asked for it anew. */
export async function updateDeliverySettled(
  tx: Tx,
  { tenantId, id, fence }: Pick<Claimed, 'tenantId' | 'id' | 'fence'>,
  settlement: Settlement,
): Promise<boolean> {
  const afterSeconds = settlement.state === 'pending' ? settlement.afterSeconds : 0;
  const settled = await execute(
    tx,
    sql`
    update webhook_deliveries
       set state = ${settlement.state}, leased_until = null, touched_at = clock_timestamp(),
           next_attempt_at = clock_timestamp() + make_interval(secs => ${afterSeconds}),
           settled_at = case when ${settlement.state !== 'pending'} then clock_timestamp() end
     where tenant_id = ${tenantId} and id = ${id} and fence = ${fence} and state = 'pending'`,
  );
  return settled === 1;
}

/** The worker stops. The attempt does not count, although it may have reached the receiver: its outcome is not known. */
export async function updateDeliveryReleased(
  tx: Tx,
  { tenantId, id, fence }: Pick<Claimed, 'tenantId' | 'id' | 'fence'>,
): Promise<void> {
  await execute(
    tx,
    sql`
    update webhook_deliveries
       set attempts = attempts - 1, next_attempt_at = clock_timestamp(), leased_until = null
     where tenant_id = ${tenantId} and id = ${id} and fence = ${fence} and state = 'pending'`,
  );
}

export type NewAttempt = {
  readonly id: string;
  readonly deliveryId: string;
  readonly startedAt: Date;
  readonly timeTakenMs: number;
  readonly status: number | null;
  readonly sealedAnswer: Buffer | null;
  readonly error: string | null;
};

export async function insertAttempt(tx: Tx, tenantId: string, attempt: NewAttempt): Promise<void> {
  const { id, deliveryId, startedAt, timeTakenMs, status, sealedAnswer, error } = attempt;
  await execute(
    tx,
    sql`
    insert into webhook_attempts (tenant_id, delivery_id, id, started_at, time_taken_ms, status, sealed_answer, error)
    values (${tenantId}, ${deliveryId}, ${id}, ${startedAt}, ${timeTakenMs}, ${status}, ${sealedAnswer}, ${error})`,
  );
}

export type DeliveryQueue = { readonly waiting: number; readonly oldestSeconds: number };

/** As the system role: what is due for endpoints that work. What a failing endpoint lets pile up says nothing about us. */
export async function readDeliveryQueue(tx: Tx): Promise<DeliveryQueue> {
  const [queue] = await rows<DeliveryQueue>(
    tx,
    sql`
    select count(*) as waiting,
           coalesce(extract(epoch from clock_timestamp() - min(next_attempt_at)), 0)::float8 as "oldestSeconds"
      from webhook_deliveries
      join webhook_endpoints on webhook_endpoints.id = endpoint_id and status = 'enabled' and failures = 0
     where state = 'pending' and next_attempt_at <= statement_timestamp()`,
  );
  return queue ?? { waiting: 0, oldestSeconds: 0 };
}
