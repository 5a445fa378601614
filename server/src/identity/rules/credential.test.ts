// Rules about credentials, as tables.
import { expect, test } from 'vitest';
import { claimKeys, hasRoomForSecret, isAgainstRefusal, onlyStops, scopesBeyond } from './credential.ts';

test.each([
  // live secrets, grace seconds, room
  [0, 60, true],
  [1, 60, true],
  [2, 60, false],
  [2, 0, true],
  [1, 0, true],
] as const)('%d live secrets and a grace time of %d s: room is %s', (live, grace, expected) => {
  expect(hasRoomForSecret(live, grace)).toBe(expected);
});

test.each([
  [{ isEnabled: false }, true],
  [{ isEnabled: true }, false],
  [{ isEnabled: false, name: 'x' }, false],
  [{ allowedNetworks: null }, false],
  [{}, false],
] as const)('%j only stops: %s', (change, expected) => {
  expect(onlyStops(change)).toBe(expected);
});

test('scopes beyond are those not held, in the order asked for', () => {
  expect(scopesBeyond(['wallet:write', 'reports:read', 'audit:read'], new Set(['reports:read']))).toEqual([
    'wallet:write',
    'audit:read',
  ]);
  expect(scopesBeyond(['reports:read'], new Set(['reports:read', 'audit:read']))).toEqual([]);
});

test('a key that is there keeps its maker, whatever it is called; a new one is the sender’s', () => {
  const [a, b, c] = ['a', 'b', 'c'].map((x) => ({ kty: 'OKP', crv: 'Ed25519', x })) as [object, object, object];
  const kept = [{ ...a, kid: '1', made_by: 'ann' }, b];
  expect(claimKeys([{ ...a, kid: '2' }, b, c], kept, 'ben')).toEqual([
    { ...a, kid: '2', made_by: 'ann' },
    b,
    { ...c, made_by: 'ben' },
  ]);
  expect(claimKeys([a], [], undefined)).toEqual([a]);
});

test.each([
  // refused by, owner, caller, change, against the refusal
  [null, 'ann', 'ben', { isEnabled: true }, false],
  ['ann', 'ann', 'ben', { isEnabled: true }, true],
  ['ann', 'ann', 'ben', { name: 'x' }, true],
  ['ann', 'ann', 'ben', { isEnabled: false }, false],
  ['ann', 'ann', 'ann', { isEnabled: true }, false],
  ['ann', 'ann', 'ben', { isEnabled: true, ownerUserId: 'cleo' }, false],
  ['ann', 'cleo', 'ben', { ownerUserId: 'ann' }, true],
  ['ann', 'cleo', 'ben', { isEnabled: true }, false],
] as const)('refused by %s, owned by %s: %s sending %j goes against it: %s', (refusedBy, owner, caller, change, is) => {
  expect(isAgainstRefusal(change, { refusedBy, ownerUserId: owner, callerUserId: caller })).toBe(is);
});
