// Deliveries as their tenant reads them, with their attempts. Runs as the app role under row-level security.
import { rows, sql, type Tx } from '../../lib/postgres/sql.ts';
import type { DeliveryFilter, DeliveryState } from '../rules/delivery-filter.ts';

export type AttemptRow = {
  readonly id: string;
  readonly startedAt: Date;
  readonly timeTakenMs: number;
  readonly status: number | null;
  readonly sealedAnswer: Buffer | null;
  readonly error: string | null;
};

export type DeliveryRow = {
  readonly id: string;
  readonly endpointId: string;
  readonly eventId: string;
  readonly eventType: string;
  readonly creditReportId: string | null;
  readonly state: DeliveryState;
  readonly createdAt: Date;
  /** Null: it waits for an earlier event of its report. */
  readonly nextAttemptAt: Date | null;
  readonly settledAt: Date | null;
  /** The last ones, newest first. */
  readonly attempts: readonly AttemptRow[];
};

const HIGHEST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';
const LOWEST_ID = '00000000-0000-0000-0000-000000000000';
const ATTEMPTS_SHOWN = 10;

/** Bytes in base64, instants as text: so JSON has them. */
type StoredAttempt = Omit<AttemptRow, 'startedAt' | 'sealedAnswer'> & {
  readonly startedAt: string;
  readonly sealedAnswer: string | null;
};
type StoredDelivery = Omit<DeliveryRow, 'attempts'> & { readonly attempts: readonly StoredAttempt[] };

const toDelivery = ({ attempts, ...delivery }: StoredDelivery): DeliveryRow => ({
  ...delivery,
  attempts: attempts.map(({ startedAt, sealedAnswer, ...attempt }) => ({
    ...attempt,
    startedAt: new Date(startedAt),
    sealedAnswer: sealedAnswer === null ? null : Buffer.from(sealedAnswer, 'base64'),
  })),
});

const STATES: readonly DeliveryState[] = ['pending', 'delivered', 'failed'];

export type DeliveryWindow = {
  readonly endpointId: string;
  /** Ids from this one on, and before that one: the times of the filter, with a margin, and the cursor. */
  readonly fromId: string | undefined;
  readonly beforeId: string | undefined;
  /** How many rows are looked at for the filter: a rare type must not cause a walk through all deliveries. */
  readonly size: number;
};

export type SeenDeliveries = {
  readonly found: readonly DeliveryRow[];
  readonly seenCount: number;
  /** The last that was looked at; undefined when there was none. */
  readonly lastId: string | undefined;
};

type SeenRow = Partial<StoredDelivery> & { readonly seenCount: number; readonly lastId: string | null };

/**
 * Newest first. Each state is looked up by itself, since the index has the state before the id: a page of a rare state does
 * not walk through all the others. One statement, so that a delivery and its attempts are of the same moment: none is shown
 * as pending with an attempt that was accepted. Call it after `walkInKeyOrder`.
 */
export async function listDeliveryPage(
  tx: Tx,
  tenantId: string,
  { state, types, from, to, exceptId }: DeliveryFilter,
  { endpointId, fromId, beforeId, size }: DeliveryWindow,
  limit: number,
): Promise<SeenDeliveries> {
  const found = await rows<SeenRow>(
    tx,
    sql`
    with seen as materialized (
      select delivery.* from unnest(${state ? [state] : STATES}::text[]) as asked (state),
        lateral (
          select id, endpoint_id, event_id, event_type, credit_report_id, state, created_at, next_attempt_at, settled_at
            from webhook_deliveries
           where tenant_id = ${tenantId} and endpoint_id = ${endpointId} and webhook_deliveries.state = asked.state
             and id >= ${fromId ?? LOWEST_ID} and id < ${beforeId ?? HIGHEST_ID}
           order by id desc limit ${size}) as delivery
       order by delivery.id desc limit ${size}),
    page as (
      select id, endpoint_id as "endpointId", event_id as "eventId", event_type as "eventType",
             credit_report_id as "creditReportId", state, created_at as "createdAt",
             nullif(greatest(next_attempt_at, created_at), 'infinity') as "nextAttemptAt", settled_at as "settledAt"
        from seen
       where (${types}::text[] is null or event_type = any (${types}::text[]))
         and created_at >= ${from?.toISOString() ?? '-infinity'}::timestamptz
         and created_at < ${to?.toISOString() ?? 'infinity'}::timestamptz and id is distinct from ${exceptId}::uuid
       order by id desc limit ${limit})
    select (select count(*)::int from seen) as "seenCount", (select id from seen order by id limit 1) as "lastId",
           page.*, coalesce(last.attempts, '[]'::json) as attempts
      from (select 1) as one
      left join page on true,
      lateral (
        select json_agg(json_build_object('id', id, 'startedAt', started_at, 'timeTakenMs', time_taken_ms, 'status', status,
                                          'sealedAnswer', encode(sealed_answer, 'base64'), 'error', error)
                        order by id desc) as attempts
          from (select * from webhook_attempts
                 where tenant_id = ${tenantId} and delivery_id = page.id
                 order by id desc limit ${ATTEMPTS_SHOWN}) as shown) as last
     order by page.id desc`,
  );
  const [{ seenCount = 0, lastId = null } = {}] = found;
  return {
    found: found.flatMap(({ seenCount: _, lastId: __, ...row }) => (row.id ? toDelivery(row as StoredDelivery) : [])),
    seenCount,
    lastId: lastId ?? undefined,
  };
}

/** Not locked: whoever changes it holds its endpoint first, and only the delivery says which that is. */
export async function findDelivery(tx: Tx, tenantId: string, id: string): Promise<DeliveryRow | undefined> {
  const [delivery] = await rows<StoredDelivery>(
    tx,
    sql`
    select id, endpoint_id as "endpointId", event_id as "eventId", event_type as "eventType",
           credit_report_id as "creditReportId", state,
           created_at as "createdAt", nullif(greatest(next_attempt_at, created_at), 'infinity') as "nextAttemptAt", settled_at as "settledAt",
           coalesce((select json_agg(json_build_object('id', id, 'startedAt', started_at, 'timeTakenMs', time_taken_ms,
                                                       'status', status, 'sealedAnswer', encode(sealed_answer, 'base64'),
                                                       'error', error) order by id desc)
                       from (select * from webhook_attempts
                              where tenant_id = ${tenantId} and delivery_id = ${id}
                              order by id desc limit ${ATTEMPTS_SHOWN}) as shown), '[]'::json) as attempts
      from webhook_deliveries where tenant_id = ${tenantId} and id = ${id}`,
  );
  return delivery && toDelivery(delivery);
}

/** The delivery of an event to an endpoint: there is one at most. */
export async function findDeliveryOf(
  tx: Tx,
  tenantId: string,
  { endpointId, eventId }: { readonly endpointId: string; readonly eventId: string },
): Promise<DeliveryRow | undefined> {
  const [found] = await rows<{ id: string }>(
    tx,
    sql`
    select id from webhook_deliveries
     where tenant_id = ${tenantId} and endpoint_id = ${endpointId} and event_id = ${eventId}`,
  );
  return found && findDelivery(tx, tenantId, found.id);
}

export type StoredMessage = { readonly creditReportId: string | null; readonly body: string };

/** As it is stored: what is sent may say more (complete-bodies.ts). */
export async function findMessage(tx: Tx, tenantId: string, id: string): Promise<StoredMessage | undefined> {
  const [message] = await rows<StoredMessage>(
    tx,
    sql`
    select credit_report_id as "creditReportId", body from webhook_deliveries
     where tenant_id = ${tenantId} and id = ${id}`,
  );
  return message;
}
