// The order of a report's events at an endpoint that asks for it. Of such a line only the first delivery that is not settled has a
// time at which it is due; those behind it have none, so that claims never meet them, however many there are
// (docs/decisions/0272-only-the-first-is-due.md). Runs as the app role and as the system role.
import { execute, rows, sql, type Tx } from '../lib/postgres/sql.ts';

/** The events of one report at one endpoint. */
export type Line = { readonly endpointId: string; readonly creditReportId: string };

export function linesOf(deliveries: readonly { endpointId: string; creditReportId: string | null }[]): Line[] {
  const lines = deliveries.flatMap(({ endpointId, creditReportId }) =>
    creditReportId === null ? [] : [{ endpointId, creditReportId }],
  );
  return [...new Map(lines.map((line) => [`${line.endpointId} ${line.creditReportId}`, line])).values()];
}

const endpointsOf = (lines: readonly Line[]) => lines.map(({ endpointId }) => endpointId);
const reportsOf = (lines: readonly Line[]) => lines.map(({ creditReportId }) => creditReportId);

/**
 * After deliveries were added or made due again, for endpoints that keep the order. The lock lets whoever settles the first of a
 * line at this moment finish before it is looked at: otherwise each of the two would leave the next one to the other.
 */
export async function arrangeLines(tx: Tx, lines: readonly Line[]): Promise<void> {
  if (lines.length === 0) return;
  await execute(
    tx,
    sql`
    select from webhook_deliveries as waiting
      join unnest(${endpointsOf(lines)}::uuid[], ${reportsOf(lines)}::uuid[]) as line (endpoint_id, credit_report_id)
        on waiting.endpoint_id = line.endpoint_id and waiting.credit_report_id = line.credit_report_id
     where state = 'pending'
     order by waiting.endpoint_id, waiting.credit_report_id, place_xact_id, place_event
       for update of waiting`,
  );
  await execute(
    tx,
    sql`
    update webhook_deliveries as moved
       set next_attempt_at = case when place = 1 then clock_timestamp() else 'infinity' end
      from (select tenant_id, id, row_number() over (partition by waiting.endpoint_id, waiting.credit_report_id
                                                         order by place_xact_id, place_event) as place
              from webhook_deliveries as waiting
              join unnest(${endpointsOf(lines)}::uuid[], ${reportsOf(lines)}::uuid[]) as line (endpoint_id, credit_report_id)
                on waiting.endpoint_id = line.endpoint_id and waiting.credit_report_id = line.credit_report_id
             where state = 'pending') as placed
     where moved.tenant_id = placed.tenant_id and moved.id = placed.id
       and (place = 1) = (next_attempt_at = 'infinity')
       -- An attempt under way is settled as it is.
       and (leased_until is null or leased_until <= clock_timestamp())`,
  );
}

/** After the first of a line was settled, in a statement of its own: the next one is due. */
export async function freeNext(tx: Tx, lines: readonly Line[]): Promise<void> {
  if (lines.length === 0) return;
  await execute(
    tx,
    sql`
    update webhook_deliveries as freed set next_attempt_at = clock_timestamp()
      from unnest(${endpointsOf(lines)}::uuid[], ${reportsOf(lines)}::uuid[]) as line (endpoint_id, credit_report_id),
        lateral (select tenant_id, id, next_attempt_at from webhook_deliveries
                  where endpoint_id = line.endpoint_id and credit_report_id = line.credit_report_id and state = 'pending'
                  order by place_xact_id, place_event limit 1) as first
     where freed.tenant_id = first.tenant_id and freed.id = first.id and first.next_attempt_at = 'infinity'`,
  );
}

export const FIRST_LINE: Line = {
  endpointId: '00000000-0000-0000-0000-000000000000',
  creditReportId: '00000000-0000-0000-0000-000000000000',
};

/**
 * As the system role: the next lines after a place, each with whether its first delivery has no time. Nothing leaves a line so but
 * a server of the previous release, or the deletion of an old row.
 */
export function listLines(tx: Tx, after: Line, limit: number): Promise<(Line & { readonly isStuck: boolean })[]> {
  return rows<Line & { readonly isStuck: boolean }>(
    tx,
    sql`
    with recursive line (step, endpoint_id, credit_report_id, due_at) as (
      select 0, ${after.endpointId}::uuid, ${after.creditReportId}::uuid, null::timestamptz
      union all
      select step + 1, next.endpoint_id, next.credit_report_id, next.next_attempt_at
        from line,
          lateral (select endpoint_id, credit_report_id, next_attempt_at from webhook_deliveries
                    where state = 'pending' and credit_report_id is not null
                      and (endpoint_id, credit_report_id) > (line.endpoint_id, line.credit_report_id)
                    order by endpoint_id, credit_report_id, place_xact_id, place_event limit 1) as next
       where step < ${limit}::int)
    select endpoint_id as "endpointId", credit_report_id as "creditReportId", due_at = 'infinity' as "isStuck"
      from line where step > 0`,
  );
}
