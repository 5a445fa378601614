import { expect, test } from 'vitest';
import type { Context } from './row.ts';
import { withSteadyClock } from './steady-clock.ts';

const context = {} as Context;

/** A row that fails so often, and a clock that is so far off at each look. */
async function runWith(failures: number, offsets: readonly number[]): Promise<number> {
  let runs = 0;
  let look = 0;
  const row = withSteadyClock(
    async () => {
      runs += 1;
      if (runs <= failures) throw new Error('too late');
    },
    () => offsets[look++] ?? 0,
  );
  await row(context);
  return runs;
}

test('a row that passes runs once, whatever the clock does', async () => {
  expect(await runWith(0, [0, 60_000])).toBe(1);
});

test('a row that fails with a steady clock has failed', async () => {
  await expect(runWith(1, [0, 900])).rejects.toThrow('too late');
});

test('a row that fails while the clock jumps runs again, forwards and backwards', async () => {
  expect(await runWith(1, [0, 51_000])).toBe(2);
  expect(await runWith(1, [0, -51_000])).toBe(2);
});

test('a row that fails three times has failed, although the clock jumps every time', async () => {
  const jumps = [0, 2_000, 2_000, 4_000, 4_000, 6_000, 6_000, 8_000];
  expect(await runWith(2, jumps)).toBe(3);
  await expect(runWith(3, jumps)).rejects.toThrow('too late');
});
