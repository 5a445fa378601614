import { expect, test } from 'vitest';
import { createLocalStore } from './local-limits.ts';

test('a burst, then the rate, never more', async () => {
  let now = 1_000_000;
  const store = createLocalStore(1, { now: () => now });
  const take = () => store.take('key', { perSecond: 10, burst: 5 });
  for (let left = 4; left >= 0; left--) expect(await take()).toMatchObject({ isAllowed: true, remaining: left });
  expect(await take()).toMatchObject({ isAllowed: false, retryAfterUs: 100_000 });
  now += 99_999;
  expect((await take()).isAllowed).toBe(false);
  now += 1;
  expect((await take()).isAllowed).toBe(true);
  expect((await take()).isAllowed).toBe(false);
});

test('each of several nodes takes its share', async () => {
  const store = createLocalStore(4, { now: () => 1_000_000 });
  const verdicts = await Promise.all(
    Array.from({ length: 40 }, () => store.take('key', { perSecond: 50, burst: 100 })),
  );
  expect(verdicts.filter(({ isAllowed }) => isAllowed)).toHaveLength(25);
});

test('ten failures lock the key until the oldest is out of the window', async () => {
  let now = 1_000_000;
  const store = createLocalStore(1, { now: () => now });
  const policy = { max: 10, windowUs: 60_000_000 };
  for (let count = 0; count < 10; count++) {
    expect(await store.failures('key', policy, true)).toBe(0);
    now += 1_000_000;
  }
  expect(await store.failures('key', policy, false)).toBe(50_000_000);
  expect(await store.failures('other', policy, false)).toBe(0);
  now += 50_000_000;
  expect(await store.failures('key', policy, true)).toBe(0);
  // The next oldest failure came a second later.
  expect(await store.failures('key', policy, false)).toBe(1_000_000);
});

test('what is taken back no longer counts, and no more than was recorded', async () => {
  const store = createLocalStore(1, { now: () => 1_000_000 });
  const policy = { max: 2, windowUs: 60_000_000 };
  await store.forgive('key');
  for (let count = 0; count < 5; count++) {
    expect(await store.failures('key', policy, true)).toBe(0);
    await store.forgive('key');
  }
  await store.failures('key', policy, true);
  await store.failures('key', policy, true);
  expect(await store.failures('key', policy, true)).toBeGreaterThan(0);
});
