// The front door of the audit log: reading it over HTTP. Other features append to it in their own transactions
// (append-audit.ts).
import type { FastifyInstance } from 'fastify';
import type { Gate } from '../http/operations.ts';
import type { Database } from '../lib/postgres/database.ts';
import { registerAuditRoutes } from './routes.ts';

export function openAudit({ database }: { readonly database: Database }) {
  return {
    register(http: FastifyInstance, gate: Gate): void {
      registerAuditRoutes(http, gate, database);
    },
  };
}
