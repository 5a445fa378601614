// What becomes of one message and its credits: a receipt, a right code, a refusal or 72 hours of silence end here, under
// the message's lock, so that it is charged at most once whatever comes first (docs/decisions/0051).
import assert from 'node:assert/strict';
import { appendAudit } from '../audit/append-audit.ts';
import { appendEvents } from '../events/append-events.ts';
import type { Tx } from '../lib/sql.ts';
import { type Book, openBook } from '../wallet/open-book.ts';
import type { ReportDependencies } from './dependencies.ts';
import { applyProof, type Proof, type SendEffect } from './rules/receipt.ts';
import { type LockedSend, updateSend } from './sms-store.ts';

export type SettledSend = SendEffect & {
  /** Delivered after its hold was given back, and the wallet was empty: ours to bear, and worth an alarm. */
  readonly isWrittenOff: boolean;
};

/** True when the late charge had to be written off. */
function moveMoney(book: Book, send: LockedSend, { money }: SendEffect): boolean {
  const { tenantId, id: sourceId, creditReportId } = send;
  const key = { tenantId, kind: 'sms', sourceId } as const;
  const hold = book.findHold(key);
  assert(hold, 'a message has no hold');
  switch (money) {
    case 'capture':
      assert(book.capture(key, hold.amount, creditReportId), 'the hold of an open message is settled');
      return false;
    case 'void':
      assert(book.void(key), 'the hold of an open message is settled');
      return false;
    case 'charge-late': {
      const isCovered = book.available(tenantId) >= hold.amount;
      const kind = isCovered ? 'sms-charge' : 'sms-writeoff';
      book.post({ tenantId, kind, sourceId, amount: hold.amount, creditReportId });
      return !isCovered;
    }
    case 'none':
      return false;
  }
}

export function raiseWriteOff({ log, metrics }: Pick<ReportDependencies, 'log' | 'metrics'>, tenantId: string): void {
  metrics.alarms.inc({ alarm: 'sms-writeoff' });
  log.error('a delivered message was written off', { tenantId });
}

/** Call it with the message locked. `actor` is who proved it: a carrier, `system`, or the caller with the right code. */
export async function settleSend(
  tx: Tx,
  send: LockedSend,
  proof: Proof,
  { actor, carrierRef }: { readonly actor: string; readonly carrierRef: string | null },
): Promise<SettledSend> {
  const { tenantId, id, creditReportId } = send;
  const effect = applyProof(send.state, proof);
  if (effect.money === 'none') {
    if (carrierRef !== null && send.carrierRef === null)
      await updateSend(tx, send, { state: effect.state, carrierRef });
    return { ...effect, isWrittenOff: false };
  }
  const book = await openBook(tx, {
    tenantIds: [tenantId],
    holds: [{ tenantId, kind: 'sms', sourceId: id }],
  });
  const isWrittenOff = moveMoney(book, send, effect);
  await book.write();
  await updateSend(tx, send, { state: effect.state, carrierRef });
  const isDelivered = effect.state === 'delivered';
  const told = { tenantId, subjectId: id, creditReportId };
  await appendEvents(
    tx,
    isDelivered
      ? [
          { ...told, type: 'challenge.delivered' },
          ...(isWrittenOff ? [] : [{ ...told, type: 'wallet.charged' } as const]),
        ]
      : [{ ...told, type: 'challenge.undelivered' }],
  );
  const details = { state: effect.state, isWrittenOff, creditReportId };
  await appendAudit(tx, [{ tenantId, actor, action: 'sms.settled', subjectId: id, details }]);
  return { ...effect, isWrittenOff };
}
