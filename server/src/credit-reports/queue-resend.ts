// One more message of an open live challenge: within the caps of its number, the countries and the daily spend of its
// tenant, and paid for by a hold of its own.
import { appendEvents } from '../events/append-events.ts';
import { newId } from '../lib/ids.ts';
import type { Tx } from '../lib/sql.ts';
import { openBook, requireFunds } from '../wallet/open-book.ts';
import { listCurrentPrices } from '../wallet/read-prices.ts';
import { CHALLENGE_MS, lockNumber, takeMessage } from './allow-delivery.ts';
import { openRequest } from './answer.ts';
import type { ReportDependencies } from './dependencies.ts';
import { type LiveDependencies, mobileOf } from './live.ts';
import { updateChallengeDue } from './live-store.ts';
import type { OpenedChallenge } from './lock-challenge.ts';
import { SMS_HOLD_MS } from './reserve-reports.ts';
import { mayMessage } from './rules/mobile-caps.ts';
import { insertSends } from './sms-store.ts';

/** The id of the queued message; undefined when the guard refuses. Throws insufficient-funds last of all. */
export async function queueResend(
  tx: Tx,
  { vault }: ReportDependencies,
  live: LiveDependencies,
  { key }: OpenedChallenge,
): Promise<string | undefined> {
  const { tenantId, creditReportId, challengeId } = key;
  const { request } = await openRequest(tx, vault, tenantId, creditReportId);
  const mobile = mobileOf(live, request);
  if (!mobile || !mayMessage(await lockNumber(tx, mobile.numberHash))) return undefined;
  const book = await openBook(tx, { tenantIds: [tenantId] });
  const amount = (await listCurrentPrices(tx, [tenantId])).get(tenantId)?.sms;
  if (amount === undefined) throw new Error('a tenant has no prices');
  if (!(await takeMessage(tx, tenantId, mobile, book, amount))) return undefined;
  requireFunds(book, tenantId, amount);
  const sendId = newId();
  book.hold({ tenantId, kind: 'sms', sourceId: sendId, amount, perBureau: null, lifetimeMs: SMS_HOLD_MS });
  await book.write();
  await insertSends(tx, [{ tenantId, creditReportId, id: sendId, challengeId }]);
  await updateChallengeDue(tx, key, { inMs: CHALLENGE_MS, completingSendId: null });
  await appendEvents(tx, [{ tenantId, type: 'challenge.sent', subjectId: sendId, creditReportId }]);
  return sendId;
}
