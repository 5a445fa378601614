// Records an attempt and what follows from it, in one transaction of its tenant: the delivery, the attempt's row, and the
// health of the endpoint. An endpoint that is gone, or that has only failed for five days, is disabled here, and its people
// get a mail.
import { appendAudit } from '../audit/append-audit.ts';
import type { SecretSeal } from '../lib/crypto/secret-seal.ts';
import { newId } from '../lib/ids.ts';
import type { Database } from '../lib/postgres/database.ts';
import type { Tx } from '../lib/postgres/sql.ts';
import { queueMail } from '../mail/queue-mail.ts';
import { type Claimed, insertAttempt, type Settlement, updateDeliverySettled } from './claim-store.ts';
import type { ListPeople } from './dependencies.ts';
import {
  type DisabledReason,
  type EndpointHealth,
  lockEndpointHealth,
  updateEndpointDisabled,
  updateEndpointFailing,
  updateEndpointWorking,
} from './endpoint-store.ts';
import type { Verdict } from './rules/answer.ts';
import { isHopeless, nextDelaySeconds, pauseSeconds } from './rules/schedule.ts';
import { sealText } from './sealed-texts.ts';

/** A receiver that takes longer has its places among those that may hang. */
const SLOW_MS = 3_000;

export type Attempt = {
  readonly startedAt: Date;
  readonly timeTakenMs: number;
  readonly status: number | null;
  readonly answer: string | null;
  readonly verdict: Verdict;
};

export type SettleDependencies = {
  readonly database: Database;
  readonly seal: SecretSeal;
  readonly listPeople: ListPeople;
};

function settlementOf(claimed: Claimed, verdict: Verdict): Settlement {
  if (verdict.kind === 'delivered') return { state: 'delivered' };
  // The receiver is gone, not the event: it waits, and counts as never attempted, until the endpoint is enabled again.
  if (verdict.kind === 'gone') return { state: 'pending', afterSeconds: 0 };
  const afterSeconds = nextDelaySeconds(claimed, verdict.retryAfterSeconds, Math.random());
  return afterSeconds === undefined ? { state: 'failed' } : { state: 'pending', afterSeconds };
}

async function disable(
  tx: Tx,
  { tenantId, endpointId }: Claimed,
  reason: DisabledReason,
  listPeople: ListPeople,
): Promise<void> {
  await updateEndpointDisabled(tx, tenantId, endpointId, reason);
  for (const recipient of await listPeople(tx, tenantId)) {
    await queueMail(tx, { kind: 'webhook-disabled', subjectId: endpointId, recipient });
  }
  const details = { reason };
  await appendAudit(tx, [{ tenantId, actor: 'system', action: 'webhook.disabled', subjectId: endpointId, details }]);
}

async function noteFailure(
  tx: Tx,
  claimed: Claimed,
  { health, verdict }: { readonly health: EndpointHealth; readonly verdict: Verdict },
  listPeople: ListPeople,
): Promise<void> {
  const { tenantId, endpointId } = claimed;
  const failures = health.failures + 1;
  const failingSince = health.failingSince ?? health.now;
  const retryAfterSeconds = verdict.kind === 'failed' ? verdict.retryAfterSeconds : undefined;
  const pause = pauseSeconds(failures, retryAfterSeconds);
  await updateEndpointFailing(tx, tenantId, endpointId, { failures, failingSince, pauseSeconds: pause });
  if (verdict.kind === 'gone') await disable(tx, claimed, 'gone', listPeople);
  else if (isHopeless(failingSince, health.now)) await disable(tx, claimed, 'failing', listPeople);
}

/** What became of the delivery; undefined when another worker has it by now. */
export async function settleAttempt(
  { database, seal, listPeople }: SettleDependencies,
  claimed: Claimed,
  { startedAt, timeTakenMs, status, answer, verdict }: Attempt,
): Promise<Settlement['state'] | undefined> {
  const { tenantId, id: deliveryId } = claimed;
  const settlement = settlementOf(claimed, verdict);
  const attemptId = newId();
  const attempt = {
    ...{ id: attemptId, deliveryId, startedAt, timeTakenMs, status },
    sealedAnswer: answer === null ? null : sealText(seal, 'answer', { tenantId, id: attemptId }, answer),
    error: verdict.kind === 'delivered' ? null : verdict.error,
  };
  return database.forTenants([tenantId], async (tx) => {
    // The endpoint is locked before its delivery, as everywhere (docs/decisions/0120-lock-order.md).
    const isGood = verdict.kind === 'delivered';
    if (isGood) await updateEndpointWorking(tx, claimed, timeTakenMs < SLOW_MS);
    const health = isGood ? undefined : await lockEndpointHealth(tx, claimed);
    const isOurs = await updateDeliverySettled(tx, claimed, settlement);
    // It took place all the same, and a tenant who looks for the second message finds it.
    await insertAttempt(tx, tenantId, attempt);
    if (health) await noteFailure(tx, claimed, { health, verdict }, listPeople);
    return isOurs ? settlement.state : undefined;
  });
}
