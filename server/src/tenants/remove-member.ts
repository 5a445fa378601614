// Ends a membership. Its row stays, since credentials and the audit log name it; it gives nothing from now on. The API
// credentials that the person answers for are disabled with it (docs/decisions/0026), and their open invitations end.
import type { RemovedMember } from '@trefoil/contract';
import { appendAudit } from '../audit/append-audit.ts';
import type { Database } from '../lib/database.ts';
import { isUuid } from '../lib/ids.ts';
import { revokeInvitationsBy } from './invitation-store.ts';
import { actorOf, enforce, type Manager, manageMembers, noMember } from './manage-members.ts';
import { disableCredentialsOf, updateMemberRemoved } from './member-store.ts';
import { judgeRemoval } from './rules/membership.ts';

export async function removeMember(
  database: Database,
  manager: Manager,
  tenantId: string,
  userId: string,
): Promise<RemovedMember> {
  if (!isUuid(userId)) throw noMember();
  return database.forTenants([tenantId], async (tx) => {
    const members = await manageMembers(tx, tenantId, manager, [userId]);
    const member = members.find(userId);
    if (!member) throw noMember();
    const { authority } = members;
    enforce(judgeRemoval({ authority, from: member.role, otherOwners: members.otherOwners(userId) }));
    await updateMemberRemoved(tx, tenantId, userId);
    const stoppedCredentials = await disableCredentialsOf(tx, tenantId, userId);
    const revoked = await revokeInvitationsBy(tx, tenantId, userId, []);
    const by = { tenantId, actor: actorOf(manager) };
    await appendAudit(tx, [
      { ...by, action: 'member.removed', subjectId: userId, details: { role: member.role } },
      ...stoppedCredentials.map(({ credentialId }) => ({
        ...by,
        action: 'credential.changed',
        subjectId: credentialId,
        details: { isEnabled: false, ownerRemoved: userId },
      })),
      ...revoked.map((id) => ({ ...by, action: 'invitation.revoked', subjectId: id, details: {} })),
    ]);
    return { userId, stoppedCredentials };
  });
}
