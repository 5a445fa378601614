// GET /v1/my/tenants and POST /v1/my/tenants/select.
import type { FastifyInstance } from 'fastify';
import { type Gate, registerOperation } from '../http/operations.ts';
import type { Database } from '../lib/postgres/database.ts';
import { listMyTenants, selectTenant } from './list-tenants.ts';

export function registerTenantRoutes(app: FastifyInstance, gate: Gate, database: Database): void {
  registerOperation(app, gate, 'listTenants', ({ caller }) => listMyTenants(database, caller));
  registerOperation(app, gate, 'selectTenant', ({ caller, body }) => selectTenant(database, caller, body.tenantId));
}
