// How often one mobile number may be used in 24 hours, by one tenant and by all tenants together
// (docs/decisions/0035-codes-and-caps.md). A tenant's own caps are at most half of those for all tenants, so that no
// tenant can use up a number for the others. The counts are inputs; the number is not.
export type MobileUses = { readonly challenges: number; readonly messages: number; readonly mistakes: number };

export type NumberUses = { readonly byTenant: MobileUses; readonly byAllTenants: MobileUses };

export const TENANT_CAPS: MobileUses = { challenges: 4, messages: 8, mistakes: 9 };
export const ALL_TENANTS_CAPS: MobileUses = { challenges: 10, messages: 20, mistakes: 20 };

/** The cap that refuses: on the company's uses of the number, on its wrong codes for it, or on all companies together. */
export type Cap = 'company-number' | 'company-mistakes' | 'protection';

function findCap(uses: NumberUses, needed: readonly (keyof MobileUses)[]): Cap | undefined {
  const isUsedUp = (used: MobileUses, caps: MobileUses) => needed.some((kind) => used[kind] >= caps[kind]);
  // The tenant's own caps first, which the tenant can know and explain. Mistakes come before the rest: once they are
  // used up, no code is examined any more.
  if (uses.byTenant.mistakes >= TENANT_CAPS.mistakes) return 'company-mistakes';
  if (isUsedUp(uses.byTenant, TENANT_CAPS)) return 'company-number';
  return isUsedUp(uses.byAllTenants, ALL_TENANTS_CAPS) ? 'protection' : undefined;
}

/** The cap against a new challenge. It sends a message at once, and is useless when no code is examined any more. */
export const capOnChallenge = (uses: NumberUses) => findCap(uses, ['challenges', 'messages', 'mistakes']);

/** The cap against one more message of an open challenge. */
export const capOnMessage = (uses: NumberUses) => findCap(uses, ['messages', 'mistakes']);

/** The cap against a code, right or wrong: once the mistakes are used up, no code is examined. */
export const capOnGuess = (uses: NumberUses) => findCap(uses, ['mistakes']);
