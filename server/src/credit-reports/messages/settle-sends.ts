// Settles messages and their credits: a receipt, a right code, a refusal or 72 hours of silence. All run under the
// messages' locks, so that each message is charged at most once, whichever comes first
// (docs/decisions/0051-sms-charges.md). It takes a list, so that a burst of receipts shares transactions.
import assert from 'node:assert/strict';
import type { AuditEntry } from '../../audit/append-audit.ts';
import { appendEvents, type NewEvent } from '../../events/append-events.ts';
import { HELD } from '../../lib/batch/batch.ts';
import type { Log } from '../../lib/log.ts';
import type { Metrics } from '../../lib/metrics.ts';
import type { Tx } from '../../lib/postgres/sql.ts';
import type { LedgerSession } from '../../wallet/open-ledger.ts';
import type { EventType } from '../rules/event-type.ts';
import { applyProof, type Proof, type SendEffect } from '../rules/receipt.ts';
import { emptyStep, openNotes, runSteps, type TransactionStep } from '../transaction-steps.ts';
import {
  type LockedSend,
  lockFreeSends,
  lockSends,
  type SentReceipt,
  updateReceiptsApplied,
  updateSettledSends,
} from './sms-store.ts';

export type SendProof = {
  readonly tenantId: string;
  readonly sendId: string;
  readonly proof: Proof;
  /** The source of the proof: a carrier, `system`, or the caller with the right code. */
  readonly actor: string;
  /** The carrier's reference for the message; null where the proof does not come from the carrier. */
  readonly carrierRef: string | null;
  /** The stored receipt behind this proof, which is then done. */
  readonly receipt?: SentReceipt;
};

export type ProvedSend = {
  /** `stray`: about no message of ours, or with another reference. */
  readonly kind: 'applied' | 'noted' | 'stray';
  /** Delivered after its hold was released, with too few credits in the wallet: we bear the loss and raise an alarm. */
  readonly isWrittenOff: boolean;
};

/** What the wallet was charged; undefined when nothing was, or when the late charge was written off. */
function settleSendHold(
  ledger: LedgerSession,
  send: LockedSend,
  { money }: SendEffect,
): number | 'written-off' | undefined {
  const { tenantId, id: sourceId, creditReportId } = send;
  const key = { tenantId, kind: 'sms', sourceId } as const;
  const hold = ledger.findHold(key);
  assert(hold, 'a message has no hold');
  switch (money) {
    case 'capture':
      assert(ledger.capture(key, hold.amount, creditReportId), 'the hold of an open message is settled');
      return hold.amount;
    case 'void':
      assert(ledger.void(key), 'the hold of an open message is settled');
      return undefined;
    case 'charge-late': {
      const isCovered = ledger.available(tenantId) >= hold.amount;
      const kind = isCovered ? 'sms-charge' : 'sms-writeoff';
      ledger.post({ tenantId, kind, sourceId, amount: hold.amount, creditReportId });
      return isCovered ? hold.amount : 'written-off';
    }
    case 'none':
      return undefined;
  }
}

function eventsOf(
  { tenantId, id: subjectId, creditReportId, challengeId }: LockedSend,
  { state }: SendEffect,
  charged: number | undefined,
): NewEvent<EventType>[] {
  const told = { tenantId, subjectId, creditReportId, challengeId };
  if (state !== 'delivered') return [{ ...told, type: 'challenge.undelivered' }];
  return [
    { ...told, type: 'challenge.delivered' },
    ...(charged === undefined ? [] : [{ ...told, type: 'wallet.charged', amount: charged } as const]),
  ];
}

type Alarmed = { readonly log: Log; readonly metrics: Pick<Metrics, 'alarms'> };

export function raiseWriteOff({ log, metrics }: Alarmed, tenantId: string): void {
  metrics.alarms.inc({ alarm: 'sms-writeoff' });
  log.error('a delivered message was written off', { tenantId });
}

const keyOf = (tenantId: string, sendId: string) => `${tenantId}/${sendId}`;

/** One transaction may prove some messages and settle reports: see transaction-steps.ts. */
export function openProofs(tx: Tx, proofs: readonly SendProof[], mayWait = true): TransactionStep<ProvedSend> {
  if (proofs.length === 0) return emptyStep();
  let sends: ReadonlyMap<string, LockedSend> = new Map();
  const lock = mayWait ? lockSends : lockFreeSends;
  const ready = lock(tx, proofs).then((locked) => {
    sends = new Map(locked.map((send) => [keyOf(send.tenantId, send.id), { ...send }]));
  });
  const changed = new Set<LockedSend>();
  const events: NewEvent<EventType>[] = [];
  const done: SentReceipt[] = [];
  const results: (ProvedSend | typeof HELD)[] = [];

  function applyOne(
    ledger: LedgerSession,
    audit: AuditEntry[],
    { tenantId, sendId, proof, actor, carrierRef }: SendProof,
  ) {
    const send = sends.get(keyOf(tenantId, sendId));
    // Signed, but not about a message of ours: an old one whose rows are gone, or a mistake of the carrier.
    const isOurs = send && (carrierRef === null || send.carrierRef === null || send.carrierRef === carrierRef);
    if (!isOurs) return { kind: 'stray', isWrittenOff: false } as const;
    const effect = applyProof(send.state, proof);
    if (effect.money !== 'none' || (carrierRef !== null && send.carrierRef === null)) changed.add(send);
    send.carrierRef ??= carrierRef;
    send.state = effect.state;
    if (effect.money === 'none') return { kind: 'noted', isWrittenOff: false } as const;
    const charged = settleSendHold(ledger, send, effect);
    const isWrittenOff = charged === 'written-off';
    events.push(...eventsOf(send, effect, isWrittenOff ? undefined : charged));
    const details = { state: effect.state, isWrittenOff, creditReportId: send.creditReportId };
    audit.push({ tenantId, actor, action: 'sms.settled', subjectId: sendId, details });
    return { kind: 'applied', isWrittenOff } as const;
  }

  return {
    order: {
      tenantIds: proofs.map(({ tenantId }) => tenantId),
      holds: proofs.map(({ tenantId, sendId }) => ({ tenantId, kind: 'sms', sourceId: sendId }) as const),
    },
    audited: proofs.map(({ tenantId }) => tenantId),
    ready,
    apply(ledger) {
      const audit: AuditEntry[] = [];
      for (const each of proofs) {
        const isLocked = mayWait || sends.has(keyOf(each.tenantId, each.sendId));
        if (!isLocked || !ledger.isOpen(each.tenantId)) {
          results.push(HELD);
          continue;
        }
        results.push(applyOne(ledger, audit, each));
        if (each.receipt) done.push(each.receipt);
      }
      return audit;
    },
    async write() {
      await Promise.all([
        updateSettledSends(tx, [...changed]),
        appendEvents(tx, events),
        updateReceiptsApplied(tx, done),
      ]);
      return results;
    },
  };
}

/** Settles one message inside an open transaction. `notes` are additional audit rows for it. */
export async function settleSend(tx: Tx, proof: SendProof, notes: readonly AuditEntry[] = []): Promise<ProvedSend> {
  const [[proved]] = await runSteps(tx, [openProofs(tx, [proof]), openNotes(notes)]);
  assert(proved && proved !== HELD, 'a message was not settled');
  return proved;
}
