import { expect, test } from 'vitest';
import { toPounds } from './pounds.ts';

const rows = [
  [0, '0.00'],
  [1, '0.001'],
  [-1, '-0.001'],
  [10, '0.01'],
  [999, '0.999'],
  [1_000, '1.00'],
  [-2_040, '-2.04'],
  [100_100, '100.10'],
  [Number.MAX_SAFE_INTEGER, '9007199254740.991'],
  [-Number.MAX_SAFE_INTEGER, '-9007199254740.991'],
] as const;
for (const [credits, pounds] of rows) {
  test(`${credits} credits are £${pounds}`, () => {
    expect(toPounds(credits)).toBe(pounds);
  });
}
