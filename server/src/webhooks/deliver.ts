// Sends due deliveries. A worker claims a few of each endpoint, sends each with no transaction open, and settles it. It
// never waits for one receiver before it serves another: an attempt occupies a place, and endpoints that fail, are slow or
// are new have places of their own (docs/decisions/0203-webhook-deliveries.md).
//
//   claimed ── sent ── settled                      the usual life of an attempt
//      │         └── worker dies ── lease ends ── claimed again, with the same webhook-id
//      └── worker stops ── released
import { setTimeout as wait } from 'node:timers/promises';
import type { SecretSeal } from '../lib/crypto/secret-seal.ts';
import { newId } from '../lib/ids.ts';
import { describeError, type Log } from '../lib/log.ts';
import type { GuardedLine } from '../lib/outside/guarded-line.ts';
import type { Database } from '../lib/postgres/database.ts';
import type { Tx } from '../lib/postgres/sql.ts';
import { inSpan, inSpanOf, traceHeaders } from '../lib/traces/span.ts';
import type { Tracer } from '../lib/traces/tracer.ts';
import { type Admission, createAdmission } from './budgets/admit-attempt.ts';
import { pauseHost } from './budgets/host-store.ts';
import { type Claim, claimInTurn } from './claim-in-turn.ts';
import { type Claimed, isStillWanted } from './claim-store.ts';
import { type CompleteBody, completeBodies, type DescribeReportsOf } from './complete-bodies.ts';
import { judgeAnswer, judgeNotReached } from './rules/answer.ts';
import { type Budgets, choosePlace, holdSeconds } from './rules/budgets.ts';
import { openText, tryOpenText } from './sealing/sealed-texts.ts';
import { updateDeliveryReleased } from './settling/attempt-store.ts';
import { updateEndpointHeld, updateEndpointSlow } from './settling/health-store.ts';
import { type Attempt, type SettleDependencies, SLOW_MS } from './settling/settle-attempt.ts';
import { createSettler } from './settling/settle-together.ts';
import { signedHeaders } from './sign.ts';
import { wakeEndpoints } from './turn-store.ts';
import type { WebhookMetrics } from './webhook-metrics.ts';

export const TIMEOUT_MS = 15_000;
/** Longer than an attempt and its settlement can take. */
const LEASE_SECONDS = 45;
/** When it cannot be asked whether an attempt may go, or what it is about. */
const NOT_ASKED_SECONDS = 5;
/** An attempt that takes longer from its claim to its first byte asks again: its tenant or endpoint may have been stopped. */
const FRESH_MS = 1_000;
/** How long attempts under way may still take when the process stops. */
const CLOSE_MS = 5_000;

type Lane = {
  readonly places: number;
  readonly perTenant: number;
  readonly perEndpoint: number;
  /** A claim costs as much as several attempts, so places that become free within this time share one. */
  readonly gatherMs: number;
};

/** In a row: turns that have come where nothing can begin now must not keep the other lane waiting. */
const IDLE_CLAIMS_MAX = 5;

/** On one node. An attempt is a socket that waits: hundreds cost little. */
const LANES: Readonly<Record<'proven' | 'unproven', Lane>> = {
  proven: { places: 200, perTenant: 20, perEndpoint: 4, gatherMs: 10 },
  // Many of them fail: what comes of their attempts is gathered for longer.
  unproven: { places: 100, perTenant: 10, perEndpoint: 1, gatherMs: 100 },
};
type LaneName = keyof typeof LANES;
/** An attempt that has left its lane occupies no place; there are at most as many as a lane can begin in 15 seconds. */
type Place = { lane: LaneName | 'left'; readonly tenantId: string; readonly claimedMs: number };

export type DeliverDependencies = SettleDependencies & {
  readonly database: Database;
  readonly seal: SecretSeal;
  readonly line: GuardedLine;
  readonly budgets: Budgets;
  readonly metrics: WebhookMetrics;
  readonly log: Log;
  readonly now: () => Date;
  readonly tracer: Tracer;
  readonly describeOf: DescribeReportsOf;
};

type Delivering = DeliverDependencies & { readonly admission: Admission };

export interface Deliverer {
  /** Claims what is due and has a place; returns how many attempts it began. It does not wait for them. */
  claim(): Promise<number>;
  /** Lets attempts under way end, for a while, and gives back the others. */
  close(): Promise<void>;
}

/** Undefined when the key ring does not open them. That counts as a failed attempt: otherwise it would be made for ever. */
function openEndpoint({ seal, log }: DeliverDependencies, claimed: Claimed) {
  const { tenantId, endpointId, sealedUrl, sealedSecret, sealedOldSecret } = claimed;
  const place = { tenantId, id: endpointId };
  try {
    const secret = openText(seal, 'secret', place, sealedSecret);
    // A message is good with the new secret alone: whoever rotates because the old one is lost must not wait for a day.
    const oldSecret = sealedOldSecret ? tryOpenText(seal, 'secret', place, sealedOldSecret) : undefined;
    return {
      url: openText(seal, 'url', place, sealedUrl),
      secrets: oldSecret === undefined ? [secret] : [secret, oldSecret],
    };
  } catch (error) {
    log.error('webhook endpoint not readable', { endpointId, tenantId, ...describeError(error) });
    return undefined;
  }
}

/** Nothing was sent, and nothing counts: a receiver that has accepted nothing yet gets only so much, or nobody wants it sent now. */
type Held = { readonly heldSeconds: number };
type Sending = { readonly complete: CompleteBody; readonly isWanted: () => Promise<boolean> };

async function attempt(
  dependencies: Delivering,
  claimed: Claimed,
  { complete, isWanted }: Sending,
  stopping: AbortSignal,
): Promise<Attempt | Held> {
  const { admission, line, log, now } = dependencies;
  const { tenantId, host, eventId } = claimed;
  const id = newId();
  const startedAt = now();
  const unsent = (reason: Parameters<typeof judgeNotReached>[0]): Attempt => ({
    ...{ id, startedAt, timeTakenMs: 0, status: null, answer: null, place: undefined, isStranger: false },
    verdict: judgeNotReached(reason),
  });
  const opened = openEndpoint(dependencies, claimed);
  if (!opened) return unsent('sealed');
  // Put off, not failed: what we cannot look up now must cost no attempt.
  const body = await complete(claimed).catch((error: unknown) => {
    log.warn('webhook body not completed', describeError(error));
    return undefined;
  });
  if (body === undefined) return { heldSeconds: NOT_ASKED_SECONDS };
  const startedMs = performance.now();
  const where = choosePlace(await line.locate(opened.url, stopping), claimed.provenPlaces);
  if (!where) return unsent('host');
  const target = { tenantId, host, block: where.block };
  // Who cannot be asked is not sent to: it is put off, as if nothing were left.
  const ask = (admitted: Promise<number | undefined>) =>
    admitted.catch((error: unknown) => {
      log.warn('webhook attempt not admitted', describeError(error));
      return NOT_ASKED_SECONDS;
    });
  if (!claimed.provenPlaces.includes(where.place)) {
    const heldSeconds = await ask(admission.unproven(target));
    if (heldSeconds !== undefined) return { heldSeconds };
  }
  if (claimed.isConfirming && (await ask(admission.confirmation(target))) !== undefined) return unsent('confirmations');
  const reply = await line.post(
    where,
    {
      headers: { ...signedHeaders({ id: eventId, body, sentAt: startedAt }, opened.secrets), ...traceHeaders() },
      body,
      timeoutMs: TIMEOUT_MS,
      isWanted,
    },
    stopping,
  );
  if (reply.kind === 'unwanted') return { heldSeconds: 0 };
  // Nothing but verified TLS, or the operator's own networks, is spoken to: who accepts is who was meant.
  const made = { id, startedAt, timeTakenMs: Math.round(performance.now() - startedMs), place: where.place };
  return reply.kind === 'answered'
    ? {
        ...{ ...made, status: reply.status, answer: reply.answer, isStranger: false },
        verdict: judgeAnswer(reply.status, reply.retryAfter, now()),
      }
    : {
        ...{ ...made, status: null, answer: null, isStranger: reply.reason === 'tls' },
        verdict: judgeNotReached(reply.reason),
      };
}

/** As if it had not been claimed. */
async function release(tx: Tx, claimed: Claimed): Promise<void> {
  await updateDeliveryReleased(tx, claimed);
  await wakeEndpoints(tx, [claimed.endpointId]);
}

export function createDeliverer(dependencies: DeliverDependencies): Deliverer {
  const { database, budgets, metrics, log, tracer } = dependencies;
  const settle = createSettler(dependencies);
  const delivering = { ...dependencies, admission: createAdmission(database, budgets) };
  const stopping = new AbortController();
  const underWay = new Map<Promise<void>, Place>();
  let claiming: Promise<number> | undefined;
  let isClosed = false;

  const takenIn = (lane: LaneName) => [...underWay.values()].filter((each) => each.lane === lane);

  async function claimLane(lane: LaneName): Promise<Claim> {
    const { places, perTenant, perEndpoint } = LANES[lane];
    const taken = takenIn(lane);
    const limit = places - taken.length;
    if (limit <= 0) return { claimed: [], areMore: false };
    const byTenant = new Map<string, number>();
    for (const { tenantId } of taken) byTenant.set(tenantId, (byTenant.get(tenantId) ?? 0) + 1);
    const order = {
      ...{ isProven: lane === 'proven', limit, perEndpoint, perTenant },
      ...{ taken: byTenant, leaseSeconds: LEASE_SECONDS },
    };
    return database.asSystem((tx) => claimInTurn(tx, order, budgets));
  }

  /** The attempt may hang: others get its place, and its endpoint gets no other attempt before this one has ended. */
  function leavePlace(place: Place, claimed: Claimed): void {
    if (place.lane === 'unproven') return;
    place.lane = 'left';
    claimSoon('proven');
    database
      .forTenants([claimed.tenantId], (tx) => updateEndpointSlow(tx, claimed))
      .catch((error: unknown) => log.error('slow webhook endpoint not noted', describeError(error)));
  }

  /**
   * It waits as if it had not been claimed, and with it all that the tenant sends to this host; but at a host that is proven somewhere only
   * its own endpoint waits: a dead port must not hold back a healthy one.
   */
  function hold(claimed: Claimed, { heldSeconds }: Held): Promise<undefined> {
    const seconds = holdSeconds(heldSeconds, claimed.provenPlaces);
    const isProvenElsewhere = claimed.provenPlaces.length > 0;
    return database.forTenants([claimed.tenantId], async (tx) => {
      if (seconds > 0 && isProvenElsewhere) await updateEndpointHeld(tx, claimed, seconds);
      await release(tx, claimed);
      if (seconds > 0 && !isProvenElsewhere) await pauseHost(tx, claimed, { seconds, by: 'budget' });
      return undefined;
    });
  }

  /** However long the name, the budgets and the connection took (docs/decisions/0268-what-a-disabled-tenant-sends.md). */
  async function isWantedNow(place: Place, claimed: Claimed): Promise<boolean> {
    if (performance.now() - place.claimedMs < FRESH_MS) return true;
    return database
      .asSystem((tx) => isStillWanted(tx, claimed))
      .catch((error: unknown) => {
        log.warn('webhook attempt not looked at again', describeError(error));
        return false;
      });
  }

  async function deliver(place: Place, claimed: Claimed, complete: CompleteBody): Promise<void> {
    const sending = { complete, isWanted: () => isWantedNow(place, claimed) };
    const slow = setTimeout(() => leavePlace(place, claimed), SLOW_MS);
    try {
      const { creditReportId, eventType, attempts } = claimed;
      const attributes = { 'trefoil.event.type': eventType, 'trefoil.attempt': attempts };
      const options = { peer: 'webhooks', attributes } as const;
      const [made, state] = await inSpanOf(tracer.placeOf(creditReportId), 'webhook', options, async (span) => {
        const ended = await attempt(delivering, claimed, sending, stopping.signal).finally(() => clearTimeout(slow));
        if ('heldSeconds' in ended) return [ended, await hold(claimed, ended)] as const;
        if (span) span.attributes['trefoil.outcome'] = ended.verdict.kind;
        if (span) span.attributes['http.response.status_code'] = ended.status ?? undefined;
        return [ended, await inSpan('settle delivery', {}, () => settle(claimed, ended))] as const;
      });
      if ('heldSeconds' in made) return metrics.webhookAttempts.inc({ outcome: 'held' });
      metrics.webhookAttempts.inc({ outcome: state === undefined ? 'overtaken' : made.verdict.kind });
      metrics.webhookAttemptSeconds.observe(made.timeTakenMs / 1_000);
    } catch (error) {
      // Unless it is given back here, the delivery is due again when its lease ends.
      if (stopping.signal.aborted) await database.forTenants([claimed.tenantId], (tx) => release(tx, claimed));
      else throw error;
    }
  }

  function begin(place: Place, claimed: Claimed, complete: CompleteBody): void {
    const running: Promise<void> = deliver(place, claimed, complete)
      .catch((error: unknown) => log.error('webhook attempt not settled', describeError(error)))
      .finally(() => {
        underWay.delete(running);
        claimSoon('proven');
        if (place.lane !== 'proven') claimSoon('unproven');
      });
    underWay.set(running, place);
  }

  const soon = new Map<LaneName, NodeJS.Timeout>();
  /** A place is free: what waits should not wait for the next run of the job. Places that become free together share a claim. */
  function claimSoon(lane: LaneName): void {
    if (isClosed || soon.has(lane)) return;
    const timer = setTimeout(() => {
      soon.delete(lane);
      claim([lane]).catch(() => undefined);
    }, LANES[lane].gatherMs);
    soon.set(lane, timer);
  }

  async function claimIn(lanes: readonly LaneName[]): Promise<number> {
    let count = 0;
    for (const lane of lanes) {
      let areMore = true;
      for (let idle = 0; areMore && idle < IDLE_CLAIMS_MAX && !isClosed; ) {
        const claimedMs = performance.now();
        const claim = await claimLane(lane);
        const complete = completeBodies(dependencies.describeOf, claim.claimed);
        for (const each of claim.claimed) begin({ lane, tenantId: each.tenantId, claimedMs }, each, complete);
        count += claim.claimed.length;
        ({ areMore } = claim);
        idle = claim.claimed.length > 0 ? 0 : idle + 1;
      }
    }
    return count;
  }

  const askedAgain = new Set<LaneName>();
  /** One claim at a time: two would count the same places as free. */
  function claim(lanes: readonly LaneName[]): Promise<number> {
    if (isClosed) return Promise.resolve(0);
    if (claiming) {
      for (const lane of lanes) askedAgain.add(lane);
      return claiming;
    }
    claiming = claimIn(lanes).finally(() => {
      claiming = undefined;
      if (askedAgain.size === 0) return;
      const again = [...askedAgain];
      askedAgain.clear();
      claim(again).catch(() => undefined);
    });
    return claiming;
  }

  return {
    claim: () => claim(['proven', 'unproven']),
    async close() {
      isClosed = true;
      for (const timer of soon.values()) clearTimeout(timer);
      await claiming?.catch(() => undefined);
      const all = () => Promise.all(underWay.keys());
      await Promise.race([all(), wait(CLOSE_MS, undefined, { ref: false })]);
      stopping.abort();
      await all();
    },
  };
}
