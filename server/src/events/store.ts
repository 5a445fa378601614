// The outbox: written with the change it reports, read later for delivery.
import { execute, sql, type Tx } from '../lib/postgres/sql.ts';

export type NewEvent<Type extends string = string> = {
  readonly tenantId: string;
  /** An event type of the feature that made the change. */
  readonly type: Type;
  readonly subjectId: string;
  readonly creditReportId: string;
};

export async function insertEvents<Type extends string>(tx: Tx, events: readonly NewEvent<Type>[]): Promise<void> {
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
