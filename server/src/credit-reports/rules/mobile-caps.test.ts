// What one number may still be used for, at and around each cap: the tenant's own and the one for all tenants.
import { expect, test } from 'vitest';
import { ALL_TENANTS_CAPS, capOnChallenge, capOnGuess, capOnMessage, TENANT_CAPS } from './mobile-caps.ts';

test('the caps are those of the decision', () => {
  expect(TENANT_CAPS).toEqual({ challenges: 4, messages: 8, mistakes: 9 });
  expect(ALL_TENANTS_CAPS).toEqual({ challenges: 10, messages: 20, mistakes: 20 });
});

test('one tenant at its caps leaves another tenant room for all of its own', () => {
  for (const kind of ['challenges', 'messages', 'mistakes'] as const) {
    expect(2 * TENANT_CAPS[kind]).toBeLessThanOrEqual(ALL_TENANTS_CAPS[kind]);
  }
});

const NONE = [undefined, undefined, undefined] as const;
const rows = [
  // the tenant's challenges, messages, mistakes; all tenants'; whose cap refuses a challenge, a message, a code
  [[0, 0, 0], [0, 0, 0], NONE],
  [[3, 7, 8], [9, 19, 19], NONE], // the last of each
  [
    [4, 7, 8],
    [9, 19, 19],
    ['company-number', undefined, undefined],
  ], // an open challenge may still send again
  [
    [3, 8, 8],
    [9, 19, 19],
    ['company-number', 'company-number', undefined],
  ], // a challenge needs room for its message
  [
    [3, 7, 9],
    [9, 19, 19],
    ['company-mistakes', 'company-mistakes', 'company-mistakes'],
  ], // no code would be examined, so nothing is sent
  [
    [3, 7, 8],
    [10, 19, 19],
    ['protection', undefined, undefined],
  ],
  [
    [3, 7, 8],
    [9, 20, 19],
    ['protection', 'protection', undefined],
  ],
  [
    [3, 7, 8],
    [9, 19, 20],
    ['protection', 'protection', 'protection'],
  ],
  [
    [0, 0, 0],
    [10, 20, 20],
    ['protection', 'protection', 'protection'],
  ], // other tenants have used it up
  [
    [4, 8, 9],
    [10, 20, 20],
    ['company-mistakes', 'company-mistakes', 'company-mistakes'],
  ], // both: the tenant's own cap is reported
  [
    [5, 9, 10],
    [11, 21, 21],
    ['company-mistakes', 'company-mistakes', 'company-mistakes'],
  ], // beyond the cap, for whatever reason
] as const;
for (const [own, all, refused] of rows) {
  test(`a tenant’s ${own.join(' ')} of all tenants’ ${all.join(' ')}: ${refused.map((cap) => cap ?? 'allowed').join(', ')}`, () => {
    const [byTenant, byAllTenants] = [own, all].map(([challenges, messages, mistakes]) => ({
      challenges,
      messages,
      mistakes,
    })) as [typeof TENANT_CAPS, typeof TENANT_CAPS];
    const uses = { byTenant, byAllTenants };
    expect([capOnChallenge(uses), capOnMessage(uses), capOnGuess(uses)]).toEqual(refused);
  });
}
