// Sends due deliveries. A worker claims a few of each endpoint, sends each with no transaction open, and settles it. It
// never waits for one receiver before it serves another: an attempt occupies a place, and endpoints that fail, are slow or
// are new have places of their own (docs/decisions/0203-webhook-deliveries.md).
//
//   claimed ── sent ── settled                      the usual life of an attempt
//      │         └── worker dies ── lease ends ── claimed again, with the same webhook-id
//      └── worker stops ── released
import { setTimeout as wait } from 'node:timers/promises';
import type { SecretSeal } from '../lib/crypto/secret-seal.ts';
import { describeError, type Log } from '../lib/log.ts';
import type { GuardedLine } from '../lib/outside/guarded-line.ts';
import type { Database } from '../lib/postgres/database.ts';
import { VERSION } from '../lib/version.ts';
import { type Claimed, claimDeliveries, lockDueEndpoints, updateDeliveryReleased } from './claim-store.ts';
import { judgeAnswer, judgeNotReached } from './rules/answer.ts';
import { openText } from './sealed-texts.ts';
import { type Attempt, type SettleDependencies, settleAttempt } from './settle-attempt.ts';
import { signatureHeaders } from './sign.ts';
import type { WebhookMetrics } from './webhook-metrics.ts';

export const TIMEOUT_MS = 15_000;
/** Longer than an attempt and its settlement can take. */
const LEASE_SECONDS = 45;
/** How long attempts under way may still take when the process stops. */
const CLOSE_MS = 5_000;

type Lane = { readonly places: number; readonly perTenant: number; readonly perEndpoint: number };

/** On one node. An attempt is a socket that waits: a hundred cost little. */
const LANES: Readonly<Record<'proven' | 'unproven', Lane>> = {
  proven: { places: 100, perTenant: 20, perEndpoint: 4 },
  unproven: { places: 100, perTenant: 10, perEndpoint: 1 },
};
type LaneName = keyof typeof LANES;

export type DeliverDependencies = SettleDependencies & {
  readonly database: Database;
  readonly seal: SecretSeal;
  readonly line: GuardedLine;
  readonly metrics: WebhookMetrics;
  readonly log: Log;
  readonly now: () => Date;
};

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
  const secrets = [sealedSecret, ...(sealedOldSecret ? [sealedOldSecret] : [])];
  try {
    return {
      url: openText(seal, 'url', place, sealedUrl),
      secrets: secrets.map((each) => openText(seal, 'secret', place, each)),
    };
  } catch (error) {
    log.error('webhook endpoint not readable', describeError(error));
    return undefined;
  }
}

async function attempt(dependencies: DeliverDependencies, claimed: Claimed, stopping: AbortSignal): Promise<Attempt> {
  const { line, now } = dependencies;
  const { eventId, body } = claimed;
  const startedAt = now();
  const opened = openEndpoint(dependencies, claimed);
  if (!opened) return { startedAt, timeTakenMs: 0, status: null, answer: null, verdict: judgeNotReached('sealed') };
  const startedMs = performance.now();
  const reply = await line.post(
    {
      url: opened.url,
      headers: {
        'content-type': 'application/json',
        'user-agent': `Trefoil-Webhooks/${VERSION}`,
        ...signatureHeaders({ id: eventId, body, sentAt: startedAt }, opened.secrets),
      },
      body,
      timeoutMs: TIMEOUT_MS,
    },
    stopping,
  );
  const timeTakenMs = Math.round(performance.now() - startedMs);
  return reply.kind === 'answered'
    ? {
        ...{ startedAt, timeTakenMs, status: reply.status, answer: reply.answer },
        verdict: judgeAnswer(reply.status, reply.retryAfter, now()),
      }
    : { startedAt, timeTakenMs, status: null, answer: null, verdict: judgeNotReached(reply.reason) };
}

export function createDeliverer(dependencies: DeliverDependencies): Deliverer {
  const { database, metrics, log } = dependencies;
  const stopping = new AbortController();
  const underWay = new Map<Promise<void>, { readonly lane: LaneName; readonly tenantId: string }>();
  let claiming: Promise<number> | undefined;
  let isClosed = false;

  const takenIn = (lane: LaneName) => [...underWay.values()].filter((each) => each.lane === lane);

  async function claimLane(lane: LaneName): Promise<Claimed[]> {
    const { places, perTenant, perEndpoint } = LANES[lane];
    const taken = takenIn(lane);
    const limit = places - taken.length;
    if (limit <= 0) return [];
    const byTenant = new Map<string, number>();
    for (const { tenantId } of taken) byTenant.set(tenantId, (byTenant.get(tenantId) ?? 0) + 1);
    const order = {
      ...{ isProven: lane === 'proven', limit, perEndpoint, perTenant },
      ...{ taken: byTenant, leaseSeconds: LEASE_SECONDS },
    };
    return database.asSystem(async (tx) => {
      const endpoints = await lockDueEndpoints(tx, order);
      return endpoints.length > 0 ? claimDeliveries(tx, endpoints, order) : [];
    });
  }

  async function deliver(claimed: Claimed): Promise<void> {
    try {
      const made = await attempt(dependencies, claimed, stopping.signal);
      const state = await settleAttempt(dependencies, claimed, made);
      metrics.webhookAttempts.inc({ outcome: state === undefined ? 'overtaken' : made.verdict.kind });
      metrics.webhookAttemptSeconds.observe(made.timeTakenMs / 1_000);
    } catch (error) {
      // Unless it is given back here, the delivery is due again when its lease ends.
      if (stopping.signal.aborted)
        await database.forTenants([claimed.tenantId], (tx) => updateDeliveryReleased(tx, claimed));
      else throw error;
    }
  }

  function begin(lane: LaneName, claimed: Claimed): void {
    const running: Promise<void> = deliver(claimed)
      .catch((error: unknown) => log.error('webhook attempt not settled', describeError(error)))
      .finally(() => {
        underWay.delete(running);
        // Its place is free: what waits should not wait for the next run of the job.
        if (!isClosed) claim().catch(() => undefined);
      });
    underWay.set(running, { lane, tenantId: claimed.tenantId });
  }

  async function claimAll(): Promise<number> {
    let count = 0;
    for (const lane of ['proven', 'unproven'] as const) {
      const claimed = await claimLane(lane);
      for (const each of claimed) begin(lane, each);
      count += claimed.length;
    }
    return count;
  }

  let isAskedAgain = false;
  /** One claim at a time: two would count the same places as free. */
  function claim(): Promise<number> {
    if (isClosed) return Promise.resolve(0);
    if (claiming) {
      isAskedAgain = true;
      return claiming;
    }
    claiming = claimAll().finally(() => {
      claiming = undefined;
      if (!isAskedAgain) return;
      isAskedAgain = false;
      claim().catch(() => undefined);
    });
    return claiming;
  }

  return {
    claim,
    async close() {
      isClosed = true;
      await claiming?.catch(() => undefined);
      const all = () => Promise.all(underWay.keys());
      await Promise.race([all(), wait(CLOSE_MS, undefined, { ref: false })]);
      stopping.abort();
      await all();
    },
  };
}
