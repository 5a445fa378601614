// The front door of tenants: the routes about tenants, members and invitations, and what a mail says about an invitation.
import type { FastifyInstance } from 'fastify';
import type { Gate } from '../http/operations.ts';
import type { Database } from '../lib/postgres/database.ts';
import { describeInvitation } from './accept-invitation.ts';
import { registerMemberRoutes } from './member-routes.ts';
import { registerTenantRoutes } from './routes.ts';

export function openTenants({ database }: { readonly database: Database }) {
  return {
    describeInvitation: (id: string) => describeInvitation(database, id),
    register(http: FastifyInstance, gate: Gate): void {
      registerTenantRoutes(http, gate, database);
      registerMemberRoutes(http, gate, database);
    },
  };
}
