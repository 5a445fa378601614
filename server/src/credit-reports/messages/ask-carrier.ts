// Asks the carrier about messages without a final status, since their receipts may have been lost. The answer is
// applied like a receipt. A worker claims a message in a transaction, asks with none open, then postpones or settles
// it, so that concurrent workers ask once. A failed ask changes only when the next one is due.

import type { Database } from '../../lib/postgres/database.ts';
import type { AskOutcome, Carrier } from '../../sms/port.ts';
import type { ReportMetrics } from '../report-metrics.ts';
import { nextAskAfterSeconds } from '../rules/asking.ts';
import { claimDueAsks, type DueAsk, updateNextAsk } from './ask-store.ts';
import type { Receipts } from './receive-receipt.ts';

/** Asks about the messages that are due now, within the limits; returns how many. */
export type AskCarrier = () => Promise<number>;

type Options = {
  readonly database: Database;
  readonly carrier: Pick<Carrier, 'name' | 'ask'>;
  /** Stores the carrier's answer as a receipt; it is applied later. */
  readonly applyReceipt: Receipts['take'];
  readonly metrics: Pick<ReportMetrics, 'asks'>;
};

const AT_A_TIME = 10;
/** With the job's five seconds of rest: at most 600 a minute from one node, so that a backlog does not flood the carrier. */
const PER_RUN = 50;
/** Longer than an ask and its follow-up can take. */
const LEASE_SECONDS = 120;

/** Undefined when the carrier offers no status query. */
export function createAskCarrier({ database, carrier, applyReceipt, metrics }: Options): AskCarrier | undefined {
  const { name, ask } = carrier;
  if (!ask) return undefined;

  const askAbout = async (due: DueAsk): Promise<AskOutcome['kind']> => {
    const { tenantId, id, carrierRef } = due;
    const outcome = await ask(carrierRef);
    metrics.asks.inc({ outcome: outcome.kind === 'final' ? outcome.status : outcome.kind });
    if (outcome.kind === 'final')
      await applyReceipt(name, { tenantId, sendId: id, carrierRef, status: outcome.status });
    // Also after a final status: a message that it did not settle must not count as one that the carrier reported open.
    const afterSeconds = nextAskAfterSeconds({ ...due, isAnswered: outcome.kind === 'open' });
    await database.asSystem((tx) => updateNextAsk(tx, due, afterSeconds ?? null));
    return outcome.kind;
  };

  return async () => {
    let count = 0;
    while (count < PER_RUN) {
      const due = await database.asSystem((tx) => claimDueAsks(tx, AT_A_TIME, LEASE_SECONDS));
      const results = await Promise.allSettled(due.map(askAbout));
      count += due.length;
      const failed = results.find((result) => result.status === 'rejected');
      // A message that could not be settled is due again when its lease expires.
      if (failed) throw failed.reason;
      const isAway = results.some((result) => result.status === 'fulfilled' && result.value === 'unknown');
      // A carrier in trouble gets only one batch per run.
      if (isAway || due.length < AT_A_TIME) return count;
    }
    return count;
  };
}
