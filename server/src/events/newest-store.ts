// The outbox of one tenant from its end: pages that go back in time.
import { rows, sql, type Tx } from '../lib/postgres/sql.ts';
import { type EventFilter, type SeenEvents, type SeenRow, toSeen } from './feed-store.ts';
import type { EventCursor } from './store.ts';

/** After every event: no database comes to this many transactions. */
export const LAST_CURSOR: EventCursor = { xactId: '9223372036854775807', id: 0 };

export type WindowBefore = {
  readonly before: EventCursor;
  /** How many rows are looked at for these filters. */
  readonly size: number;
};

/**
 * A tenant's committed events before a place that match, newest first, and where the look ended: as `listEvents` in
 * feed-store.ts, in the other direction. Call it after `walkInKeyOrder`. Events that a running transaction may still come
 * before are left out, so no event appears later in a part that was passed.
 */
export async function listEventsBefore(
  tx: Tx,
  tenantId: string,
  filter: EventFilter,
  { before, size }: WindowBefore,
  limit: number,
): Promise<SeenEvents> {
  const { types, creditReportId, from, to, isTest } = filter;
  const found = await rows<SeenRow>(
    tx,
    sql`
    with seen as materialized (
      select xact_id, id, tenant_id, type, subject_id, credit_report_id, challenge_id, is_test, amount, balance, created_at,
             row_number() over (order by tenant_id desc, xact_id desc, id desc) as place
        from outbox
       where (tenant_id, xact_id) >= (${tenantId}::uuid, '0'::xid8)
         and (tenant_id, xact_id, id) < (${tenantId}::uuid, ${before.xactId}::xid8, ${before.id}::bigint)
         and (tenant_id, xact_id) < (${tenantId}::uuid, pg_snapshot_xmin(pg_current_snapshot()))
       order by tenant_id desc, xact_id desc, id desc limit ${size}),
    first as materialized (select event_count(tenant_id, xact_id, id) as count from seen where place = 1),
    matched as (
      select xact_id::text as "xactId", id, tenant_id as "tenantId", type, subject_id as "subjectId",
             credit_report_id as "creditReportId", challenge_id as "challengeId", is_test as "isTest", amount, balance,
             created_at as "createdAt", first.count - place + 1 as sequence, place
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
