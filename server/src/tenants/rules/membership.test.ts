import { ROLE_SCOPES, ROLES, type Scope } from '@trefoil/contract';
import { expect, test } from 'vitest';
import { type Authority, GRANTS, judgeChange, judgeGrant, judgeRemoval } from './membership.ts';

test('whoever manages members gives the roles whose scopes they have, and nobody else gives any', () => {
  for (const giver of ROLES) {
    const own: readonly Scope[] = ROLE_SCOPES[giver];
    const covered = ROLES.filter((role) => ROLE_SCOPES[role].every((scope) => own.includes(scope)));
    expect(GRANTS[giver].toSorted()).toEqual(own.includes('members:write') ? covered.toSorted() : []);
  }
});

const changes: [
  Authority,
  'owner' | 'admin' | 'finance' | 'analyst' | 'caseworker',
  number,
  (typeof ROLES)[number],
  string,
][] = [
  ['owner', 'analyst', 0, 'owner', 'allowed'],
  ['owner', 'owner', 1, 'analyst', 'allowed'],
  ['owner', 'owner', 0, 'analyst', 'conflict'],
  ['owner', 'owner', 0, 'owner', 'allowed'],
  ['operator', 'owner', 0, 'admin', 'conflict'],
  ['operator', 'owner', 1, 'admin', 'allowed'],
  ['operator', 'analyst', 0, 'owner', 'allowed'],
  ['admin', 'analyst', 1, 'developer', 'allowed'],
  ['admin', 'analyst', 1, 'owner', 'forbidden'],
  ['admin', 'analyst', 1, 'caseworker', 'allowed'],
  ['admin', 'caseworker', 1, 'developer', 'allowed'],
  ['admin', 'admin', 1, 'finance', 'forbidden'],
  ['admin', 'finance', 1, 'analyst', 'allowed'],
  ['admin', 'owner', 1, 'analyst', 'forbidden'],
  ['admin', 'owner', 0, 'owner', 'forbidden'],
  ['analyst', 'analyst', 1, 'analyst', 'forbidden'],
  ['developer', 'analyst', 1, 'developer', 'forbidden'],
  ['finance', 'analyst', 1, 'finance', 'forbidden'],
  ['caseworker', 'analyst', 1, 'caseworker', 'forbidden'],
];
for (const [authority, from, otherOwners, to, kind] of changes) {
  test(`${authority} changes ${from} to ${to} with ${otherOwners} other owners: ${kind}`, () => {
    expect(judgeChange({ authority, from, otherOwners }, to).kind).toBe(kind);
  });
}

const removals: [Authority, 'owner' | 'analyst' | 'finance', number, string][] = [
  ['owner', 'owner', 1, 'allowed'],
  ['owner', 'owner', 0, 'conflict'],
  ['operator', 'owner', 0, 'conflict'],
  ['operator', 'analyst', 0, 'allowed'],
  ['admin', 'finance', 1, 'allowed'],
  ['admin', 'owner', 1, 'forbidden'],
  ['analyst', 'analyst', 1, 'forbidden'],
];
for (const [authority, from, otherOwners, kind] of removals) {
  test(`${authority} removes ${from} with ${otherOwners} other owners: ${kind}`, () => {
    expect(judgeRemoval({ authority, from, otherOwners }).kind).toBe(kind);
  });
}

test('an admin invites no owner and nobody into finance', () => {
  expect(ROLES.filter((role) => judgeGrant('admin', role).kind === 'allowed')).toEqual([
    'admin',
    'developer',
    'analyst',
    'caseworker',
  ]);
});
