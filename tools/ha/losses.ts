// What was acknowledged against what the database has: reports, their charges, and bought credits. Asked under load, after every
// round; the full check of the chaos run follows when the load has ended.
import type { Records } from '../chaos/records.ts';
import type { Stage } from '../chaos/stage.ts';

export type Losses = {
  /** Ids of acknowledged reports and sources of acknowledged credits that are not there. */
  readonly lost: readonly string[];
  /** Reports and purchases that were posted more than once. */
  readonly doubled: readonly string[];
};

// Counted once and joined: a look-up for each report would read the journal as often as there are reports.
const REPORTS = `
  with charged as (select tenant_id, source_id, count(*)::integer as charges from ledger_txs
                    where kind = 'report-charge' group by 1, 2)
  select told.id::text, reports.id is not null as "isThere", coalesce(charged.charges, 0) as charges
    from unnest($1::uuid[], $2::uuid[]) as told (tenant_id, id)
    left join credit_reports as reports on reports.tenant_id = told.tenant_id and reports.id = told.id
    left join charged on charged.tenant_id = told.tenant_id and charged.source_id = told.id`;

const CREDITS = `
  with posted as (select source_id, count(*)::integer as postings from ledger_txs where kind = 'top-up' group by 1)
  select told.id::text, coalesce(posted.postings, 0) as postings
    from unnest($1::uuid[]) as told (id) left join posted on posted.source_id = told.id`;

/** Also of what no client was told of. */
const DOUBLED = `
  select source_id::text as id from ledger_txs where kind in ('report-charge', 'top-up')
   group by tenant_id, kind, source_id having count(*) > 1`;

const isCharged = (status: string) => status === 'complete' || status === 'authentication-required';

export async function findLosses(
  query: Stage['query'],
  records: Records,
  credits: ReadonlySet<string>,
): Promise<Losses> {
  // Taken before asking: what is acknowledged meanwhile belongs to the next look.
  const told = [...records.values()];
  const sources = [...credits];
  const reports = await query<{ id: string; isThere: boolean; charges: number }>(REPORTS, [
    told.map(({ tenantId }) => tenantId),
    told.map(({ creditReportId }) => creditReportId),
  ]);
  const statuses = new Map(told.map(({ creditReportId, status }) => [creditReportId, status]));
  const purchases = await query<{ id: string; postings: number }>(CREDITS, [sources]);
  const doubled = await query<{ id: string }>(DOUBLED);
  const isLost = ({ id, isThere, charges }: (typeof reports)[number]) =>
    !isThere || (isCharged(statuses.get(id) ?? '') && charges === 0);
  return {
    lost: [
      ...reports.filter(isLost).map(({ id }) => `report ${id}`),
      ...purchases.filter(({ postings }) => postings === 0).map(({ id }) => `credits ${id}`),
    ],
    doubled: doubled.map(({ id }) => id),
  };
}
