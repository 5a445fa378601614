// A report's charge and the balance right after it, read from the journal.
import type { Tx } from '../lib/postgres/sql.ts';
import { listHolds, listLedgerTxs } from './store.ts';

/** Undefined when the report was not charged. */
export async function findCharge(
  tx: Tx,
  tenantId: string,
  creditReportId: string,
): Promise<{ balance: number; cost: number } | undefined> {
  const sourceId = creditReportId;
  const [line] = await listLedgerTxs(tx, [{ tenantId, kind: 'report-charge', sourceId }]);
  const [hold] = await listHolds(tx, [{ tenantId, kind: 'report', sourceId }]);
  return line && hold && { balance: line.balanceAfter, cost: hold.capturedAmount };
}
