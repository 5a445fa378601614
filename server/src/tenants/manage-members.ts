// The first step of every change to a tenant's members: it locks the members and finds what the requester may do now.
// The token may be some seconds old; only the locked rows count.
import { ROLE_SCOPES, type Role, type Scope } from '@trefoil/contract';
import { ServiceError } from '../lib/errors.ts';
import type { Tx } from '../lib/postgres/sql.ts';
import { type LockedMember, lockMembers } from './member-store.ts';
import { type Authority, judgeGrant, type Verdict } from './rules/membership.ts';

/** The requester of a change: a member with the token's scopes in this tenant, or the operator of the service. */
export type Manager = { readonly userId: string; readonly scopes: ReadonlySet<Scope> } | 'operator';

export const actorOf = (manager: Manager) => (manager === 'operator' ? 'operator' : manager.userId);

export type Managed = {
  readonly authority: Authority;
  find(userId: string): LockedMember | undefined;
  /** Enabled owners other than this person. */
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
 * Throws unless this role may be given. An application that was granted less than its person's role gives no more than
 * it holds: otherwise it could invite an owner of its own.
 */
export function enforceGrant(manager: Manager, authority: Authority, role: Role): void {
  enforce(judgeGrant(authority, role));
  if (manager === 'operator' || ROLE_SCOPES[role].every((scope) => manager.scopes.has(scope))) return;
  throw new ServiceError(
    'forbidden',
    `The access token lacks scopes of the role ${role}, so it cannot give that role.`,
  );
}

/** The same answer for another tenant's id, an unknown id and a malformed id. */
export const noMember = () => new ServiceError('not-found', 'No member with this id belongs to the tenant.');
export const noInvitation = () =>
  new ServiceError('not-found', 'No open invitation with this id belongs to the tenant.');
