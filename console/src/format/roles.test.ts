import { type Role, ROLE_SCOPES as SERVED } from '@trefoil/contract';
import { expect, test } from 'vitest';
import { ROLE_SCOPES } from './roles.ts';

test('every role of the contract may do here what it may do there, as far as the contract has the scope', () => {
  for (const [role, scopes] of Object.entries(SERVED)) {
    const known = new Set<string>(SERVED.owner);
    const here: readonly string[] = ROLE_SCOPES[role as Role];
    expect(here.filter((scope) => known.has(scope)).toSorted(), role).toEqual(scopes.toSorted());
  }
});
