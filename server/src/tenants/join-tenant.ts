// Makes a person a member without an invitation, which only the operator of the service can do: the system role
// prepares a membership that has ended, and the app role starts it with its audit row (accept-invitation.ts says why).
// A person who is already a member gets the role.
import type { Role } from '@trefoil/contract';
import { appendAudit } from '../audit/append-audit.ts';
import type { Database } from '../lib/postgres/database.ts';
import { changeMember } from './change-member.ts';
import { insertDormantMembership, lockMembers, updateMemberJoined } from './member-store.ts';

export type Joined = { readonly tenantId: string; readonly userId: string; readonly role: Role };

export async function joinTenant(database: Database, { tenantId, userId, role }: Joined): Promise<void> {
  await database.asSystem((tx) => insertDormantMembership(tx, tenantId, userId, role));
  const hasJoined = await database.forTenants([tenantId], async (tx) => {
    await lockMembers(tx, tenantId, [userId]);
    if (!(await updateMemberJoined(tx, tenantId, userId, role))) return false;
    const joined = { action: 'member.joined' as const, subjectId: userId, details: { role } };
    await appendAudit(tx, [{ tenantId, actor: 'operator', ...joined }]);
    return true;
  });
  if (!hasJoined) await changeMember(database, 'operator', { tenantId, userId, role });
}
