// The outbox for its readers over HTTP: pages of one tenant, and which tenants have news.
import { rows, sql, type Tx } from '../lib/postgres/sql.ts';
import type { EventCursor, NumberedRow, PlacedEvent } from './store.ts';

export type EventFilter = {
  readonly types: readonly string[] | null;
  readonly creditReportId: string | null;
  /** Inclusive and exclusive, as ISO 8601 or `-infinity` and `infinity`. */
  readonly from: string;
  readonly to: string;
  /** Null: both. */
  readonly isTest: boolean | null;
};

export type Window = {
  readonly after: EventCursor;
  /** How many rows are looked at for these filters: a rare type must not cause a scan of all events. */
  readonly size: number;
};

export type SeenEvents = {
  readonly found: readonly NumberedRow[];
  readonly seenCount: number;
  /** The last row that was looked at; undefined when there was none. */
  readonly last: (EventCursor & { readonly createdAt: Date }) | undefined;
};

export type SeenRow = Partial<NumberedRow> & {
  readonly seenCount: number;
  readonly lastXactId: string | null;
  readonly lastId: number | null;
  readonly lastAt: Date | null;
};

/**
 * A tenant's committed events after a place that match, and, from the same snapshot, where the look ended: a reader that
 * continues there has passed over nothing it did not see. Call it after `walkInKeyOrder`. The tenant is part of the place and
 * not a condition of its own: PostgreSQL would otherwise sometimes walk through the events of all tenants in their order.
 */
export async function listEvents(
  tx: Tx,
  tenantId: string,
  filter: EventFilter,
  { after, size }: Window,
  limit: number,
): Promise<SeenEvents> {
  const { types, creditReportId, from, to, isTest } = filter;
  const found = await rows<SeenRow>(
    tx,
    sql`
    with seen as materialized (
      select xact_id, id, tenant_id, type, subject_id, credit_report_id, challenge_id, is_test, amount, balance, created_at,
             row_number() over (order by tenant_id, xact_id, id) as place
        from outbox
       where (tenant_id, xact_id, id) > (${tenantId}::uuid, ${after.xactId}::xid8, ${after.id}::bigint)
         and (tenant_id, xact_id) < (${tenantId}::uuid, pg_snapshot_xmin(pg_current_snapshot()))
       order by tenant_id, xact_id, id limit ${size}),
    first as materialized (select event_count(tenant_id, xact_id, id) as count from seen where place = 1),
    matched as (
      select xact_id::text as "xactId", id, tenant_id as "tenantId", type, subject_id as "subjectId",
             credit_report_id as "creditReportId", challenge_id as "challengeId", is_test as "isTest", amount, balance,
             created_at as "createdAt", first.count + place - 1 as sequence, place
        from seen, first
       where (${types}::text[] is null or type = any (${types}::text[]))
         and (${creditReportId}::uuid is null or credit_report_id = ${creditReportId}::uuid)
         and created_at >= ${from}::timestamptz and created_at < ${to}::timestamptz
         and (${isTest}::boolean is null or is_test = ${isTest}::boolean)
       order by place limit ${limit})
    select ends.*, matched.*
      from (select (select count(*) from seen) as "seenCount", last.*
              from (select 1) as one
              left join (select xact_id::text as "lastXactId", id as "lastId", created_at as "lastAt"
                           from seen order by place desc limit 1) as last on true) as ends
      left join matched on true
     order by matched.place`,
  );
  return toSeen(found);
}

/** From the rows that match, each with the end of the look beside it; one row without an event where none does. */
export function toSeen(found: readonly SeenRow[]): SeenEvents {
  const [{ seenCount = 0, lastXactId = null, lastId = null, lastAt = null } = {}] = found;
  return {
    found: found.filter((row): row is SeenRow & NumberedRow => row.xactId !== null),
    seenCount,
    last:
      lastXactId !== null && lastId !== null && lastAt
        ? { xactId: lastXactId, id: lastId, createdAt: lastAt }
        : undefined,
  };
}

/** One of the two. */
type Before = { readonly at?: string; readonly number?: number };

/**
 * Binary search for a place in a tenant's events, which are in the order of time and of their numbers but for moments. Each look reads
 * one entry of the index: the order names the table's column, which a column of the result with its name would hide, and a place is
 * converted before it is compared, since row-level security lets an index answer only comparisons that cannot fail.
 */
async function findPlace(tx: Tx, tenantId: string, { at, number }: Before): Promise<EventCursor> {
  const [place] = await rows<{ xactId: string }>(
    tx,
    sql`
    with recursive halving (low, high) as (
      select (select xact_id::text::bigint from outbox
               where (tenant_id, xact_id) >= (${tenantId}::uuid, '0'::xid8) and tenant_id <= ${tenantId}::uuid
               order by tenant_id, outbox.xact_id, id limit 1),
             (select xact_id::text::bigint from outbox
               where (tenant_id, xact_id) >= (${tenantId}::uuid, '0'::xid8) and tenant_id <= ${tenantId}::uuid
               order by tenant_id desc, outbox.xact_id desc, id desc limit 1) + 1
      union all
      select case when is_before then middle + 1 else low end, case when is_before then high else middle end
        from (select low, high, middle,
                     (select coalesce(created_at < ${at ?? null}::timestamptz, id < ${number ?? null}::bigint) from outbox
                       where (tenant_id, xact_id) >= (${tenantId}::uuid, halves.place) and tenant_id <= ${tenantId}::uuid
                       order by tenant_id, xact_id, id limit 1) as is_before
                from (select low, high, (low + high) / 2 as middle, ((low + high) / 2)::text::xid8 as place
                        from halving where low < high offset 0) as halves offset 0) as probe
       where is_before is not null
    )
    select low::text as "xactId" from halving where low is not null order by high - low limit 1`,
  );
  return { xactId: place?.xactId ?? '0', id: 0 };
}

/** All events from this time on are after it. */
export const findPlaceAt = (tx: Tx, tenantId: string, at: string): Promise<EventCursor> =>
  findPlace(tx, tenantId, { at });

/**
 * So many events on each side of its place by number are looked at for one. The order of numbers differs from that of places only
 * where transactions of one tenant run at the same moment, so it is among the nearest few.
 */
const NEAR = 1_000;

/**
 * One event of a tenant by its number, if it can be read now. No index has the numbers alone: it would be written with every
 * event. Call it after `walkInKeyOrder`.
 */
export async function findReadable(tx: Tx, tenantId: string, number: number): Promise<NumberedRow | undefined> {
  const { xactId } = await findPlace(tx, tenantId, { number });
  const [found] = await rows<NumberedRow>(
    tx,
    sql`
    select xact_id::text as "xactId", id, tenant_id as "tenantId", type, subject_id as "subjectId",
           credit_report_id as "creditReportId", challenge_id as "challengeId", is_test as "isTest", amount, balance,
           created_at as "createdAt", event_count(tenant_id, xact_id, id) as sequence
      from ((select * from outbox
              where (tenant_id, xact_id) >= (${tenantId}::uuid, '0'::xid8)
                and (tenant_id, xact_id) < (${tenantId}::uuid, ${xactId}::xid8)
              order by tenant_id desc, xact_id desc, id desc limit ${NEAR})
            union all
            (select * from outbox
              where (tenant_id, xact_id) >= (${tenantId}::uuid, ${xactId}::xid8)
                and (tenant_id, xact_id) <= (${tenantId}::uuid, '18446744073709551615'::xid8)
              order by tenant_id, xact_id, id limit ${NEAR})
            union all
            -- In the middle of a transaction that wrote more than these.
            (select * from outbox
              where tenant_id = ${tenantId} and id = ${number}::bigint
                and xact_id = (select xact_id from outbox
                                where (tenant_id, xact_id) >= (${tenantId}::uuid, '0'::xid8)
                                  and (tenant_id, xact_id) < (${tenantId}::uuid, ${xactId}::xid8)
                                order by tenant_id desc, xact_id desc, id desc limit 1))) as near
     where id = ${number}::bigint and xact_id < pg_snapshot_xmin(pg_current_snapshot())`,
  );
  return found;
}

/**
 * The last event of a tenant that can be read now; undefined when there is none. An event that is committed behind a running
 * transaction comes after it: it can be read only later, and a reader that begins here must not miss it.
 */
export async function findLastReadable(tx: Tx, tenantId: string): Promise<EventCursor | undefined> {
  const [last] = await rows<EventCursor>(
    tx,
    sql`
    select xact_id::text as "xactId", id from outbox
     where (tenant_id, xact_id) >= (${tenantId}::uuid, '0'::xid8)
       and (tenant_id, xact_id) < (${tenantId}::uuid, pg_snapshot_xmin(pg_current_snapshot()))
     order by tenant_id desc, xact_id desc, id desc limit 1`,
  );
  return last;
}

export type Waiting = { readonly tenantId: string; readonly after: EventCursor };

/** As the system role: which of these have a committed event after their place. One index look-up for each. */
export async function listWoken(tx: Tx, waiting: readonly Waiting[]): Promise<number[]> {
  const found = await rows<{ place: number }>(
    tx,
    sql`
    select (place - 1)::integer as place
      from unnest(${waiting.map(({ tenantId }) => tenantId)}::uuid[], ${waiting.map(({ after }) => after.xactId)}::xid8[],
                  ${waiting.map(({ after }) => after.id)}::bigint[])
           with ordinality as waiting (tenant_id, xact_id, id, place)
     where exists (select from outbox
                    where (outbox.tenant_id, outbox.xact_id, outbox.id) > (waiting.tenant_id, waiting.xact_id, waiting.id)
                      and (outbox.tenant_id, outbox.xact_id)
                          < (waiting.tenant_id, pg_snapshot_xmin(pg_current_snapshot())))`,
  );
  return found.map(({ place }) => place);
}

/**
 * The latest events of these types in one mode, newest first, whatever else happened since. Call it after `walkInKeyOrder`. The index
 * `outbox_latest` has no other types than those of an activity: another one here would read all events of the tenant. The tenant is
 * part of the place, as in `listEvents`; the mode is part of the order, which only that index has.
 */
export function listNewest(
  tx: Tx,
  tenantId: string,
  { types, isTest }: { readonly types: readonly string[]; readonly isTest: boolean },
  limit: number,
): Promise<PlacedEvent[]> {
  return rows<PlacedEvent>(
    tx,
    sql`
    select xact_id::text as "xactId", id, tenant_id as "tenantId", type, subject_id as "subjectId",
           credit_report_id as "creditReportId", challenge_id as "challengeId", is_test as "isTest", amount, balance,
           created_at as "createdAt"
      from outbox
     where (tenant_id, xact_id) >= (${tenantId}::uuid, '0'::xid8)
       and (tenant_id, xact_id) <= (${tenantId}::uuid, '18446744073709551615'::xid8)
       and is_test = ${isTest} and type = any (${types}::text[])
     order by is_test desc, tenant_id desc, outbox.xact_id desc, id desc limit ${limit}`,
  );
}
