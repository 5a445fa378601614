// The front door of tenants: the routes about tenants, members and invitations, what a mail says about an invitation, and who
// gets the mails of other features.
import type { FastifyInstance } from 'fastify';
import type { Gate } from '../http/operations.ts';
import type { Database } from '../lib/postgres/database.ts';
import { describeInvitation } from './accept-invitation.ts';
import { findTenant } from './change-tenant.ts';
import { listMoneyPeople, listWebhookPeople } from './list-members.ts';
import { registerMemberRoutes } from './member-routes.ts';
import { registerTenantRoutes } from './routes.ts';

export function openTenants({ database }: { readonly database: Database }) {
  return {
    describeInvitation: (id: string) => describeInvitation(database, id),
    listMoneyPeople,
    listWebhookPeople,
    findTenant,
    register(http: FastifyInstance, gate: Gate): void {
      registerTenantRoutes(http, gate, database);
      registerMemberRoutes(http, gate, database);
    },
  };
}
