// A tenant's reads are limited while another tenant is active too; a tenant alone is not limited.
import { Registry } from 'prom-client';
import { expect, test, vi } from 'vitest';
import type { Release } from '../lib/limits/places.ts';
import { createAdmitRead } from './admit-read.ts';
import { createHttpMetrics } from './http-metrics.ts';

function open(isAlone: boolean) {
  const presence = { note: () => undefined, isAlone: () => isAlone, largestShare: () => 1 };
  return createAdmitRead(presence, createHttpMetrics(new Registry()));
}

/** How many of these reads are admitted at once, before one of them ends. */
async function countAtOnce(reads: readonly Promise<Release>[]): Promise<number> {
  let count = 0;
  for (const read of reads) void read.then(() => (count += 1));
  await new Promise((resolve) => setImmediate(resolve));
  return count;
}

test('four at a time beside another tenant, whose own read does not wait; the next when one ends', async () => {
  const admit = open(false);
  const reads = Array.from({ length: 6 }, () => admit('a'));
  expect(await countAtOnce(reads)).toBe(4);
  expect(await countAtOnce([admit('b')])).toBe(1);
  (await reads[0])?.();
  expect(await countAtOnce(reads)).toBe(5);
  (await reads[1])?.();
  await Promise.all(reads);
});

test('alone, all at once', async () => {
  const admit = open(true);
  expect(await countAtOnce(Array.from({ length: 64 }, () => admit('a')))).toBe(64);
});

test('where a request hears 503, a page of a file asks again until it has a turn, and for 20 s at most', async () => {
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] });
  try {
    const admit = open(false);
    const held = await Promise.all(Array.from({ length: 4 }, () => admit('a')));
    const request = expect(admit('a')).rejects.toMatchObject({ code: 'service-unavailable' });
    const [page, late] = [admit('a', 'page'), admit('a', 'page')];
    const lateEnd = expect(late).rejects.toMatchObject({ code: 'service-unavailable' });
    await vi.advanceTimersByTimeAsync(10_000);
    await request;
    held[0]?.();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await countAtOnce([page])).toBe(1);
    await vi.advanceTimersByTimeAsync(15_000);
    await lateEnd;
  } finally {
    vi.useRealTimers();
  }
});
