// The front door of webhooks: the routes for tenants, the jobs that hand out and deliver, and the wall between receivers and
// what is inside.
import type { FastifyInstance } from 'fastify';
import type { Gate } from '../http/operations.ts';
import { createRingHash, type HashRing } from '../lib/crypto/hash-ring.ts';
import { createSecretSeal } from '../lib/crypto/secret-seal.ts';
import type { RingKey } from '../lib/crypto/vault.ts';
import type { Job } from '../lib/jobs.ts';
import type { Log } from '../lib/log.ts';
import { openGuardedLine } from '../lib/outside/guarded-line.ts';
import type { OpenDatabase } from '../lib/postgres/database.ts';
import type { Tx } from '../lib/postgres/sql.ts';
import type { Tracer } from '../lib/traces/tracer.ts';
import type { DescribeReportsOf } from './complete-bodies.ts';
import { createDeliverer } from './deliver.ts';
import type { ListPeople } from './dependencies.ts';
import { findDisabled } from './endpoint-store.ts';
import { webhookJobs } from './jobs.ts';
import { registerWebhookRoutes } from './routes.ts';
import { BUDGETS, type Budgets } from './rules/budgets.ts';
import { listSecretKeys } from './sealing/sealed-text-store.ts';
import type { WebhookMetrics } from './webhook-metrics.ts';

type WebhookSettings = {
  readonly hashKeys: HashRing;
  readonly vaultKeys: readonly [RingKey, ...RingKey[]];
  /** Networks that receivers may be in besides the internet; for development alone. */
  readonly webhookNetworks: readonly string[];
};

type Surroundings = {
  readonly database: OpenDatabase;
  readonly metrics: WebhookMetrics;
  readonly log: Log;
  readonly now: () => Date;
  readonly tracer: Tracer;
  readonly budgets: Budgets | undefined;
  /** Webhooks do not know reports, members and tenants: `app.ts` passes these in. */
  readonly describeOf: DescribeReportsOf;
  readonly describeNow: DescribeReportsOf;
  readonly listPeople: ListPeople;
  readonly findTenant: (tx: Tx, tenantId: string) => Promise<{ readonly name: string } | undefined>;
};

export interface Webhooks {
  register(app: FastifyInstance, gate: Gate): void;
  readonly jobs: readonly Job[];
  /** The facts for a mail about a disabled endpoint; undefined when it is enabled again or deleted. */
  describeWebhook(endpointId: string): Promise<{ tenantName: string; host: string } | undefined>;
  close(): Promise<void>;
}

export function openWebhooks(
  { vaultKeys, hashKeys, webhookNetworks }: WebhookSettings,
  surroundings: Surroundings,
): Webhooks {
  const { database, metrics, log, now, tracer, budgets = BUDGETS, findTenant } = surroundings;
  const { describeOf, describeNow, listPeople } = surroundings;
  const seal = createSecretSeal(vaultKeys);
  const hashIdempotency = createRingHash(hashKeys, 'idempotency');
  const line = openGuardedLine({ allowedNetworks: webhookNetworks });
  const around = { seal, line, budgets, metrics, log, now, tracer, describeOf, listPeople };
  const deliverer = createDeliverer({ ...around, database: database.jobs });
  return {
    register: (app, gate) =>
      registerWebhookRoutes(app, gate, {
        ...{ database, seal, hashIdempotency, rules: line.rules, budgets, now, describeNow },
      }),
    jobs: webhookJobs(database.jobs, deliverer, metrics, budgets),
    describeWebhook: (endpointId) =>
      database.asSystem(async (tx) => {
        const webhook = await findDisabled(tx, endpointId);
        const tenant = webhook && (await findTenant(tx, webhook.tenantId));
        return webhook && tenant && { tenantName: tenant.name, host: webhook.host };
      }),
    async close() {
      await deliverer.close();
      await line.close();
    },
  };
}

/** The ring keys that stored addresses and secrets still need. */
export function listWebhookKeys(database: Pick<OpenDatabase, 'asSystem'>): Promise<readonly string[]> {
  return database.asSystem(listSecretKeys);
}
