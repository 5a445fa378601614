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
  await makeDue(tx, deliveries);
  return count;
}

/** What was given up is due again with all its attempts, in the order of the events; what never was handed out stays so. */
export async function reviveFailed(tx: Tx, deliveries: readonly NewDelivery[]): Promise<number> {
  if (deliveries.length === 0) return 0;
  const count = await execute(
    tx,
    sql`
    with chosen as (
      select kept.tenant_id, kept.id
        from unnest(${deliveries.map((each) => each.tenantId)}::uuid[], ${deliveries.map((each) => each.endpointId)}::uuid[],
                    ${deliveries.map((each) => each.eventId)}::text[]) as asked (tenant_id, endpoint_id, event_id)
        join webhook_deliveries as kept on kept.tenant_id = asked.tenant_id and kept.endpoint_id = asked.endpoint_id
                                       and kept.event_id = asked.event_id and state = 'failed'
       order by kept.tenant_id, kept.endpoint_id, place_xact_id, place_event
         for update of kept)
    update webhook_deliveries as revived
       -- One time for all: claims then take them in the order of the events.
       set state = 'pending', attempts = 0, next_attempt_at = statement_timestamp(), leased_until = null, settled_at = null,
           fence = fence + 1
      from chosen where revived.tenant_id = chosen.tenant_id and revived.id = chosen.id`,
  );
  await makeDue(tx, deliveries);
  return count;
}

/** Of each line the first alone, where the order is kept; and somebody looks at it. */
async function makeDue(tx: Tx, deliveries: readonly NewDelivery[]): Promise<void> {
  await arrangeLines(tx, linesOf(deliveries.filter(({ isOrdered }) => isOrdered)));
  await wakeEndpoints(
    tx,
    deliveries.map(({ endpointId }) => endpointId),
  );
}
