// Rules about credentials, as tables.
import { expect, test } from 'vitest';
import { hasRoomForSecret, onlyStops, scopesBeyond } from './credential.ts';

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
