// The codes of the screening reasons of a live report, for the person whom it is about. Only the audit row of the decision has them.
import { findExpectedRows } from '../../audit/find-audit-rows.ts';
import type { Tx } from '../../lib/postgres/sql.ts';

type Decided = {
  readonly id: string;
  readonly isTest: boolean;
  readonly createdAt: Date;
  readonly settledAt: Date | null;
};

/** Where a request ends, or opens its challenge (`effectsOf`). */
const DECISIONS = ['report.completed', 'report.challenged', 'report.blocked', 'report.failed'];

/** Empty where the screening gave none, and in test mode, which asks no screening. */
export async function readScreeningReasons(tx: Tx, tenantId: string, report: Decided): Promise<readonly string[]> {
  const { id: subjectId, isTest, createdAt, settledAt } = report;
  if (isTest) return [];
  const sought = { actions: DECISIONS, subjectId, since: createdAt, until: settledAt ?? new Date() };
  const found = await findExpectedRows(tx, tenantId, sought);
  const [reasons] = found.flatMap(({ details }) => (Array.isArray(details['reasons']) ? [details['reasons']] : []));
  return (reasons ?? []).map(String);
}
