// What a company used, how bureaus answered it, and what happened last, over HTTP.
import type { FastifyInstance } from 'fastify';
import { envelope } from '../http/envelope.ts';
import { type Gate, registerOperation } from '../http/operations.ts';
import type { Database } from '../lib/postgres/database.ts';
import { listActivity } from './list-activity.ts';
import { readBureaus } from './read-bureaus.ts';
import { readUsage } from './read-usage.ts';

export type UsageDependencies = { readonly database: Database; readonly now: () => Date };

export function registerUsageRoutes(app: FastifyInstance, gate: Gate, dependencies: UsageDependencies): void {
  const { database } = dependencies;
  registerOperation(app, gate, 'getUsage', async ({ caller, query, startedAtMs }) =>
    envelope({ data: await readUsage(database, caller, query) }, startedAtMs),
  );
  registerOperation(app, gate, 'getBureaus', async ({ caller, startedAtMs }) =>
    envelope({ data: await readBureaus(dependencies, caller) }, startedAtMs),
  );
  registerOperation(app, gate, 'listActivity', async ({ caller, query, startedAtMs }) =>
    envelope({ data: await listActivity(database, caller, query) }, startedAtMs),
  );
}
