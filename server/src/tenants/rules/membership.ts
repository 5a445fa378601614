// Who may give, change and take which role (docs/decisions/0133-members-and-invitations.md). Pure: the caller has locked
// the members and passes in their current roles.
import type { Role } from '@trefoil/contract';

/** Roles whose scopes the giver also has: a person gives no more than they have. A test checks this against the scopes. */
export const GRANTS: Readonly<Record<Role, readonly Role[]>> = {
  owner: ['owner', 'admin', 'finance', 'developer', 'analyst', 'caseworker'],
  admin: ['admin', 'developer', 'analyst', 'caseworker'],
  finance: [],
  developer: [],
  analyst: [],
  caseworker: [],
};

/** The operator of the service is above the roles, but the last-owner rule applies. */
export type Authority = Role | 'operator';

export type Verdict = { readonly kind: 'allowed' } | { readonly kind: 'forbidden' | 'conflict'; readonly why: string };

const ALLOWED: Verdict = { kind: 'allowed' };
const LAST_OWNER: Verdict = {
  kind: 'conflict',
  why: 'This is the last owner of the tenant: make another member an owner first.',
};
const forbidden = (why: string): Verdict => ({ kind: 'forbidden', why });

export function judgeGrant(authority: Authority, role: Role): Verdict {
  const grants = authority === 'operator' ? GRANTS.owner : GRANTS[authority];
  if (grants.length === 0) return forbidden('Your role does not allow you to change members.');
  return grants.includes(role) ? ALLOWED : forbidden(`Only an owner can give the role ${role}.`);
}

function judgeTake(authority: Authority, role: Role): Verdict {
  if (authority === 'operator' || authority === 'owner') return ALLOWED;
  if (GRANTS[authority].length === 0) return forbidden('Your role does not allow you to change members.');
  return role === 'owner' ? forbidden('Only an owner can change or remove an owner.') : ALLOWED;
}

/** `otherOwners` counts enabled owners: an owner whom the operator has disabled could not run the tenant. */
export type Change = { readonly authority: Authority; readonly from: Role; readonly otherOwners: number };

export function judgeChange({ authority, from, otherOwners }: Change, to: Role): Verdict {
  const taken = judgeTake(authority, from);
  if (taken.kind !== 'allowed' || from === to) return taken;
  const granted = judgeGrant(authority, to);
  if (granted.kind !== 'allowed') return granted;
  return from === 'owner' && otherOwners === 0 ? LAST_OWNER : ALLOWED;
}

export function judgeRemoval({ authority, from, otherOwners }: Change): Verdict {
  const taken = judgeTake(authority, from);
  if (taken.kind !== 'allowed') return taken;
  return from === 'owner' && otherOwners === 0 ? LAST_OWNER : ALLOWED;
}
