// A carrier's word about a message. Stored first, under what makes it itself, then applied: repeated receipts die at the
// first step, and their order does not matter at the second. What is not signed changes nothing.
import type { Database } from '../lib/database.ts';
import type { Failpoint } from '../lib/failpoints.ts';
import type { Log } from '../lib/log.ts';
import type { Metrics } from '../lib/metrics.ts';
import type { CarrierReceipt, ReceiptReader } from '../sms/port.ts';
import { raiseWriteOff, settleSend } from './settle-send.ts';
import { insertReceipt, lockSend } from './sms-store.ts';

export type ReceiptRequest = Parameters<ReceiptReader['readReceipt']>[0];

export type ReceiptAnswer = 'accepted' | 'refused' | 'unreadable' | 'unknown-carrier';

export type ReceiveReceipt = (carrier: string, request: ReceiptRequest) => Promise<ReceiptAnswer>;

type Options = {
  readonly database: Database;
  readonly carriers: ReadonlyMap<string, ReceiptReader>;
  readonly failpoint: Failpoint;
  readonly log: Log;
  readonly metrics: Metrics;
};

export function createReceiveReceipt({ database, carriers, failpoint, log, metrics }: Options): ReceiveReceipt {
  async function apply(carrier: string, receipt: CarrierReceipt): Promise<string> {
    const { tenantId, sendId, carrierRef, status } = receipt;
    return database.forTenants([tenantId], async (tx) => {
      const send = await lockSend(tx, tenantId, sendId);
      // Signed, and yet not about a message of ours: an old one whose rows are gone, or somebody's mistake.
      if (!send || (send.carrierRef !== null && send.carrierRef !== carrierRef)) return 'stray';
      if (!(await insertReceipt(tx, { ...receipt, carrier }))) return 'repeated';
      const settled = await settleSend(tx, send, status, { actor: carrier, carrierRef });
      failpoint('before-receipt-commit');
      if (settled.isWrittenOff) raiseWriteOff({ log, metrics }, tenantId);
      return settled.money === 'none' ? 'noted' : 'applied';
    });
  }

  return async (carrier, request) => {
    const reader = carriers.get(carrier);
    if (!reader) return 'unknown-carrier';
    const reading = reader.readReceipt(request);
    switch (reading.kind) {
      case 'refused':
      case 'unreadable':
        metrics.receipts.inc({ outcome: reading.kind });
        return reading.kind;
      case 'progress':
        metrics.receipts.inc({ outcome: 'progress' });
        return 'accepted';
      case 'receipt':
        metrics.receipts.inc({ outcome: await apply(carrier, reading.receipt) });
        return 'accepted';
    }
  };
}
