// The outbox: written with the change it tells of, read later by whoever delivers.
import { execute, sql, type Tx } from '../lib/sql.ts';

export type EventType =
  | 'report.completed'
  | 'report.failed'
  | 'report.blocked'
  | 'report.expired'
  | 'wallet.charged'
  | 'wallet.refunded'
  | 'challenge.sent'
  | 'challenge.verified'
  | 'challenge.delivered'
  | 'challenge.undelivered';

export type NewEvent = {
  readonly tenantId: string;
  readonly type: EventType;
  /** The report, or the send. */
  readonly subjectId: string;
  readonly creditReportId: string;
};

export async function insertEvents(tx: Tx, events: readonly NewEvent[]): Promise<void> {
  if (events.length === 0) return;
  await execute(
    tx,
    sql`
    insert into outbox (tenant_id, type, subject_id, credit_report_id)
    select * from unnest(${events.map((event) => event.tenantId)}::uuid[], ${events.map((event) => event.type)}::text[],
                         ${events.map((event) => event.subjectId)}::uuid[],
                         ${events.map((event) => event.creditReportId)}::uuid[])`,
  );
}
