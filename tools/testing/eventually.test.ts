import { expect, test, vi } from 'vitest';
import { eventually } from './eventually.ts';

test('it returns what the first look that does not throw returned', async () => {
  let looks = 0;
  const found = await eventually(
    () => {
      looks += 1;
      if (looks < 3) throw new Error('not yet');
      return 'there';
    },
    { everyMs: 1 },
  );
  expect([found, looks]).toEqual(['there', 3]);
});

test('it throws the last error when the limit is used up, also while a test moves its own clock', async () => {
  vi.useFakeTimers();
  try {
    const waiting = eventually(() => Promise.reject(new Error('never')), { limitMs: 30, everyMs: 1 });
    await expect(waiting).rejects.toThrow('never');
  } finally {
    vi.useRealTimers();
  }
});

test('time in which the process stands still is not used up', async () => {
  let looks = 0;
  const standStill = () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 400);
  await eventually(
    () => {
      looks += 1;
      if (looks > 3) return;
      standStill();
      throw new Error('not yet');
    },
    // Two of the stops alone are longer.
    { limitMs: 770, everyMs: 1 },
  );
  expect(looks).toBe(4);
});
