import { expect, test } from 'vitest';
import { maskedNumber, money } from './report-shape.ts';

for (const [number, masked] of [
  ['******4821', true],
  ['**** 4821', true],
  ['****', true],
  ['*****14821', false],
  ['48214821', false],
  ['12**4821', false],
  ['', false],
] as const) {
  test(`account number ${JSON.stringify(number)} counts as ${masked ? 'masked' : 'unmasked'}`, () => {
    expect(maskedNumber('accountNumber', number)).toHaveLength(masked ? 0 : 1);
  });
}

test('money is whole pence with a currency code', () => {
  expect(money('balance', { amount: 0, currency: 'GBP' })).toEqual([]);
  expect(money('balance', { amount: 1.5, currency: 'pounds' })).toHaveLength(2);
});
