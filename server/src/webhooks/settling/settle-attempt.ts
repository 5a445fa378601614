// Records an attempt and what follows from it, in one transaction of its tenant: the delivery, the attempt's row, and the
// health of the endpoint. An endpoint that is gone, or that has only failed for five days, is disabled here, and its people
// get a mail.
import { appendAudit } from '../../audit/append-audit.ts';
import type { SecretSeal } from '../../lib/crypto/secret-seal.ts';
import type { Database } from '../../lib/postgres/database.ts';
import type { Tx } from '../../lib/postgres/sql.ts';
import { queueDailyNotice } from '../../mail/queue-mail.ts';
import { type Accepted, noteAccepted, pauseHost, updateHostGone, updatePlaceUnproven } from '../budgets/host-store.ts';
import type { Claimed } from '../claim-store.ts';
import type { ListPeople } from '../dependencies.ts';
import { enableEndpoint } from '../enable-endpoint.ts';
import { type DisabledReason, updateEndpointDisabled } from '../endpoint-store.ts';
import { freeNext, linesOf } from '../order-store.ts';
import type { Verdict } from '../rules/answer.ts';
import { type Budgets, isRateFull } from '../rules/budgets.ts';
import { askedPauseSeconds, isHopeless, nextDelaySeconds, pauseSeconds, TEST_ATTEMPTS_MAX } from '../rules/schedule.ts';
import { sealText } from '../sealing/sealed-texts.ts';
import { wakeEndpoints } from '../turn-store.ts';
import {
  deleteOldAttempts,
  insertAttempt,
  lockAttempts,
  mayHaveTooMany,
  type NewAttempt,
  type Settlement,
  updateDeliverySettled,
} from './attempt-store.ts';
import {
  type EndpointHealth,
  lockConfirming,
  lockEndpointHealth,
  updateConfirmationEnded,
  updateEndpointFailing,
  updateEndpointGone,
  updateEndpointWorking,
} from './health-store.ts';

/** A receiver that takes longer has its places among those that may hang. */
export const SLOW_MS = 3_000;

export type Attempt = {
  readonly id: string;
  readonly startedAt: Date;
  readonly timeTakenMs: number;
  readonly status: number | null;
  readonly answer: string | null;
  /** Where it went; undefined when nothing was sent. */
  readonly place: string | undefined;
  /** Whoever answered there could not show the certificate of the name. */
  readonly isStranger: boolean;
  readonly verdict: Verdict;
};

export type SettleDependencies = {
  readonly database: Database;
  readonly seal: SecretSeal;
  readonly listPeople: ListPeople;
  readonly budgets: Budgets;
};

/** What an accepted attempt changes of what its host gets; empty when nothing. */
export function acceptedOf(claimed: Claimed, { place }: Attempt, budgets: Budgets): Accepted[] {
  const { tenantId, host, provenPlaces, accepted, isHostGone } = claimed;
  if (place === undefined) return [];
  const isNews = isHostGone || !provenPlaces.includes(place) || !isRateFull(accepted, budgets);
  return isNews ? [{ tenantId, host, place }] : [];
}

function settlementOf(claimed: Claimed, verdict: Verdict): Settlement {
  if (verdict.kind === 'delivered') return { state: 'delivered' };
  if (claimed.isConfirming) return { state: 'failed' };
  // The receiver is gone, not the event: it waits, and counts as never attempted, until the endpoint is enabled again.
  if (verdict.kind === 'gone') return { state: 'pending', afterSeconds: 0 };
  const afterSeconds = nextDelaySeconds(claimed, verdict.retryAfterSeconds, Math.random());
  return afterSeconds === undefined ? { state: 'failed' } : { state: 'pending', afterSeconds };
}

/** An endpoint was disabled here: its people get a mail. */
async function tellDisabled(
  tx: Tx,
  { tenantId, endpointId }: Claimed,
  reason: DisabledReason,
  listPeople: ListPeople,
): Promise<void> {
  const notice = { tenantId, kind: 'webhook-disabled', subjectId: endpointId } as const;
  await queueDailyNotice(tx, notice, await listPeople(tx, tenantId));
  const details = { reason };
  await appendAudit(tx, [{ tenantId, actor: 'system', action: 'webhook.disabled', subjectId: endpointId, details }]);
}

/** Its test message was accepted. */
const noteConfirmed = (tx: Tx, { tenantId, endpointId: subjectId }: Claimed): Promise<void> =>
  appendAudit(tx, [
    { tenantId, actor: 'system', action: 'webhook.enabled', subjectId, details: { reason: 'confirmed' } },
  ]);

type Failure = { readonly failures: number; readonly failingSince: Date; readonly pauseSeconds: number };

function failureOf(health: EndpointHealth, verdict: Verdict): Failure {
  const failures = health.failures + 1;
  const retryAfterSeconds = verdict.kind === 'failed' ? verdict.retryAfterSeconds : undefined;
  return {
    ...{ failures, failingSince: health.failingSince ?? health.now },
    pauseSeconds: pauseSeconds(failures, retryAfterSeconds),
  };
}

/** The reason, if this attempt has disabled its endpoint. Locks the endpoint. */
async function disableAfter(
  tx: Tx,
  claimed: Claimed,
  verdict: Verdict,
  { health, failure }: { readonly health: EndpointHealth | undefined; readonly failure: Failure | undefined },
): Promise<DisabledReason | undefined> {
  if (verdict.kind === 'gone') return (await updateEndpointGone(tx, claimed)) ? 'gone' : undefined;
  if (!health || !failure || !isHopeless(failure.failingSince, health.now)) return undefined;
  await updateEndpointDisabled(tx, claimed.tenantId, claimed.endpointId, 'failing');
  return 'failing';
}

/** What the answer says about the host, whatever has become of the endpoint. */
function noteHost(tx: Tx, claimed: Claimed, { verdict, place, isStranger }: Attempt): Promise<unknown> {
  const asked = verdict.kind === 'failed' ? askedPauseSeconds(verdict.retryAfterSeconds) : 0;
  return Promise.all([
    verdict.kind === 'gone' && updateHostGone(tx, claimed),
    asked > 0 && pauseHost(tx, claimed, { seconds: asked, by: 'receiver' }),
    isStranger && place !== undefined && updatePlaceUnproven(tx, claimed, place),
  ]);
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

// The endpoint is locked before its delivery, then its turn, then its host, as everywhere (docs/decisions/0120-lock-order.md). An attempt that
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
      mayHaveTooMany(claimed) && deleteOldAttempts(tx, [claimed]),
      freeNext(tx, linesOf([claimed])),
    ]);
    if (confirmed) {
      await sent;
      await enableEndpoint(tx, claimed.tenantId, claimed.endpointId, confirmed.isOrdered);
    }
    const hosts = acceptedOf(claimed, attempt, budgets);
    const noted = Promise.all([wakeEndpoints(tx, [claimed.endpointId], hosts), noteAccepted(tx, hosts)]);
    if (confirmed) {
      await noted;
      await noteConfirmed(tx, claimed);
    }
    // One message to the database and one answer.
    commitNow();
    const [[, isOurs]] = await Promise.all([sent, noted]);
    return isOurs ? settlement.state : undefined;
  });
}

async function settleFailed(
  { database, seal, listPeople }: SettleDependencies,
  claimed: Claimed,
  attempt: Attempt,
): Promise<Outcome> {
  const row = toAttemptRow(seal, claimed, attempt);
  const { verdict } = attempt;
  return database.forTenants([claimed.tenantId], async (tx, commitNow) => {
    if (claimed.isConfirming) await updateConfirmationEnded(tx, claimed);
    const health = await lockEndpointHealth(tx, claimed);
    const failure = health && failureOf(health, verdict);
    if (failure) await updateEndpointFailing(tx, claimed, failure);
    const disabledReason = await disableAfter(tx, claimed, verdict, { health, failure });
    // The endpoint was moved, disabled or deleted meanwhile: the failure of its old address must not end the delivery.
    const isForOldAddress = health === undefined && claimed.attemptsMax > TEST_ATTEMPTS_MAX;
    // A tenant who has asked for it again meanwhile has given it all its attempts.
    const attempts = (await lockAttempts(tx, claimed)) ?? claimed.attempts;
    const settlement: Settlement = isForOldAddress
      ? { state: 'pending', afterSeconds: 0 }
      : settlementOf({ ...claimed, attempts }, verdict);
    const sent = Promise.all([
      updateDeliverySettled(tx, claimed, settlement),
      insertAttempt(tx, row),
      mayHaveTooMany(claimed) && deleteOldAttempts(tx, [claimed]),
      settlement.state === 'failed' && freeNext(tx, linesOf([claimed])),
      wakeEndpoints(tx, [claimed.endpointId]),
      noteHost(tx, claimed, attempt),
    ]);
    if (disabledReason) {
      await sent;
      await tellDisabled(tx, claimed, disabledReason, listPeople);
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
