// Read from the journal: a report's charge with the balance right after it, and for an operator what was written off.
import type { Database } from '../lib/postgres/database.ts';
import type { Tx } from '../lib/postgres/sql.ts';
import { countWriteOffsOfHour, listHolds, listLedgerTxs } from './store.ts';

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

/** Messages of the last hour that the wallet could not pay, as the alarm sms-writeoff counts them. */
export const countWriteOffs = (database: Database): Promise<number> => database.asSystem(countWriteOffsOfHour);
