// Gives a member another role. Every node applies it when its cached look-ups expire, within seconds.
import type { Member, Role } from '@trefoil/contract';
import { appendAudit } from '../audit/append-audit.ts';
import { isUuid } from '../lib/ids.ts';
import type { Database } from '../lib/postgres/database.ts';
import { revokeInvitationsBy } from './invitation-store.ts';
import { describeMembers } from './list-members.ts';
import { actorOf, enforce, enforceGrant, type Manager, manageMembers, noMember } from './manage-members.ts';
import { findMember, updateRole } from './member-store.ts';
import { GRANTS, judgeChange } from './rules/membership.ts';

export type RoleChange = { readonly tenantId: string; readonly userId: string; readonly role: Role };

export async function changeMember(database: Database, manager: Manager, change: RoleChange): Promise<Member> {
  const { tenantId, userId, role } = change;
  if (!isUuid(userId)) throw noMember();
  const changed = await database.forTenants([tenantId], async (tx) => {
    const members = await manageMembers(tx, tenantId, manager, [userId]);
    const member = members.find(userId);
    if (!member) throw noMember();
    const { authority } = members;
    enforce(judgeChange({ authority, from: member.role, otherOwners: members.otherOwners(userId) }, role));
    if (member.role !== role) {
      enforceGrant(manager, authority, role);
      await updateRole(tx, tenantId, userId, role);
      // Otherwise an earlier invitation would grant a role that its sender can no longer grant.
      const revoked = await revokeInvitationsBy(tx, tenantId, userId, GRANTS[role]);
      const actor = actorOf(manager);
      await appendAudit(tx, [
        { tenantId, actor, action: 'member.changed', subjectId: userId, details: { from: member.role, to: role } },
        ...revoked.map((id) => ({
          tenantId,
          actor,
          action: 'invitation.revoked' as const,
          subjectId: id,
          details: {},
        })),
      ]);
    }
    return findMember(tx, tenantId, userId);
  });
  const [described] = await describeMembers(database, changed ? [changed] : []);
  if (!described) throw noMember();
  return described;
}
