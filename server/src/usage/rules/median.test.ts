import fc from 'fast-check';
import { expect, test } from 'vitest';
import { medianOf } from './median.ts';

test('no values have no median', () => {
  expect(medianOf([])).toBeNull();
  expect(medianOf([{ value: 3, count: 0 }])).toBeNull();
});

test('the same as the lower middle of the sorted values, however they were counted', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(900), { minLength: 1, maxLength: 60 }), (values) => {
      const sorted = values.toSorted((a, b) => a - b);
      const counted = values.map((value) => ({ value, count: 1 }));
      expect(medianOf(counted)).toBe(sorted[Math.ceil(sorted.length / 2) - 1]);
    }),
  );
});
