// Queues one more message of an open live challenge: within the number's caps, the tenant's countries and its daily
// spend, and paid for by its own hold.
import { openChains } from '../../audit/append-audit.ts';
import { appendEvents } from '../../events/append-events.ts';
import { newId } from '../../lib/ids.ts';
import type { Tx } from '../../lib/postgres/sql.ts';
import { openLedger, requireFunds } from '../../wallet/open-ledger.ts';
import { listCurrentPrices } from '../../wallet/read-prices.ts';
import type { LiveDependencies, ReportDependencies } from '../dependencies.ts';
import { updateChallengeDue } from '../live/live-store.ts';
import { mobileOf } from '../live/request-signals.ts';
import { SMS_HOLD_MS } from '../live/reserve-reports.ts';
import { CHALLENGE_MS, lockNumber, type RefusedMessage, takeMessage } from '../messages/allow-delivery.ts';
import { insertSends } from '../messages/sms-store.ts';
import { openRequest } from '../seal-report.ts';
import type { OpenedChallenge } from './lock-challenge.ts';

export type Resend = {
  readonly opened: OpenedChallenge;
  /** The caller that asked for it. */
  readonly actor: string;
  /** This message included. */
  readonly smsSentCount: number;
};

/** The id of the queued message, or the reason for refusing it. Throws insufficient-funds as the last check. */
export async function queueResend(
  tx: Tx,
  { vault }: ReportDependencies,
  live: LiveDependencies,
  { opened: { key }, actor, smsSentCount }: Resend,
): Promise<{ readonly sendId: string } | RefusedMessage> {
  const { tenantId, creditReportId, challengeId } = key;
  const { request } = await openRequest(tx, vault, tenantId, creditReportId);
  const mobile = mobileOf(live, request);
  if (!mobile) return { why: 'mobile-missing', resetsAt: null };
  const number = { tenantId, numberHashes: mobile.numberHashes };
  const uses = await lockNumber(tx, number);
  const ledger = await openLedger(tx, { tenantIds: [tenantId] });
  const amount = (await listCurrentPrices(tx, [tenantId])).get(tenantId)?.sms;
  if (amount === undefined) throw new Error('a tenant has no prices');
  const refused = await takeMessage(tx, { key: number, mobile, uses, smsPrice: amount }, ledger);
  if (refused) return refused;
  requireFunds(ledger, tenantId, amount);
  const sendId = newId();
  ledger.hold({ tenantId, kind: 'sms', sourceId: sendId, amount, perBureau: null, lifetimeMs: SMS_HOLD_MS });
  // Pipelined: PostgreSQL runs them in this order. The audit chain is the last lock (docs/decisions/0120-lock-order.md).
  const [, , , , chains] = await Promise.all([
    ledger.write(),
    insertSends(tx, [{ tenantId, creditReportId, id: sendId, challengeId, codeKeyId: live.codes.keyId }]),
    updateChallengeDue(tx, key, { inMs: CHALLENGE_MS, completingSendId: null }),
    appendEvents(tx, [{ tenantId, type: 'challenge.sent', subjectId: sendId, creditReportId, challengeId }]),
    openChains(tx, [tenantId]),
  ]);
  const details = { sendId, smsSentCount };
  await chains.append([{ tenantId, actor, action: 'challenge.resent', subjectId: creditReportId, details }]);
  return { sendId };
}
