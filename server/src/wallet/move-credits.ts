// What top-up and adjustment share: one line in the journal per source, and an audit row beside it.
import { appendAudit } from '../audit/append-audit.ts';
import type { Tx } from '../lib/sql.ts';
import { openBook, requireFunds } from './open-book.ts';

export type MovementOrder = {
  /** Signed for an adjustment, positive for a top-up. */
  readonly credits: number;
  /** What makes this movement itself: sent twice, it is posted once. */
  readonly sourceId: string;
  /** The operator's reference or reason; nothing about a consumer. */
  readonly note: string;
};

export type Movement = { readonly balance: number; readonly isRepeat: boolean };

export async function move(
  tx: Tx,
  tenantId: string,
  kind: 'top-up' | 'adjust',
  { credits, sourceId, note }: MovementOrder,
): Promise<Movement> {
  const line = { tenantId, kind, sourceId };
  const book = await openBook(tx, { tenantIds: [tenantId], lines: [line] });
  if (book.findLine(line)) return { balance: book.balance(tenantId), isRepeat: true };
  if (credits < 0) requireFunds(book, tenantId, -credits);
  book.post({ ...line, amount: credits, note });
  await book.write();
  const details = { credits, balanceAfter: book.balance(tenantId) };
  await appendAudit(tx, [{ tenantId, actor: 'operator', action: `wallet.${kind}`, subjectId: sourceId, details }]);
  return { balance: book.balance(tenantId), isRepeat: false };
}
