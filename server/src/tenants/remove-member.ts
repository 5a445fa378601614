// Ends a membership. Its row stays, since credentials and the audit log refer to it; it gives no access from now on. The
// API credentials that the person owns are disabled with it (docs/decisions/0026-account-calls-with-credentials.md). The
// secrets and keys they made for other credentials end (0151), and so do their open invitations. Webhook endpoints that are theirs are
// disabled, or kept with a new secret.
import type { MemberEndings, RemovedMember } from '@trefoil/contract';
import { type AuditEntry, appendAudit } from '../audit/append-audit.ts';
import type { SecretSeal } from '../lib/crypto/secret-seal.ts';
import { ServiceError } from '../lib/errors.ts';
import { isUuid } from '../lib/ids.ts';
import type { Database } from '../lib/postgres/database.ts';
import type { Tx } from '../lib/postgres/sql.ts';
import { disableEndpoints, lockEndpointsMadeBy, rotateSecrets } from '../webhooks/end-with-maker.ts';
import { endCredentialsOf, findEndings, lockMakersOf } from './ending-store.ts';
import { listInvitationsBy, revokeInvitationsBy } from './invitation-store.ts';
import { actorOf, enforce, type Manager, manageMembers, noMember } from './manage-members.ts';
import { updateMemberRemoved } from './member-store.ts';
import { judgeRemoval } from './rules/membership.ts';

export type Removal = {
  readonly tenantId: string;
  readonly userId: string;
  readonly isConfirmed: boolean;
  /** Given where webhook endpoints that they made go on, with new secrets; otherwise they are disabled. */
  readonly keepWebhooks?: SecretSeal | undefined;
};

/** What would end with a member, for a confirmation. It may have changed by the time the member is removed. */
export function findRemovalEndings(database: Database, tenantId: string, userId: string): Promise<MemberEndings> {
  return database.forTenants([tenantId], (tx) => lockEndings(tx, tenantId, userId));
}

async function lockEndings(tx: Tx, tenantId: string, userId: string): Promise<MemberEndings> {
  // Invitations, credentials, endpoints, all after the members (docs/decisions/0120-lock-order.md).
  const invitations = await listInvitationsBy(tx, tenantId, userId);
  const makers = await lockMakersOf(tx, tenantId, userId);
  const endings = await findEndings(tx, tenantId, userId);
  return { ...endings, invitations, webhookEndpoints: await lockEndpointsMadeBy(tx, tenantId, makers) };
}

/** The tenant's services may depend on what ends: the person who removes a member sees it first. */
function requireConfirmed(wouldEnd: MemberEndings): void {
  if (Object.values(wouldEnd).every((list) => list.length === 0)) return;
  throw new ServiceError(
    'conflict',
    'Removing this member also ends what wouldEnd lists. To go ahead, send the request again with confirm=true.',
    { fields: { wouldEnd } },
  );
}

type Ended = Pick<AuditEntry, 'action' | 'subjectId' | 'details'>;

function auditEndings(userId: string, { credentials, secrets, keys }: MemberEndings): Ended[] {
  return [
    ...credentials.map(({ credentialId }) => ({
      action: 'credential.changed' as const,
      subjectId: credentialId,
      details: { isEnabled: false, ownerRemoved: userId },
    })),
    ...secrets.map(({ credentialId, secretId }) => ({
      action: 'credential.secret-ended' as const,
      subjectId: credentialId,
      details: { secretId, makerRemoved: userId },
    })),
    ...[...new Set(keys.map(({ credentialId }) => credentialId))].map((credentialId) => ({
      action: 'credential.keys-ended' as const,
      subjectId: credentialId,
      details: { keys: keys.filter((key) => key.credentialId === credentialId).length, makerRemoved: userId },
    })),
  ];
}

export async function removeMember(database: Database, manager: Manager, removal: Removal): Promise<RemovedMember> {
  const { tenantId, userId, isConfirmed, keepWebhooks } = removal;
  if (!isUuid(userId)) throw noMember();
  return database.forTenants([tenantId], async (tx) => {
    const members = await manageMembers(tx, tenantId, manager, [userId]);
    const member = members.find(userId);
    if (!member) throw noMember();
    const { authority } = members;
    enforce(judgeRemoval({ authority, from: member.role, otherOwners: members.otherOwners(userId) }));
    const endings = await lockEndings(tx, tenantId, userId);
    if (!isConfirmed) requireConfirmed(endings);
    await updateMemberRemoved(tx, tenantId, userId);
    const revoked = await revokeInvitationsBy(tx, tenantId, userId, []);
    await endCredentialsOf(tx, tenantId, userId, endings);
    const actor = actorOf(manager);
    const made = endings.webhookEndpoints;
    const madeBy = actor === 'operator' ? null : actor;
    const rotatedWebhookSecrets = keepWebhooks ? await rotateSecrets(tx, keepWebhooks, { tenantId, madeBy }, made) : [];
    const disabledWebhookEndpoints = keepWebhooks ? [] : made;
    const disabledNow = await disableEndpoints(tx, tenantId, disabledWebhookEndpoints);
    const by = { tenantId, actor };
    const removed = { action: 'member.removed' as const, subjectId: userId, details: { role: member.role } };
    await appendAudit(
      tx,
      [
        removed,
        ...auditEndings(userId, endings),
        ...disabledNow.map(({ endpointId }) => ({
          ...{ action: 'webhook.disabled' as const, subjectId: endpointId },
          details: { reason: 'requested', makerRemoved: userId },
        })),
        ...rotatedWebhookSecrets.map(({ endpointId }) => ({
          ...{ action: 'webhook.secret-rotated' as const, subjectId: endpointId },
          details: { makerRemoved: userId },
        })),
        ...revoked.map((id) => ({ action: 'invitation.revoked' as const, subjectId: id, details: {} })),
      ].map((each) => ({ ...by, ...each })),
    );
    const { credentials: stoppedCredentials, secrets: endedSecrets, keys: endedKeys } = endings;
    return { userId, stoppedCredentials, endedSecrets, endedKeys, disabledWebhookEndpoints, rotatedWebhookSecrets };
  });
}
