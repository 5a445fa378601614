import { expect, test } from 'vitest';
import { bureauAlerts, endpointAlerts, moneyAlert, secretAlerts } from './alerts.ts';

const wallet = { balance: 600_000, available: 500_000 };

const money = [
  // what is known, the alert
  ['nothing yet', { wallet: undefined, weekCredits: 7_000, limitCredits: 1 }, undefined],
  ['plenty', { wallet, weekCredits: 700_000, limitCredits: 500_000 }, undefined],
  ['exactly the limit', { wallet, weekCredits: 0, limitCredits: 600_000 }, undefined],
  ['below the limit', { wallet, weekCredits: 0, limitCredits: 600_001 }, 'below-limit'],
  ['no limit, three days', { wallet, weekCredits: 1_166_666, limitCredits: null }, undefined],
  ['no limit, not three days', { wallet, weekCredits: 1_166_667, limitCredits: null }, 'short'],
  [
    'not three days for a person who may not see the limit',
    { wallet, weekCredits: 7_000_000, limitCredits: undefined },
    'short',
  ],
  ['below the limit and short', { wallet, weekCredits: 7_000_000, limitCredits: 700_000 }, 'below-limit'],
  ['all of it held', { wallet: { balance: 10, available: 0 }, weekCredits: 0, limitCredits: 700_000 }, 'held'],
  ['nothing left', { wallet: { balance: 0, available: 0 }, weekCredits: 0, limitCredits: 700_000 }, 'empty'],
  ['spend not known', { wallet, weekCredits: undefined, limitCredits: undefined }, undefined],
] as const;
for (const [name, known, kind] of money) {
  test(`money, ${name}: ${kind ?? 'no alert'}`, () => {
    expect(moneyAlert(known)?.kind).toBe(kind);
  });
}

test('only bureaus that answer badly are told; one that was not asked is not', () => {
  const bureau = (
    id: 'equifax' | 'experian' | 'transunion',
    state: 'answering' | 'unsteady' | 'failing' | 'not-asked',
  ) => ({
    ...{ bureau: id, state, since: null, answeredShare: null, slots: [] },
  });
  const states = [bureau('equifax', 'answering'), bureau('experian', 'unsteady'), bureau('transunion', 'failing')];
  expect(bureauAlerts(states)).toMatchObject([
    { bureau: 'experian', isFailing: false, hasOther: true },
    { bureau: 'transunion', isFailing: true, hasOther: true },
  ]);
  expect(bureauAlerts([bureau('equifax', 'failing'), bureau('experian', 'not-asked')])).toMatchObject([
    { bureau: 'equifax', hasOther: false },
  ]);
  expect(bureauAlerts([bureau('equifax', 'not-asked')])).toEqual([]);
  expect([bureauAlerts(), endpointAlerts()]).toEqual([[], []]);
});

test('a secret that ends soon is told: of working credentials, each in its own mode', () => {
  const now = new Date('2026-09-17T12:00:00Z');
  const credential = (endsAt: (string | null)[], changes = {}) => ({
    ...{ name: 'Case portal', isEnabled: true, isTestOnly: false, secrets: endsAt.map((each) => ({ endsAt: each })) },
    ...changes,
  });
  const soon = '2026-09-18T12:00:00.000Z';
  const told = (one: ReturnType<typeof credential>, isTest = false) => secretAlerts([one], isTest, now);
  expect(told(credential([null, soon]))).toEqual([
    { kind: 'secret', credential: 'Case portal', isLast: false, endsAt: soon },
  ]);
  expect(told(credential([soon]))).toMatchObject([{ isLast: true }]);
  expect(told(credential([null]))).toEqual([]);
  expect(told(credential([null, '2026-09-17T12:00:00.000Z'])), 'ended').toEqual([]);
  expect(told(credential([null, '2026-09-20T12:00:00.001Z'])), 'later').toEqual([]);
  expect(told(credential([null, soon], { isEnabled: false }))).toEqual([]);
  expect(told(credential([null, soon], { isTestOnly: true }))).toEqual([]);
  expect(told(credential([null, soon], { isTestOnly: true }), true)).toHaveLength(1);
});
