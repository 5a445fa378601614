import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ticksTo } from './ticks.ts';

test('ticks are round, begin at zero and reach the highest value', () => {
  expect(ticksTo(408_000)).toEqual([0, 100_000, 200_000, 300_000, 400_000, 500_000]);
  expect(ticksTo(500_000)).toEqual([0, 100_000, 200_000, 300_000, 400_000, 500_000]);
  expect(ticksTo(2_040)).toEqual([0, 500, 1_000, 1_500, 2_000, 2_500]);
  expect(ticksTo(11)).toEqual([0, 2.5, 5, 7.5, 10, 12.5]);
  expect(ticksTo(0)).toEqual([0]);
});

test('whatever the highest value is: at most six ticks at equal distances, and none is missing above', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1_000_000_000 }), (max) => {
      const ticks = ticksTo(max);
      expect(ticks[0]).toBe(0);
      expect(ticks.length).toBeLessThanOrEqual(6);
      expect(ticks.at(-1)).toBeGreaterThanOrEqual(max);
      expect(ticks.at(-2)).toBeLessThan(max);
    }),
  );
});
