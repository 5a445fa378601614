// What the rows of one report say about its course. Nothing here writes or opens sealed data.
import type { BureauResult } from '@trefoil/contract';
import { rows, sql, type Tx } from '../../lib/postgres/sql.ts';
import type { SendState } from '../rules/receipt.ts';
import type { TimelineLine } from '../rules/timeline.ts';

export type CourseRow = {
  readonly settledAt: Date | null;
  readonly purgedAt: Date | null;
  readonly bureauResults: readonly BureauResult[] | null;
  /** Null once it is erased, and for a report of a release that kept none. */
  readonly sealedProvenance: Buffer | null;
  /** The live message whose code was right. */
  readonly completingSendId: string | null;
};

/** Undefined when absent or another tenant's. */
export async function findCourse(tx: Tx, tenantId: string, creditReportId: string): Promise<CourseRow | undefined> {
  const [row] = await rows<CourseRow>(
    tx,
    sql`
    select settled_at as "settledAt", purged_at as "purgedAt", bureau_results as "bureauResults",
           sealed_provenance as "sealedProvenance",
           (select completing_send_id from challenges
             where challenges.tenant_id = ${tenantId} and credit_report_id = ${creditReportId}
             order by challenges.id desc limit 1) as "completingSendId"
      from credit_reports where tenant_id = ${tenantId} and id = ${creditReportId}`,
  );
  return row;
}

export type CourseSend = {
  readonly id: string;
  readonly state: SendState;
  readonly sentAt: Date;
  readonly settledAt: Date | null;
};

/** The report's live messages, oldest first; at most three. */
export function listCourseSends(tx: Tx, tenantId: string, creditReportId: string): Promise<CourseSend[]> {
  return rows<CourseSend>(
    tx,
    sql`
    select id, state, sent_at as "sentAt", settled_at as "settledAt" from sms_sends
     where tenant_id = ${tenantId} and credit_report_id = ${creditReportId}
     order by sent_at, id`,
  );
}

export type CourseLine = Pick<TimelineLine, 'kind' | 'at' | 'credits'> & { readonly sourceId: string };

/** The journal's lines of the report and its messages. */
export function listCourseLines(tx: Tx, tenantId: string, sourceIds: readonly string[]): Promise<CourseLine[]> {
  // Materialised, so that the planner searches by kind and source and never scans along the positions.
  return rows<CourseLine>(
    tx,
    sql`
    with txs as materialized (
      select seq, kind, source_id, created_at from ledger_txs
       where tenant_id = ${tenantId} and kind in ('report-charge', 'report-refund', 'sms-charge')
         and source_id = any (${sourceIds}::uuid[]))
    select txs.kind, txs.created_at as at, abs(coalesce(amount, 0))::bigint as credits, txs.source_id as "sourceId"
      from txs
      left join lateral (
             select amount from ledger_entries
              where tenant_id = ${tenantId} and seq = txs.seq and account = 'wallet' offset 0) as entries on true
     order by txs.seq`,
  );
}
