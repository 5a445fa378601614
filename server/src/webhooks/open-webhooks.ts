// The front door of webhooks: the routes for tenants, the jobs that hand out and deliver, and the wall between receivers and
// what is inside.
import type { FastifyInstance } from 'fastify';
import type { Gate } from '../http/operations.ts';
import { createSecretSeal } from '../lib/crypto/secret-seal.ts';
import type { RingKey } from '../lib/crypto/vault.ts';
import type { Job } from '../lib/jobs.ts';
import type { Log } from '../lib/log.ts';
import { openGuardedLine } from '../lib/outside/guarded-line.ts';
import type { OpenDatabase } from '../lib/postgres/database.ts';
import { createDeliverer } from './deliver.ts';
import type { ListPeople } from './dependencies.ts';
import { listSecretKeys } from './endpoint-store.ts';
import { webhookJobs } from './jobs.ts';
import { registerWebhookRoutes } from './routes.ts';
import type { WebhookMetrics } from './webhook-metrics.ts';

type WebhookSettings = {
  readonly vaultKeys: readonly [RingKey, ...RingKey[]];
  /** Networks that receivers may be in besides the internet; for development alone. */
  readonly webhookNetworks: readonly string[];
};

type Surroundings = {
  readonly database: OpenDatabase;
  readonly metrics: WebhookMetrics;
  readonly log: Log;
  readonly now: () => Date;
  readonly listPeople: ListPeople;
};

export interface Webhooks {
  register(app: FastifyInstance, gate: Gate): void;
  readonly jobs: readonly Job[];
  close(): Promise<void>;
}

export function openWebhooks({ vaultKeys, webhookNetworks }: WebhookSettings, surroundings: Surroundings): Webhooks {
  const { database, metrics, log, now, listPeople } = surroundings;
  const seal = createSecretSeal(vaultKeys);
  const line = openGuardedLine({ allowedNetworks: webhookNetworks });
  const deliverer = createDeliverer({ database: database.jobs, seal, line, metrics, log, now, listPeople });
  return {
    register: (app, gate) => registerWebhookRoutes(app, gate, { database, seal, rules: line.rules }),
    jobs: webhookJobs(database.jobs, deliverer, metrics),
    async close() {
      await deliverer.close();
      await line.close();
    },
  };
}

/** As the system role: the facts for a mail about a disabled endpoint. */
export { findDisabled as describeDisabledWebhook } from './endpoint-store.ts';

/** The ring keys that stored secrets still need. */
export function listWebhookKeys(database: Pick<OpenDatabase, 'asSystem'>): Promise<readonly string[]> {
  return database.asSystem(listSecretKeys);
}
