// Members and invitations over HTTP. Every change needs a person who has just passed a second factor: the contract
// states it and http/operations.ts enforces it.
import type { FastifyInstance } from 'fastify';
import { envelope } from '../http/envelope.ts';
import { type Gate, registerOperation } from '../http/operations.ts';
import type { SecretSeal } from '../lib/crypto/secret-seal.ts';
import type { Database } from '../lib/postgres/database.ts';
import { changeMember } from './change-member.ts';
import { inviteMember, listInvitations, resendInvitation, revokeInvitation } from './invite-member.ts';
import { listMembers } from './list-members.ts';
import { removeMember } from './remove-member.ts';

export type MemberDependencies = { readonly database: Database; readonly seal: SecretSeal };

export function registerMemberRoutes(app: FastifyInstance, gate: Gate, { database, seal }: MemberDependencies): void {
  registerOperation(app, gate, 'listMembers', async ({ caller, query, startedAtMs }) =>
    envelope({ data: await listMembers(database, caller.tenantId, query) }, startedAtMs),
  );
  registerOperation(app, gate, 'changeMember', async ({ caller, params: { userId = '' }, body, startedAtMs }) => {
    const change = { tenantId: caller.tenantId, userId, role: body.role };
    return envelope({ data: await changeMember(database, caller, change) }, startedAtMs);
  });
  registerOperation(app, gate, 'removeMember', async ({ caller, params: { userId = '' }, query, startedAtMs }) => {
    const removal = {
      ...{ tenantId: caller.tenantId, userId, isConfirmed: query.confirm === 'true' },
      keepWebhooks: query.webhooks === 'keep' ? seal : undefined,
    };
    return envelope({ data: await removeMember(database, caller, removal) }, startedAtMs);
  });
  registerOperation(app, gate, 'listInvitations', async ({ caller, query, startedAtMs }) =>
    envelope({ data: await listInvitations(database, caller.tenantId, query) }, startedAtMs),
  );
  registerOperation(app, gate, 'inviteMember', async ({ caller, body, startedAtMs }) =>
    envelope({ data: await inviteMember(database, caller, caller.tenantId, body) }, startedAtMs),
  );
  registerOperation(app, gate, 'revokeInvitation', async ({ caller, params, startedAtMs }) => {
    const chosen = { tenantId: caller.tenantId, invitationId: params['invitationId'] ?? '' };
    return envelope({ data: await revokeInvitation(database, caller, chosen) }, startedAtMs);
  });
  registerOperation(app, gate, 'resendInvitation', async ({ caller, params, startedAtMs }) => {
    const chosen = { tenantId: caller.tenantId, invitationId: params['invitationId'] ?? '' };
    return envelope({ data: await resendInvitation(database, caller, chosen) }, startedAtMs);
  });
}
