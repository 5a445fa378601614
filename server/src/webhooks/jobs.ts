// Hands events out, replays them, and sends what is due: each within about half a second. Monitors the queue, and ends what
// waits for deleted endpoints.
import { getAgeAfter } from '../events/read-events.ts';
import type { Job } from '../lib/jobs.ts';
import type { Database } from '../lib/postgres/database.ts';
import { limitDeliveries } from './budgets/limit-rows.ts';
import { type DeliveryQueue, readDeliveryQueue, updateDeliveriesOfDeleted } from './claim-store.ts';
import type { Deliverer } from './deliver.ts';
import { handOutEvents, replayEvents } from './handing-out/hand-out-events.ts';
import { getFanoutCursor } from './handing-out/hand-out-store.ts';
import { arrangeLines, FIRST_LINE, listLines } from './order-store.ts';
import type { Budgets } from './rules/budgets.ts';
import { FIRST_ENDPOINT, listMissed, wakeEndpoints } from './turn-store.ts';
import type { WebhookMetrics } from './webhook-metrics.ts';

export { WEBHOOK_HOSTS } from './budgets/host-store.ts';
export { WEBHOOK_USES } from './budgets/use-store.ts';
export { WEBHOOK_DELIVERIES } from './delivery-store.ts';
export { WEBHOOK_ENDPOINTS } from './endpoint-store.ts';

const WORK_MS = 400;
const REPLAY_MS = 1_000;
const WATCH_MS = 30_000;
const END_MS = 5_000;
const LIMIT_MS = 60_000;
const ENDED_AT_A_TIME = 1_000;
const LINES_AT_A_TIME = 1_000;
const ENDPOINTS_AT_A_TIME = 1_000;

/** How long the oldest event has waited to be handed out; 0 when none waits. */
export const findHandOutDelay = (database: Database): Promise<number> =>
  database.asSystem(async (tx) => getAgeAfter(tx, await getFanoutCursor(tx)));

/** What is due for endpoints that work. */
export const findDeliveryQueue = (database: Database): Promise<DeliveryQueue> => database.asSystem(readDeliveryQueue);

async function watch(database: Database, metrics: WebhookMetrics): Promise<number> {
  const { waiting, oldestSeconds } = await findDeliveryQueue(database);
  metrics.webhooksWaiting.set(waiting);
  metrics.webhooksOldest.set(oldestSeconds);
  metrics.webhooksNotHandedOut.set(await findHandOutDelay(database));
  return 0;
}

/** By a job and not when the endpoint is deleted: there may be many, and an event may just be handed out to it. */
export async function endDeliveriesOfDeleted(database: Database, signal?: AbortSignal): Promise<number> {
  let sum = 0;
  while (!signal?.aborted) {
    const count = await database.asSystem((tx) => updateDeliveriesOfDeleted(tx, ENDED_AT_A_TIME));
    sum += count;
    if (count < ENDED_AT_A_TIME) break;
  }
  return sum;
}

/**
 * A part of all lines at a time, from where the run before ended: what it looks for is rare, and a long queue must not make it
 * expensive.
 */
export function createLineKeeper(database: Database) {
  let after = FIRST_LINE;
  return () =>
    database.asSystem(async (tx) => {
      const lines = await listLines(tx, after, LINES_AT_A_TIME);
      after = (lines.length === LINES_AT_A_TIME ? lines.at(-1) : undefined) ?? FIRST_LINE;
      const stuck = lines.filter(({ isStuck }) => isStuck);
      await arrangeLines(tx, stuck);
      await wakeEndpoints(
        tx,
        stuck.map(({ endpointId }) => endpointId),
      );
      return stuck.length;
    });
}

/**
 * Wakes endpoints that nobody has woken. Beside a server of the previous release, which does not know of turns, there are some; otherwise
 * something that adds deliveries or frees them has forgotten to, which the metric shows.
 */
export function createTurnKeeper(database: Database, tellMissed: (count: number) => void) {
  let after = FIRST_ENDPOINT;
  return () =>
    database.asSystem(async (tx) => {
      const endpoints = await listMissed(tx, after, ENDPOINTS_AT_A_TIME);
      after = (endpoints.length === ENDPOINTS_AT_A_TIME ? endpoints.at(-1)?.endpointId : undefined) ?? FIRST_ENDPOINT;
      const missed = endpoints.filter(({ isMissed }) => isMissed).map(({ endpointId }) => endpointId);
      await wakeEndpoints(tx, missed);
      tellMissed(missed.length);
      return missed.length;
    });
}

export function webhookJobs(
  database: Database,
  deliverer: Deliverer,
  metrics: WebhookMetrics,
  { deliveriesMax }: Budgets,
): Job[] {
  return [
    {
      name: 'hand-out-events',
      everyMs: WORK_MS,
      async run(signal) {
        const count = await handOutEvents(database, signal);
        if (count > 0) await deliverer.claim();
        return count;
      },
    },
    { name: 'replay-events', everyMs: REPLAY_MS, run: (signal) => replayEvents(database, signal) },
    { name: 'deliver-webhooks', everyMs: WORK_MS, run: () => deliverer.claim() },
    {
      ...{ name: 'end-deliveries-of-deleted', everyMs: END_MS },
      run: (signal) => endDeliveriesOfDeleted(database, signal),
    },
    {
      ...{ name: 'limit-deliveries', everyMs: LIMIT_MS },
      run: (signal) => limitDeliveries(database, deliveriesMax, signal),
    },
    { name: 'keep-lines', everyMs: END_MS, run: createLineKeeper(database) },
    {
      name: 'keep-turns',
      everyMs: END_MS,
      run: createTurnKeeper(database, (count) => metrics.webhookTurnsMissed.inc(count)),
    },
    { name: 'watch-webhooks', everyMs: WATCH_MS, firstAfterMs: REPLAY_MS, run: () => watch(database, metrics) },
  ];
}
