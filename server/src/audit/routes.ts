// The audit log over HTTP.
import type { FastifyInstance } from 'fastify';
import { envelope } from '../http/envelope.ts';
import { type Gate, registerOperation } from '../http/operations.ts';
import type { Database } from '../lib/postgres/database.ts';
import { listAudit } from './list-audit.ts';

export function registerAuditRoutes(app: FastifyInstance, gate: Gate, database: Database): void {
  registerOperation(app, gate, 'listAudit', async ({ caller, query, startedAtMs }) =>
    envelope({ data: await listAudit(database, caller.tenantId, query) }, startedAtMs),
  );
}
