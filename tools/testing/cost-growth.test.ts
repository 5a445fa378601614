import { expect, test } from 'vitest';
import { costGrowth, GROWTH_MAX } from './cost-growth.ts';

const TEXT = 'a'.repeat(20_000);

/** So many steps that no compiler leaves out. */
function work(steps: number): number {
  let sum = 0;
  for (let step = 0; step < steps; step += 1) sum = (sum + step) | 0;
  return sum;
}

test.each([
  ['nothing', () => undefined, true],
  ['each letter', ({ length }: string) => work(length * 40), true],
  ['each pair of letters', ({ length }: string) => work(length * (length / 20)), false],
  ['each pair of letters, later', async ({ length }: string) => work(length * (length / 20)), false],
])('a cost for %s', async (_, run, isAllowed) => {
  expect((await costGrowth(TEXT, run)) <= GROWTH_MAX).toBe(isAllowed);
});
