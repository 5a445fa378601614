// Who may give, change and take which role (docs/decisions/0133). Pure: whoever asks has locked the members and says
// what they are now.
import type { Role } from '@trefoil/contract';

/** Roles whose scopes the giver has too: nobody gives what they do not have. A test holds this against the scopes. */
export const GRANTS: Readonly<Record<Role, readonly Role[]>> = {
  owner: ['owner', 'admin', 'finance', 'developer', 'analyst'],
  admin: ['admin', 'developer', 'analyst'],
  finance: [],
  developer: [],
  analyst: [],
};

/** The operator of the service stands above the roles and under the rule of the last owner. */
export type Authority = Role | 'operator';

export type Verdict = { readonly kind: 'allowed' } | { readonly kind: 'forbidden' | 'conflict'; readonly why: string };

const ALLOWED: Verdict = { kind: 'allowed' };
const LAST_OWNER: Verdict = {
  kind: 'conflict',
  why: 'This is the last owner of the tenant: make somebody else an owner first.',
};
const forbidden = (why: string): Verdict => ({ kind: 'forbidden', why });

export function judgeGrant(authority: Authority, role: Role): Verdict {
  const grants = authority === 'operator' ? GRANTS.owner : GRANTS[authority];
  if (grants.length === 0) return forbidden('Your role here may not change the members.');
  return grants.includes(role) ? ALLOWED : forbidden(`Only an owner gives the role ${role}.`);
}

function judgeTake(authority: Authority, role: Role): Verdict {
  if (authority === 'operator' || authority === 'owner') return ALLOWED;
  if (GRANTS[authority].length === 0) return forbidden('Your role here may not change the members.');
  return role === 'owner' ? forbidden('Only an owner changes or removes an owner.') : ALLOWED;
}

/** Other owners who can act: an owner whom the operator has disabled could not run the tenant. */
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
