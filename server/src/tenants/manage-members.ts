// What every change to the members of a tenant begins with: the members locked, and what the one who asks may do now.
// The token may be some seconds behind; only what stands under the lock counts.
import { ROLE_SCOPES, type Role, type Scope } from '@trefoil/contract';
import { ServiceError } from '../lib/errors.ts';
import type { Tx } from '../lib/sql.ts';
import { type LockedMember, lockMembers } from './member-store.ts';
import { type Authority, judgeGrant, type Verdict } from './rules/membership.ts';

/** Whoever changes something: a member with what their token holds here, or the operator of the service. */
export type Manager = { readonly userId: string; readonly scopes: ReadonlySet<Scope> } | 'operator';

export const actorOf = (manager: Manager) => (manager === 'operator' ? 'operator' : manager.userId);

export type Managed = {
  readonly authority: Authority;
  find(userId: string): LockedMember | undefined;
  /** Owners besides this person who can act. */
  otherOwners(userId: string): number;
};

export async function manageMembers(tx: Tx, tenantId: string, manager: Manager, userIds: string[]): Promise<Managed> {
  const managerId = manager === 'operator' ? undefined : manager.userId;
  const members = await lockMembers(tx, tenantId, managerId ? [managerId, ...userIds] : userIds);
  const find = (userId: string) => members.find((member) => member.userId === userId);
  return {
    authority: managerId === undefined ? 'operator' : roleOf(find(managerId)),
    find,
    otherOwners: (userId) =>
      members.filter((member) => member.role === 'owner' && member.isEnabled && member.userId !== userId).length,
  };
}

function roleOf(member: LockedMember | undefined): Role {
  if (!member) throw new ServiceError('forbidden', 'You are no longer a member of this tenant.');
  return member.role;
}

/** Throws unless the rules allow it. */
export function enforce(verdict: Verdict): void {
  if (verdict.kind !== 'allowed') throw new ServiceError(verdict.kind, verdict.why);
}

/**
 * Throws unless this role may be given. An application that was let in for less than its person's role gives no more than
 * it holds itself, or it could let in an owner of its own.
 */
export function enforceGrant(manager: Manager, authority: Authority, role: Role): void {
  enforce(judgeGrant(authority, role));
  if (manager === 'operator' || ROLE_SCOPES[role].every((scope) => manager.scopes.has(scope))) return;
  throw new ServiceError('forbidden', `The access token lacks scopes of the role ${role}, so it cannot give it.`);
}

/** The same for somebody else's id, an unknown and a malformed one. */
export const noMember = () => new ServiceError('not-found', 'No member with this id belongs to the tenant.');
export const noInvitation = () =>
  new ServiceError('not-found', 'No open invitation with this id belongs to the tenant.');
