// Records an attempt and what follows from it, in one transaction of its tenant: the delivery, the attempt's row, and the
// health of the endpoint. An endpoint that is gone, or that has only failed for five days, is disabled here, and its people
// get a mail.
import { appendAudit } from '../../audit/append-audit.ts';
import type { SecretSeal } from '../../lib/crypto/secret-seal.ts';
import type { Database } from '../../lib/postgres/database.ts';
import type { Tx } from '../../lib/postgres/sql.ts';
import { queueDailyNotice } from '../../mail/queue-mail.ts';
import { noteAccepted, pauseHost } from '../budgets/host-store.ts';
import type { Claimed } from '../claim-store.ts';
import type { ListPeople } from '../dependencies.ts';
import { confirmEndpoint } from '../enable-endpoint.ts';
import {
  type DisabledReason,
  type EndpointHealth,
  lockConfirming,
  lockEndpointHealth,
  updateConfirmationEnded,
  updateEndpointDisabled,
  updateEndpointFailing,
  updateEndpointWorking,
} from '../endpoint-store.ts';
import { freeNext, linesOf } from '../order-store.ts';
import type { Verdict } from '../rules/answer.ts';
import { type Budgets, isRateFull } from '../rules/budgets.ts';
import { askedPauseSeconds, isHopeless, nextDelaySeconds, pauseSeconds, TEST_ATTEMPTS_MAX } from '../rules/schedule.ts';
import { sealText } from '../sealing/sealed-texts.ts';
import { insertAttempt, type NewAttempt, type Settlement, updateDeliverySettled } from './attempt-store.ts';

/** A receiver that takes longer has its places among those that may hang. */
export const SLOW_MS = 3_000;

export type Attempt = {
  readonly id: string;
  readonly startedAt: Date;
  readonly timeTakenMs: number;
  readonly status: number | null;
  readonly answer: string | null;
  /** Where it went, unless the host is proven there. */
  readonly block: string | undefined;
  readonly verdict: Verdict;
};

export type SettleDependencies = {
  readonly database: Database;
  readonly seal: SecretSeal;
  readonly listPeople: ListPeople;
  readonly budgets: Budgets;
};

/** Whether an accepted attempt changes what its host gets. */
export const changesHost = ({ accepted }: Claimed, { block }: Attempt, budgets: Budgets): boolean =>
  block !== undefined || !isRateFull(accepted, budgets);

function settlementOf(claimed: Claimed, verdict: Verdict): Settlement {
  if (verdict.kind === 'delivered') return { state: 'delivered' };
  if (claimed.isConfirming) return { state: 'failed' };
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
  const notice = { tenantId, kind: 'webhook-disabled', subjectId: endpointId } as const;
  await queueDailyNotice(tx, notice, await listPeople(tx, tenantId));
  const details = { reason };
  await appendAudit(tx, [{ tenantId, actor: 'system', action: 'webhook.disabled', subjectId: endpointId, details }]);
}

type Failure = {
  readonly failures: number;
  readonly failingSince: Date;
  readonly pauseSeconds: number;
  readonly disabledReason: DisabledReason | undefined;
};

function failureOf(health: EndpointHealth, verdict: Verdict): Failure {
  const failures = health.failures + 1;
  const failingSince = health.failingSince ?? health.now;
  const retryAfterSeconds = verdict.kind === 'failed' ? verdict.retryAfterSeconds : undefined;
  const isFailing = isHopeless(failingSince, health.now);
  return {
    ...{ failures, failingSince, pauseSeconds: pauseSeconds(failures, retryAfterSeconds) },
    disabledReason: verdict.kind === 'gone' ? 'gone' : isFailing ? 'failing' : undefined,
  };
}

export function toAttemptRow(seal: SecretSeal, { tenantId, id: deliveryId }: Claimed, attempt: Attempt): NewAttempt {
  const { id, startedAt, timeTakenMs, status, answer, verdict } = attempt;
  return {
    ...{ tenantId, id, deliveryId, startedAt, timeTakenMs, status },
    sealedAnswer: answer === null ? null : sealText(seal, 'answer', { tenantId, id }, answer),
    error: verdict.kind === 'delivered' ? null : verdict.error,
  };
}

/** What became of the delivery; undefined when another worker has it by now. */
export type Outcome = Settlement['state'] | undefined;

// The endpoint is locked before its delivery, as everywhere (docs/decisions/0120-lock-order.md). An attempt that
// was overtaken took place all the same, and a tenant who looks for the second message finds it.

async function settleDelivered(
  { database, seal, budgets }: SettleDependencies,
  claimed: Claimed,
  attempt: Attempt,
): Promise<Outcome> {
  const row = toAttemptRow(seal, claimed, attempt);
  const settlement = settlementOf(claimed, attempt.verdict);
  return database.forTenants([claimed.tenantId], async (tx, commitNow) => {
    // Undefined, too, if the endpoint was moved, deleted or asked for another test meanwhile.
    const confirmed = claimed.isConfirming ? await lockConfirming(tx, claimed) : undefined;
    const sent = Promise.all([
      updateEndpointWorking(tx, claimed, attempt.timeTakenMs < SLOW_MS),
      updateDeliverySettled(tx, claimed, settlement),
      insertAttempt(tx, row),
      freeNext(tx, linesOf([claimed])),
      changesHost(claimed, attempt, budgets) && noteAccepted(tx, [{ ...claimed, block: attempt.block }]),
    ]);
    if (confirmed) {
      await sent;
      await confirmEndpoint(tx, claimed, confirmed.isOrdered);
    }
    // One message to the database and one answer.
    commitNow();
    const [, isOurs] = await sent;
    return isOurs ? settlement.state : undefined;
  });
}

async function settleFailed(
  { database, seal, listPeople }: SettleDependencies,
  claimed: Claimed,
  attempt: Attempt,
): Promise<Outcome> {
  const row = toAttemptRow(seal, claimed, attempt);
  const asked = attempt.verdict.kind === 'failed' ? askedPauseSeconds(attempt.verdict.retryAfterSeconds) : 0;
  return database.forTenants([claimed.tenantId], async (tx, commitNow) => {
    const health = await lockEndpointHealth(tx, claimed);
    const failure = health && failureOf(health, attempt.verdict);
    // The endpoint was moved, disabled or deleted meanwhile: the failure of its old address must not end the delivery.
    const isForOldAddress = health === undefined && claimed.attemptsMax > TEST_ATTEMPTS_MAX;
    const settlement: Settlement = isForOldAddress
      ? { state: 'pending', afterSeconds: 0 }
      : settlementOf(claimed, attempt.verdict);
    const sent = Promise.all([
      updateDeliverySettled(tx, claimed, settlement),
      insertAttempt(tx, row),
      settlement.state === 'failed' && freeNext(tx, linesOf([claimed])),
      failure && updateEndpointFailing(tx, claimed, failure),
      asked > 0 && pauseHost(tx, claimed, { seconds: asked, by: 'receiver' }),
      claimed.isConfirming && updateConfirmationEnded(tx, claimed),
    ]);
    if (failure?.disabledReason) {
      await sent;
      await disable(tx, claimed, failure.disabledReason, listPeople);
    }
    commitNow();
    const [isOurs] = await sent;
    return isOurs ? settlement.state : undefined;
  });
}

export function settleAttempt(dependencies: SettleDependencies, claimed: Claimed, attempt: Attempt): Promise<Outcome> {
  const settle = attempt.verdict.kind === 'delivered' ? settleDelivered : settleFailed;
  return settle(dependencies, claimed, attempt);
}
