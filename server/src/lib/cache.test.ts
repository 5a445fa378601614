import { expect, test, vi } from 'vitest';
import { eventually } from '../../../tools/testing/eventually.ts';
import { createCache } from './cache.ts';

test('loads once for many, again after its time, and forgets the oldest', async () => {
  let now = 0;
  const loads: string[] = [];
  const cache = createCache({ maxEntries: 2, ttlMs: 10 }, { load: async (key) => loads.push(key) }, () => now);
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
  const cache = createCache(
    { maxEntries: 2, ttlMs: 10 },
    {
      async load() {
        if (fails) throw new Error('away');
        return 'here';
      },
    },
  );
  await expect(cache.get('a')).rejects.toThrow('away');
  fails = false;
  expect(await cache.get('a')).toBe('here');
});

test('what is used again is given once more while it is loaded anew, but not when it is too old', async () => {
  let [now, version] = [0, 1];
  let isAway = false;
  const reload = vi.fn(async () => {
    if (isAway) throw new Error('away');
    return version;
  });
  const load = vi.fn(async () => version);
  const cache = createCache({ maxEntries: 2, ttlMs: 10, staleMs: 30 }, { load, reload }, () => now);
  expect(await cache.get('a')).toBe(1);
  version = 2;
  now = 9;
  expect(await cache.get('a')).toBe(1);
  expect(reload).not.toHaveBeenCalled();
  now = 10;
  expect(await Promise.all([cache.get('a'), cache.get('a')])).toEqual([1, 1]);
  expect(reload).toHaveBeenCalledTimes(1);
  expect(await cache.get('a')).toBe(2);
  // A reload that fails leaves the value until it is too old.
  [version, isAway, now] = [3, true, 25];
  expect(await cache.get('a')).toBe(2);
  await eventually(async () => {
    await cache.get('a');
    expect(reload.mock.calls.length).toBeGreaterThan(2);
  });
  now = 40;
  expect(await cache.get('a')).toBe(3);
  expect(load).toHaveBeenCalledTimes(2);
});

test('nothing found is an answer, and is kept like any other', async () => {
  const load = vi.fn(async () => undefined);
  const cache = createCache({ maxEntries: 2, ttlMs: 10 }, { load }, () => 0);
  expect([await cache.get('a'), await cache.get('a')]).toEqual([undefined, undefined]);
  expect(load).toHaveBeenCalledTimes(1);
});

test('a load whose entry made room for another still answers', async () => {
  const cache = createCache({ maxEntries: 1, ttlMs: 10 }, { load: async (key) => key }, () => 0);
  expect(await Promise.all(['a', 'b', 'c'].map(cache.get))).toEqual(['a', 'b', 'c']);
});

test('a reload that hangs holds nobody up once the value is too old', async () => {
  let now = 0;
  const reload = () => new Promise<string>(() => undefined);
  const cache = createCache(
    { maxEntries: 2, ttlMs: 10, staleMs: 30 },
    { load: async () => `at ${now}`, reload },
    () => now,
  );
  expect(await cache.get('a')).toBe('at 0');
  now = 20;
  expect(await cache.get('a')).toBe('at 0');
  now = 30;
  expect(await cache.get('a')).toBe('at 30');
});
