// Events become deliveries: as the system role, for all tenants.
import type { EventCursor } from '../../events/read-events.ts';
import { execute, rows, sql, type Tx } from '../../lib/postgres/sql.ts';
import { arrangeLines, linesOf } from '../order-store.ts';
import { wakeEndpoints } from '../turn-store.ts';

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
  /** When the event happened: its deliveries are kept for so long after that, however often it is sent again. */
  readonly happenedAt: string;
  readonly body: string;
};

export type EndpointWants = {
  readonly id: string;
  readonly tenantId: string;
  readonly isTest: boolean;
  readonly isOrdered: boolean;
  readonly eventTypes: readonly string[] | null;
};

/** Disabled ones too: what happens meanwhile waits for them. */
export function listWants(tx: Tx, tenantIds: readonly string[]): Promise<EndpointWants[]> {
  return rows<EndpointWants>(
    tx,
    sql`
    select id, tenant_id as "tenantId", is_test as "isTest", is_ordered as "isOrdered", event_types as "eventTypes"
      from webhook_endpoints
     where tenant_id = any (${tenantIds}::uuid[]) and status <> 'deleted'`,
  );
}

export type NewDelivery = HandedOut & {
  readonly endpointId: string;
  /** Whether its endpoint keeps the order of each report. */
  readonly isOrdered: boolean;
};

/**
 * `isReplay` makes deliveries that are settled due again, with the event as it reads now: an older release may have left a field out. Otherwise one that is there already stays as it is. Deleted
 * endpoints get none, although one may have been deleted since it was listed. Inserted in the order of the events, so that each is due
 * after the one before it: without `ordered` too, attempts begin in that order.
 */
export async function insertDeliveries(
  tx: Tx,
  deliveries: readonly NewDelivery[],
  { attemptsMax, isReplay }: { readonly attemptsMax: number; readonly isReplay: boolean },
): Promise<number> {
  if (deliveries.length === 0) return 0;
  const count = await execute(
    tx,
    sql`
    insert into webhook_deliveries as kept (tenant_id, id, endpoint_id, event_id, event_type, credit_report_id, place_xact_id,
                                            place_event, body, touched_at, attempts_max)
    select added.tenant_id, added.id, endpoint_id, event_id, event_type, credit_report_id, place_xact_id, place_event, body,
           happened_at, ${attemptsMax}
      from unnest(${deliveries.map((each) => each.tenantId)}::uuid[], ${deliveries.map((each) => each.deliveryId)}::uuid[],
                  ${deliveries.map((each) => each.endpointId)}::uuid[], ${deliveries.map((each) => each.eventId)}::text[],
                  ${deliveries.map((each) => each.eventType)}::text[],
                  ${deliveries.map((each) => each.creditReportId)}::uuid[],
                  ${deliveries.map((each) => each.place.xactId)}::xid8[],
                  ${deliveries.map((each) => each.place.id)}::bigint[], ${deliveries.map((each) => each.body)}::text[],
                  ${deliveries.map((each) => each.happenedAt)}::timestamptz[])
           as added (tenant_id, id, endpoint_id, event_id, event_type, credit_report_id, place_xact_id, place_event, body,
                     happened_at)
      join webhook_endpoints on webhook_endpoints.tenant_id = added.tenant_id and webhook_endpoints.id = endpoint_id
                            and status <> 'deleted'
     order by added.tenant_id, endpoint_id, place_xact_id, place_event
    on conflict (tenant_id, endpoint_id, event_id) do update
       set state = 'pending', attempts = 0, next_attempt_at = clock_timestamp(), leased_until = null, settled_at = null,
           fence = kept.fence + 1, body = excluded.body
     where ${isReplay} and kept.state <> 'pending'`,
  );
  await arrangeLines(tx, linesOf(deliveries.filter(({ isOrdered }) => isOrdered)));
  await wakeEndpoints(
    tx,
    deliveries.map(({ endpointId }) => endpointId),
  );
  return count;
}

export type Replay = {
  readonly tenantId: string;
  readonly endpointId: string;
  readonly isTest: boolean;
  readonly isOrdered: boolean;
  readonly eventTypes: readonly string[] | null;
  readonly since: Date;
  readonly after: EventCursor;
};

/**
 * One of each tenant, in random order: neither a tenant with many replays nor one that fails is always the first. Those of a
 * disabled tenant stand still until it is enabled.
 */
export async function listReplays(tx: Tx, limit: number): Promise<Replay[]> {
  const found = await rows<Omit<Replay, 'after'> & { xactId: string; event: number }>(
    tx,
    sql`
    select * from (
      select distinct on (tenant_id) tenant_id as "tenantId", id as "endpointId", is_test as "isTest",
             is_ordered as "isOrdered", event_types as "eventTypes", replay_since as since, replay_xact_id::text as "xactId", replay_event as event
        from webhook_endpoints
       where replay_since is not null and exists (select from tenants where tenants.id = tenant_id and is_enabled)
       order by tenant_id, random()) as chosen
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
