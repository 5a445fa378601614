// What top-up and adjustment share: one journal line per source, and its audit row.
import { appendAudit } from '../audit/append-audit.ts';
import { appendEvents } from '../events/append-events.ts';
import type { Tx } from '../lib/postgres/sql.ts';
import { openLedger, requireFunds } from './open-ledger.ts';

export type MovementOrder = {
  /** Signed for an adjustment, positive for a top-up. */
  readonly credits: number;
  /** Identifies this movement: sent twice, it is posted once. */
  readonly sourceId: string;
  /** The operator's reference or reason; nothing about a consumer. */
  readonly note: string;
};

export type Movement = { readonly balance: number; readonly isRepeat: boolean };

const EVENTS = { 'top-up': 'wallet.topped-up', adjust: 'wallet.adjusted' } as const;

export async function move(
  tx: Tx,
  tenantId: string,
  kind: 'top-up' | 'adjust',
  { credits, sourceId, note }: MovementOrder,
): Promise<Movement> {
  const line = { tenantId, kind, sourceId };
  const ledger = await openLedger(tx, { tenantIds: [tenantId], lines: [line] });
  if (ledger.findLine(line)) return { balance: ledger.balance(tenantId), isRepeat: true };
  if (credits < 0) requireFunds(ledger, tenantId, -credits);
  ledger.post({ ...line, amount: credits, note });
  await ledger.write();
  await appendEvents(tx, [
    { tenantId, type: EVENTS[kind], subjectId: sourceId, creditReportId: null, amount: credits },
  ]);
  const details = { credits, balanceAfter: ledger.balance(tenantId) };
  await appendAudit(tx, [{ tenantId, actor: 'operator', action: `wallet.${kind}`, subjectId: sourceId, details }]);
  return { balance: ledger.balance(tenantId), isRepeat: false };
}
