import { expect, test } from 'vitest';
import { createCache } from './cache.ts';

test('loads once for many, again after its time, and forgets the oldest', async () => {
  let now = 0;
  const loads: string[] = [];
  const cache = createCache(
    { maxEntries: 2, ttlMs: 10 },
    async (key) => loads.push(key),
    () => now,
  );
  await Promise.all([cache.get('a'), cache.get('a')]);
  expect(loads).toEqual(['a']);
  now = 10;
  await cache.get('a');
  expect(loads).toEqual(['a', 'a']);
  await cache.get('b');
  await cache.get('c');
  await cache.get('a');
  expect(loads).toEqual(['a', 'a', 'b', 'c', 'a']);
});

test('a failed load is tried again', async () => {
  let fails = true;
  const cache = createCache({ maxEntries: 2, ttlMs: 10 }, async () => {
    if (fails) throw new Error('away');
    return 'here';
  });
  await expect(cache.get('a')).rejects.toThrow('away');
  fails = false;
  expect(await cache.get('a')).toBe('here');
});
