// How many reports there are: the tallies of older ones, and counts of those that no tally has yet.
import { execute, rows, sql, type Tx } from '../../lib/postgres/sql.ts';
import { LIFETIME_US } from '../rules/challenge.ts';
import type { ReportStatus } from '../rules/report-status.ts';

/** As `ReportFilter`: open ends are extreme values. */
export type CountFilter = { readonly modes: readonly boolean[]; readonly from: string; readonly to: string };

/** Reports in one standing, which decides how they are shown. */
export type StandingCount = {
  readonly status: ReportStatus;
  readonly isFailing: boolean;
  readonly hasExpired: boolean;
  readonly count: number;
};

/** First and last id of tallies that are partly in the range. */
type Edges = { readonly firstIds: readonly string[]; readonly lastIds: readonly string[] };

type Summed = {
  readonly counts: readonly StandingCount[];
  /** The last report with a tally; undefined without tallies. */
  readonly lastId: string | undefined;
  readonly edges: Edges;
};

/** One statement, so that the sums and the last id belong together. */
export async function sumTallies(tx: Tx, tenantId: string, { from, to, modes }: CountFilter): Promise<Summed> {
  const [sums] = await rows<{
    complete: number;
    blocked: number;
    failed: number;
    lastId: string | null;
    firstIds: string[] | null;
    lastIds: string[] | null;
  }>(
    tx,
    sql`
    select coalesce(sum(case when is_live then live_complete else 0 end
                      + case when is_test then test_complete else 0 end) filter (where is_inside), 0)::bigint as complete,
           coalesce(sum(case when is_live then live_blocked else 0 end
                      + case when is_test then test_blocked else 0 end) filter (where is_inside), 0)::bigint as blocked,
           coalesce(sum(case when is_live then live_failed else 0 end
                      + case when is_test then test_failed else 0 end) filter (where is_inside), 0)::bigint as failed,
           max(last_id::text) as "lastId",
           array_agg(first_id::text order by first_id) filter (where is_edge) as "firstIds",
           array_agg(last_id::text order by first_id) filter (where is_edge) as "lastIds"
      from (select *, earliest_at >= ${from} and latest_at < ${to} as is_inside,
                   latest_at >= ${from} and earliest_at < ${to}
                     and not (earliest_at >= ${from} and latest_at < ${to}) as is_edge,
                   false = any (${modes}::boolean[]) as is_live, true = any (${modes}::boolean[]) as is_test
              from report_tallies where tenant_id = ${tenantId}) as tallies`,
  );
  const { complete = 0, blocked = 0, failed = 0 } = sums ?? {};
  const final = { isFailing: false, hasExpired: false } as const;
  return {
    counts: [
      { ...final, status: 'complete', count: complete },
      { ...final, status: 'blocked', count: blocked },
      { ...final, status: 'failed', count: failed },
    ],
    lastId: sums?.lastId ?? undefined,
    edges: { firstIds: sums?.firstIds ?? [], lastIds: sums?.lastIds ?? [] },
  };
}

/** Whether more than `limit` reports come after this id. Call it after `walkInKeyOrder`. */
export async function tailIsLonger(tx: Tx, tenantId: string, afterId: string, limit: number): Promise<boolean> {
  const found = await rows<{ id: string }>(
    tx,
    sql`
    select id from credit_reports where tenant_id = ${tenantId} and id > ${afterId}
     order by id offset ${limit} limit 1`,
  );
  return found.length > 0;
}

type Uncounted = { readonly filter: CountFilter; readonly afterId: string; readonly edges: Edges };

/** The reports after this id and those of the edges, where they match. Call it after `walkInKeyOrder`. */
export function countUncounted(
  tx: Tx,
  tenantId: string,
  { filter, afterId, edges }: Uncounted,
): Promise<StandingCount[]> {
  return rows<StandingCount>(
    tx,
    sql`
    select status, failure is not null as "isFailing",
           -- Only of a challenge that may be open, so that few are looked up.
           status = 'challenged' and coalesce((
             select extract(epoch from clock_timestamp() - last_sent_at) * 1000000 > ${LIFETIME_US} from challenges
              where challenges.tenant_id = ${tenantId} and challenges.credit_report_id = seen.id
              order by challenges.id desc limit 1), false) as "hasExpired",
           count(*)::int as count
      from (select id, status, failure, is_test, created_at from credit_reports
             where tenant_id = ${tenantId} and id > ${afterId}
            union all
            select reports.id, status, failure, is_test, created_at
              from unnest(${edges.firstIds}::uuid[], ${edges.lastIds}::uuid[]) as edges (first_id, last_id)
             cross join lateral (
               select * from credit_reports
                where tenant_id = ${tenantId} and id >= first_id and id <= last_id) as reports) as seen
     where is_test = any (${filter.modes}::boolean[]) and created_at >= ${filter.from} and created_at < ${filter.to}
     group by 1, 2, 3`,
  );
}

/** Undefined when more reports than `limit` have the reference. */
export async function countOfReference(
  tx: Tx,
  tenantId: string,
  {
    hashes,
    filter,
    limit,
  }: { readonly hashes: readonly Buffer[]; readonly filter: CountFilter; readonly limit: number },
): Promise<StandingCount[] | undefined> {
  // Materialised, so that the planner searches by the reference. The count of all comes with each row.
  const found = await rows<StandingCount & { readonly all: number }>(
    tx,
    sql`
    with seen as materialized (
      select id, status, failure, is_test, created_at from credit_reports
       where tenant_id = ${tenantId} and external_reference_hash = any (${hashes}::bytea[])
         and external_reference_hash is not null limit ${limit + 1})
    select status, failure is not null as "isFailing",
           status = 'challenged' and coalesce((
             select extract(epoch from clock_timestamp() - last_sent_at) * 1000000 > ${LIFETIME_US} from challenges
              where challenges.tenant_id = ${tenantId} and challenges.credit_report_id = seen.id
              order by challenges.id desc limit 1), false) as "hasExpired",
           (count(*) filter (where is_test = any (${filter.modes}::boolean[])
                               and created_at >= ${filter.from} and created_at < ${filter.to}))::int as count,
           (select count(*)::int from seen) as "all"
      from seen
     group by 1, 2, 3`,
  );
  return found.some(({ all }) => all > limit) ? undefined : found;
}

/** As the system role: tenants with enough reports after their last tally for another one. */
export function listTenantsToTally(tx: Tx, size: number, limit: number): Promise<{ tenantId: string }[]> {
  return rows<{ tenantId: string }>(
    tx,
    sql`
    select tenants.id as "tenantId"
      from tenants
     cross join lateral (
       select coalesce((select last_id from report_tallies where tenant_id = tenants.id
                         order by first_id desc limit 1), '00000000-0000-0000-0000-000000000000') as last_id) as tallied
     where exists (select from (select created_at from credit_reports
                                 where tenant_id = tenants.id and id > tallied.last_id
                                 order by id offset ${size - 1} limit 1) as enough
                    where created_at < statement_timestamp() - interval '30 minutes')
     limit ${limit}`,
  );
}

/**
 * As the system role: the tally of the tenant's next reports, if there are enough and none can change any more. Every status
 * but two is final half an hour after the creation: by then each challenge is over, and shown as failed, whether or not a job
 * has ended it. Of two nodes at the same place one inserts the row. Returns how many rows were inserted.
 */
export function insertTally(tx: Tx, tenantId: string, size: number): Promise<number> {
  return execute(
    tx,
    sql`
    insert into report_tallies (tenant_id, first_id, last_id, earliest_at, latest_at, live_complete, live_blocked, live_failed,
                                test_complete, test_blocked, test_failed)
    select ${tenantId}::uuid, min(id::text)::uuid, max(id::text)::uuid, min(created_at), max(created_at),
           count(*) filter (where not is_test and status = 'complete'),
           count(*) filter (where not is_test and status = 'blocked'),
           count(*) filter (where not is_test and status in ('failed', 'expired', 'challenged')),
           count(*) filter (where is_test and status = 'complete'),
           count(*) filter (where is_test and status = 'blocked'),
           count(*) filter (where is_test and status in ('failed', 'expired', 'challenged'))
      from (select id, is_test, status, created_at from credit_reports
             where tenant_id = ${tenantId}
               and id > coalesce((select last_id from report_tallies where tenant_id = ${tenantId}
                                   order by first_id desc limit 1), '00000000-0000-0000-0000-000000000000')
             order by id limit ${size}) as next
    having count(*) = ${size} and bool_and(status not in ('pending', 'fetching'))
       and max(created_at) < statement_timestamp() - interval '30 minutes'
    on conflict do nothing`,
  );
}
