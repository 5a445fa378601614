// Hands events out, replays them, and sends what is due: each within about half a second. Monitors the queue.
import { getAgeAfter } from '../events/read-events.ts';
import type { Job } from '../lib/jobs.ts';
import type { Database } from '../lib/postgres/database.ts';
import { getFanoutCursor, readDeliveryQueue } from './claim-store.ts';
import type { Deliverer } from './deliver.ts';
import { handOutEvents, replayEvents } from './hand-out-events.ts';
import type { WebhookMetrics } from './webhook-metrics.ts';

export { WEBHOOK_DELIVERIES } from './delivery-store.ts';
export { WEBHOOK_ENDPOINTS } from './endpoint-store.ts';

const WORK_MS = 400;
const REPLAY_MS = 1_000;
const WATCH_MS = 30_000;

async function watch(database: Database, metrics: WebhookMetrics): Promise<number> {
  const { waiting, oldestSeconds } = await database.asSystem(readDeliveryQueue);
  metrics.webhooksWaiting.set(waiting);
  metrics.webhooksOldest.set(oldestSeconds);
  const age = await database.asSystem(async (tx) => getAgeAfter(tx, await getFanoutCursor(tx)));
  metrics.webhooksNotHandedOut.set(age);
  return 0;
}

export function webhookJobs(database: Database, deliverer: Deliverer, metrics: WebhookMetrics): Job[] {
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
    { name: 'watch-webhooks', everyMs: WATCH_MS, firstAfterMs: REPLAY_MS, run: () => watch(database, metrics) },
  ];
}
