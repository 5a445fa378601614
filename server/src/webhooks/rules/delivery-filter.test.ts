import { expect, test } from 'vitest';
import { type DeliveryFilter, fits, isWaiting, parseTypes } from './delivery-filter.ts';

const KNOWN = ['credit-report.completed', 'credit-report.failed', 'wallet.low', 'webhook.test'];
const lists = [
  ['wallet.low', ['wallet.low']],
  [
    ' credit-report , wallet.low,credit-report.failed',
    ['credit-report.completed', 'credit-report.failed', 'wallet.low'],
  ],
  ['webhook.test', ['webhook.test']],
  ['wallet.low,', undefined],
  ['report.completed', undefined],
  ['', undefined],
] as const;
for (const [list, types] of lists) test(`"${list}"`, () => expect(parseTypes(list, KNOWN)).toEqual(types));

const at = (hour: number) => new Date(Date.UTC(2026, 2, 2, hour));
const ALL: DeliveryFilter = { state: undefined, types: null, from: undefined, to: undefined, exceptId: null };
const delivery = { id: 'a', eventType: 'wallet.low', state: 'failed', createdAt: at(10) } as const;
const rows: [Partial<DeliveryFilter>, boolean][] = [
  [{}, true],
  [{ state: 'failed', types: ['wallet.low'], from: at(10), to: at(11) }, true],
  [{ state: 'pending' }, false],
  [{ types: ['webhook.test'] }, false],
  [{ to: at(10) }, false],
  [{ from: at(11) }, false],
  [{ exceptId: 'a' }, false],
];
for (const [filter, isFound] of rows) {
  test(`${JSON.stringify(filter)}: ${isFound}`, () => expect(fits({ ...ALL, ...filter }, delivery)).toBe(isFound));
}

test('what is neither accepted nor given up waits while its endpoint is disabled, but for the test that may enable it', () => {
  const pending = { id: 'a', state: 'pending' } as const;
  expect(isWaiting({ isHalted: true, exceptId: null }, pending)).toBe(true);
  expect(isWaiting({ isHalted: true, exceptId: 'a' }, pending)).toBe(false);
  expect(isWaiting({ isHalted: false, exceptId: null }, pending)).toBe(false);
  expect(isWaiting({ isHalted: true, exceptId: null }, { id: 'a', state: 'delivered' })).toBe(false);
});
