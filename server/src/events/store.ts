// The outbox: written with the change it reports, read in commit order, deleted by age.
import { type DueRow, retain } from '../lib/postgres/retention.ts';
import { execute, rows, sql, type Tx } from '../lib/postgres/sql.ts';
import type { NumberedEvent, StoredEvent } from './rules/public-event.ts';
import type { StoredType } from './rules/stored-type.ts';

export type NewEvent<Type extends StoredType = StoredType> = {
  readonly tenantId: string;
  readonly type: Type;
  /** The message of an event about one; otherwise the report, or the tenant for an event about its wallet alone. */
  readonly subjectId: string;
  readonly creditReportId: string | null;
  readonly challengeId?: string | undefined;
  /** Test mode. */
  readonly isTest?: boolean;
  /** Credits: what a report costs so far, what moved in the wallet, or the threshold of a low wallet. */
  readonly amount?: number;
  /** Of a low wallet. */
  readonly balance?: number;
};

/** In the order of the list. Call it with the lock on what changed: the rows take their place in commit order here. */
export async function insertEvents(tx: Tx, events: readonly NewEvent[]): Promise<void> {
  if (events.length === 0) return;
  await execute(
    tx,
    sql`
    insert into outbox (tenant_id, type, subject_id, credit_report_id, challenge_id, is_test, amount, balance)
    select * from unnest(${events.map((event) => event.tenantId)}::uuid[], ${events.map((event) => event.type)}::text[],
                         ${events.map((event) => event.subjectId)}::uuid[],
                         ${events.map((event) => event.creditReportId)}::uuid[],
                         ${events.map((event) => event.challengeId ?? null)}::uuid[],
                         ${events.map((event) => event.isTest ?? false)}::boolean[],
                         ${events.map((event) => event.amount ?? null)}::bigint[],
                         ${events.map((event) => event.balance ?? null)}::bigint[])`,
  );
}

/** A place in commit order: `xactId` first, then `id`. */
export type EventCursor = { readonly xactId: string; readonly id: number };

export type PlacedEvent = StoredEvent & { readonly xactId: string };
export type NumberedRow = NumberedEvent & PlacedEvent;

export type NameKey = {
  readonly key: Buffer;
  /** Events before this have ids that were made without the key. */
  readonly keyedFrom: Date;
  /** Whether this time has come. */
  readonly isKeyed: boolean;
};

export async function getNameKey(tx: Tx): Promise<NameKey> {
  const [found] = await rows<NameKey>(
    tx,
    sql`
    select key, keyed_from as "keyedFrom", keyed_from <= clock_timestamp() as "isKeyed" from event_names where id = 1`,
  );
  if (!found) throw new Error('the key for the ids of events is missing');
  return found;
}

export type Following = {
  /** Whose events they are. */
  readonly tenantIds: readonly string[];
  readonly count: number;
  /** The place of the last one; undefined when there is none. */
  readonly last: EventCursor | undefined;
};

/**
 * As the system role: whose the events of all tenants after a place are, in commit order, and how far they reach: one row. Only
 * rows below every running transaction's id: such a row is committed, and so is every row before it.
 */
export async function findFollowing(tx: Tx, after: EventCursor, limit: number): Promise<Following> {
  const [found] = await rows<{ tenantIds: string[] | null; count: number; xactId: string | null; id: number | null }>(
    tx,
    sql`
    with following as materialized (
      select xact_id, id, tenant_id from outbox
       where (xact_id, id) > (${after.xactId}::xid8, ${after.id}::bigint)
         and xact_id < pg_snapshot_xmin(pg_current_snapshot())
       order by xact_id, id limit ${limit})
    select all_of_them.*, last.xact_id::text as "xactId", last.id
      from (select array_agg(distinct tenant_id) as "tenantIds", count(*)::integer as count from following) as all_of_them
      left join (select xact_id, id from following order by xact_id desc, id desc limit 1) as last on true`,
  );
  const { tenantIds, count = 0, xactId, id } = found ?? {};
  return { tenantIds: tenantIds ?? [], count, last: xactId && id ? { xactId, id } : undefined };
}

/**
 * As the system role: events of some tenants between two places, the second of which `findFollowing` has found. The first of each
 * tenant is counted (docs/decisions/0281-a-sequence-for-each-tenant.md), and the others follow it.
 */
export function listBetween(
  tx: Tx,
  tenantIds: readonly string[],
  after: EventCursor,
  last: EventCursor,
): Promise<NumberedRow[]> {
  return rows<NumberedRow>(
    tx,
    sql`
    with chosen as materialized (
      select *, row_number() over (partition by tenant_id order by xact_id, id) as nth
        from outbox
       where (xact_id, id) > (${after.xactId}::xid8, ${after.id}::bigint)
         and (xact_id, id) <= (${last.xactId}::xid8, ${last.id}::bigint)
         and tenant_id = any (${tenantIds}::uuid[])),
    firsts as materialized (
      select tenant_id, event_count(tenant_id, xact_id, id) as sequence from chosen where nth = 1)
    select xact_id::text as "xactId", id, tenant_id as "tenantId", type, subject_id as "subjectId",
           credit_report_id as "creditReportId", challenge_id as "challengeId", is_test as "isTest", amount, balance,
           created_at as "createdAt", sequence + nth - 1 as sequence
      from chosen join firsts using (tenant_id)
     order by xact_id, id`,
  );
}

/** The same for some tenants, with the events: each tenant is read along its own index. */
export function listCommittedOf(
  tx: Tx,
  tenantIds: readonly string[],
  after: EventCursor,
  limit: number,
): Promise<NumberedRow[]> {
  return rows<NumberedRow>(
    tx,
    sql`
    with following as materialized (
      select events.* from unnest(${tenantIds}::uuid[]) as asked (tenant_id),
        lateral (
          select *, row_number() over (order by tenant_id, xact_id, id) as nth
            from outbox
           where (outbox.tenant_id, xact_id, id) > (asked.tenant_id, ${after.xactId}::xid8, ${after.id}::bigint)
             and (outbox.tenant_id, xact_id) < (asked.tenant_id, pg_snapshot_xmin(pg_current_snapshot()))
           order by outbox.tenant_id, xact_id, id limit ${limit}) as events),
    firsts as materialized (
      select tenant_id, event_count(tenant_id, xact_id, id) as sequence from following where nth = 1)
    select xact_id::text as "xactId", id, tenant_id as "tenantId", type, subject_id as "subjectId",
           credit_report_id as "creditReportId", challenge_id as "challengeId", is_test as "isTest", amount, balance,
           created_at as "createdAt", sequence + nth - 1 as sequence
      from following join firsts using (tenant_id)
     order by xact_id, id limit ${limit}`,
  );
}

/** As the system role: how long ago the first event after a place was written, committed behind a running transaction or not. */
export async function getAgeAfter(tx: Tx, after: EventCursor): Promise<number> {
  const [first] = await rows<{ seconds: number }>(
    tx,
    sql`
    select extract(epoch from clock_timestamp() - created_at)::float8 as seconds from outbox
     where (xact_id, id) > (${after.xactId}::xid8, ${after.id}::bigint) order by xact_id, id limit 1`,
  );
  return Math.max(0, first?.seconds ?? 0);
}

/**
 * The last place of a tenant's events that are older than an instant, looked for from the newest back: it costs about what
 * lies after it. Undefined when there is none among so many.
 */
export async function findLastBefore(
  tx: Tx,
  tenantId: string,
  { before, among }: { readonly before: Date; readonly among: number },
): Promise<EventCursor | undefined> {
  const [found] = await rows<EventCursor>(
    tx,
    sql`
    select xact_id::text as "xactId", id
      from (select xact_id, id, created_at from outbox where tenant_id = ${tenantId}
             order by xact_id desc, id desc limit ${among}) as newest
     where created_at < ${before} order by newest.xact_id desc, id desc limit 1`,
  );
  return found;
}

/**
 * Events are kept for 30 days. Old ones are found along the commit order, which is the order of their age but for moments: an
 * index by age would be written with every event. A batch looks at the first rows only, so a row that stands too early in that
 * order waits for those before it. So does one that is due before an earlier one of its tenant: an event that is kept would
 * otherwise lose one that was counted before it (docs/decisions/0281-a-sequence-for-each-tenant.md).
 */
export const OUTBOX = retain('outbox', {
  async list(tx, from, limit) {
    const [xactId = '0', id = '0'] = from === '-infinity' ? [] : from.split('.');
    return rows<DueRow>(
      tx,
      sql`
      select place, position, extract(epoch from statement_timestamp() - interval '30 days' - created_at)::float8 as "overdueSeconds"
        from (select ctid::text as place, xact_id::text || '.' || id as position, xact_id, id, created_at,
                     bool_and(created_at < statement_timestamp() - interval '30 days')
                       over (partition by tenant_id order by xact_id, id) as is_due
                from (select ctid, tenant_id, xact_id, id, created_at from outbox
                       where (xact_id, id) >= (${xactId}::xid8, ${id}::bigint)
                       order by xact_id, id limit ${limit}) as oldest) as judged
       where is_due
       order by xact_id, id`,
    );
  },
  forget: (tx, places) =>
    execute(
      tx,
      sql`
      delete from outbox
       where ctid = any (${places}::tid[]) and created_at < statement_timestamp() - interval '30 days'`,
    ),
});
