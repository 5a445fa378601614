// Makes somebody a member without an invitation, which only the operator of the service can: the system role prepares a
// membership that is over, the app role lets it begin with its audit row (accept-invitation.ts says why). A member who
// is there already gets the role.
import type { Role } from '@trefoil/contract';
import { appendAudit } from '../audit/append-audit.ts';
import type { Database } from '../lib/database.ts';
import { changeMember } from './change-member.ts';
import { insertDormantMembership, lockMembers, updateMemberJoined } from './member-store.ts';

export type Joined = { readonly tenantId: string; readonly userId: string; readonly role: Role };

export async function joinTenant(database: Database, { tenantId, userId, role }: Joined): Promise<void> {
  await database.asSystem((tx) => insertDormantMembership(tx, tenantId, userId, role));
  const hasJoined = await database.forTenants([tenantId], async (tx) => {
    await lockMembers(tx, tenantId, [userId]);
    if (!(await updateMemberJoined(tx, tenantId, userId, role))) return false;
    const joined = { action: 'member.joined', subjectId: userId, details: { role } };
    await appendAudit(tx, [{ tenantId, actor: 'operator', ...joined }]);
    return true;
  });
  if (!hasJoined) await changeMember(database, 'operator', { tenantId, userId, role });
}
