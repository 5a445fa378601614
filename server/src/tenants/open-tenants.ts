// The front door of tenants: the routes about tenants, members, invitations and settings, what a mail says about an invitation, and who
// gets the mails of other features.
import type { FastifyInstance } from 'fastify';
import type { Gate } from '../http/operations.ts';
import { describeInvitation } from './accept-invitation.ts';
import { findTenant } from './change-tenant.ts';
import { listMoneyPeople, listWebhookPeople } from './list-members.ts';
import { type MemberDependencies, registerMemberRoutes } from './member-routes.ts';
import { registerTenantRoutes } from './routes.ts';
import type { SettingsDependencies } from './settings/change-own-settings.ts';
import { registerSettingsRoutes } from './settings/settings-routes.ts';

export function openTenants(dependencies: SettingsDependencies & MemberDependencies) {
  const { database } = dependencies;
  return {
    describeInvitation: (id: string) => describeInvitation(database, id),
    listMoneyPeople,
    listWebhookPeople,
    findTenant,
    register(http: FastifyInstance, gate: Gate): void {
      registerTenantRoutes(http, gate, database);
      registerMemberRoutes(http, gate, dependencies);
      registerSettingsRoutes(http, gate, dependencies);
    },
  };
}
