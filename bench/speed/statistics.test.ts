// Quantiles and medians at their edges: ties, even counts, empty lists.
import { expect, test } from 'vitest';
import { median, quantile } from './statistics.ts';

const oneTo = (count: number) => Array.from({ length: count }, (_, place) => place + 1);

const quantiles: [string, number[], number, number][] = [
  ['one value is every quantile', [7], 0.99, 7],
  ['of a hundred values p99 is the worst', oneTo(100), 0.99, 100],
  ['of a thousand values nine are worse than p99', oneTo(1_000), 0.99, 991],
  ['p50', oneTo(5), 0.5, 3],
  ['p0 is the least', oneTo(5), 0, 1],
  ['a share of one is the greatest', oneTo(5), 1, 5],
  ['an empty list has none', [], 0.99, Number.NaN],
];
test.each(quantiles)('quantile: %s', (_, sorted, share, expected) => {
  expect(quantile(Float64Array.from(sorted), share)).toBe(expected);
});

const medians: [string, number[], number][] = [
  ['the middle of three, in any order', [9, 1, 5], 5],
  ['the mean of the two in the middle', [4, 1, 3, 100], 3.5],
  ['by size, not by spelling', [9, 10, 100], 10],
  ['one value', [2], 2],
  ['a list with a NaN has none', [1, Number.NaN, 3, 2, 5], Number.NaN],
  ['an empty list has none', [], Number.NaN],
];
test.each(medians)('median: %s', (_, values, expected) => {
  expect(median(values)).toBe(expected);
});

test('median leaves its argument as it was', () => {
  const values = [3, 1, 2];
  median(values);
  expect(values).toEqual([3, 1, 2]);
});
