import { expect, test } from 'vitest';
import { settleEach } from './settle-each.ts';

const settle = async (count: number) => {
  if (count < 0) throw new Error(`not ${count}`);
  return count;
};

test('the sum of what was settled, also where some could not be', async () => {
  expect(await settleEach([], settle)).toBe(0);
  expect(await settleEach(new Set([-1, 2, 0, 3, -4]), settle)).toBe(5);
});

test('where nothing was settled, the first failure is told', async () => {
  await expect(settleEach([0, -1, -2], settle)).rejects.toThrow('not -1');
});
