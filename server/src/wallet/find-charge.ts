// What a report was charged and the balance right after it, read back from the books.
import type { Tx } from '../lib/sql.ts';
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
