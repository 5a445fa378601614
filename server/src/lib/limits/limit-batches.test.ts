// The states of a batch of requests: empty, filling, open. A function replaces Redis here; limits.test.ts uses a real one.
import { expect, test, vi } from 'vitest';
import { batchSizeOf, createLimitBatches } from './limit-batches.ts';
import type { Taken } from './redis-limits.ts';

const RATE = { perSecond: 1_000, burst: 1_000 };
const allowed = (taken: number): Taken => ({ isAllowed: true, taken, remaining: 90, retryAfterUs: 0, resetUs: 10 });
const REFUSED: Taken = { isAllowed: false, taken: 0, remaining: 0, retryAfterUs: 7, resetUs: 10 };

function open(...answers: (Taken | Error)[]) {
  const ask = vi.fn(async () => {
    const answer = answers.shift() ?? REFUSED;
    if (answer instanceof Error) throw answer;
    return answer;
  });
  return { take: createLimitBatches(ask), ask };
}

test('at most 200 batches a second: a lower rate has none', () => {
  expect([199, 200, 399, 400, 1_000].map((perSecond) => batchSizeOf({ perSecond, burst: 1 }))).toEqual([0, 1, 1, 2, 5]);
});

test('empty → filling → open: concurrent requests share one question, and each sees its own remaining count', async () => {
  const { take, ask } = open(allowed(5));
  const verdicts = await Promise.all(Array.from({ length: 5 }, () => take('key', RATE)));
  expect(ask.mock.calls).toEqual([['key', RATE, 5]]);
  expect(verdicts.map(({ remaining }) => remaining)).toEqual([94, 93, 92, 91, 90]);
});

test('open → filling: the request after the last one asks again', async () => {
  const { take, ask } = open(allowed(2), allowed(2));
  for (let count = 0; count < 3; count += 1) expect((await take('key', RATE)).isAllowed).toBe(true);
  expect(ask).toHaveBeenCalledTimes(2);
});

test('open → filling: what is left of a batch is lost when it expires', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  try {
    const { take, ask } = open(allowed(5), allowed(5));
    await take('key', RATE);
    vi.advanceTimersByTime(49);
    await take('key', RATE);
    expect(ask).toHaveBeenCalledTimes(1);
    vi.advanceTimersByTime(1);
    await take('key', RATE);
    expect(ask).toHaveBeenCalledTimes(2);
  } finally {
    vi.useRealTimers();
  }
});

test('filling → empty: every waiting request is refused, and the next one asks again', async () => {
  const { take, ask } = open(REFUSED, allowed(1));
  const { taken: _, ...verdict } = REFUSED;
  expect(await Promise.all([take('key', RATE), take('key', RATE)])).toEqual([verdict, verdict]);
  expect((await take('key', RATE)).isAllowed).toBe(true);
  expect(ask).toHaveBeenCalledTimes(2);
});

test('filling → empty: a failure rejects every waiting request, and the next one asks again', async () => {
  const { take } = open(new Error('away'), allowed(1));
  const settled = await Promise.allSettled([take('key', RATE), take('key', RATE)]);
  expect(settled.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect((await take('key', RATE)).isAllowed).toBe(true);
});

test('each key has a batch of its own', async () => {
  const { take, ask } = open(allowed(5), allowed(5));
  await Promise.all([take('one', RATE), take('other', RATE)]);
  expect(ask).toHaveBeenCalledTimes(2);
});
