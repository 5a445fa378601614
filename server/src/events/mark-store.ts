// Marks: how many events of a tenant there were up to a place. `event_count` (0045_event_sequences.sql) counts on from them.
import { rows, sql, type Tx } from '../lib/postgres/sql.ts';
import type { EventCursor } from './store.ts';

/** As the system role: up to where there are marks. Undefined when another worker is at it. */
export async function lockMarking(tx: Tx): Promise<EventCursor | undefined> {
  const [place] = await rows<EventCursor>(
    tx,
    sql`select xact_id::text as "xactId", event as id from event_marking where id = 1 for update skip locked`,
  );
  return place;
}

export type MarkedPage = { readonly passed: number; readonly marked: number };

/** As the system role, with the place locked: it moves with the marks. */
export async function insertMarks(tx: Tx, after: EventCursor, limit: number): Promise<MarkedPage> {
  const [page] = await rows<MarkedPage>(
    tx,
    sql`
    with passed as materialized (
      select tenant_id, xact_id, id, row_number() over (partition by tenant_id order by xact_id, id) as nth
        from (select tenant_id, xact_id, id from outbox
               where (xact_id, id) > (${after.xactId}::xid8, ${after.id}::bigint)
                 and xact_id < pg_snapshot_xmin(pg_current_snapshot())
               order by xact_id, id limit ${limit}) as following),
    firsts as materialized (
      select tenant_id, event_count(tenant_id, xact_id, id) as count from passed where nth = 1),
    marked as (
      insert into event_marks (tenant_id, xact_id, event, sequence)
      select tenant_id, xact_id, id, count + nth - 1
        from passed join firsts using (tenant_id)
       where (count + nth - 1) % 100 = 0
       order by tenant_id, xact_id, id
      on conflict do nothing
      returning 1),
    moved as (
      update event_marking set xact_id = last.xact_id, event = last.id
        from (select xact_id, id from passed order by xact_id desc, id desc limit 1) as last
       where event_marking.id = 1)
    select (select count(*) from passed) as passed, (select count(*) from marked) as marked`,
  );
  return page ?? { passed: 0, marked: 0 };
}
