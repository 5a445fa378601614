// Real Redis: what two nodes together let through of a busy tenant's requests, taken in batches.
import { randomBytes } from 'node:crypto';
import { afterEach, expect, test } from 'vitest';
import { loadLocalServers } from '../../config.ts';
import { createKeyedHash } from '../crypto/keyed-hash.ts';
import { type Limits, openLimits } from './limits.ts';

/** All nodes of an installation have the same. */
const HASH_KEY = randomBytes(32);

const opened: Limits[] = [];
afterEach(() => {
  for (const limits of opened.splice(0)) limits.close();
});

function open(keyPrefix: string): Limits {
  const { redisUrl } = loadLocalServers();
  const limits = openLimits({
    redisUrl,
    keyPrefix,
    timeoutMs: 5_000,
    nodes: 2,
    onFallback: () => undefined,
    hashKey: createKeyedHash(HASH_KEY, 'limits'),
  });
  opened.push(limits);
  return limits;
}

/** Until Redis answers: a node that judges alone gives only its half of the burst. */
async function warm(limits: Limits): Promise<void> {
  for (let key = 0; ; key += 1) {
    const { remaining } = await limits.take(`warm-${key}`, { perSecond: 1, burst: 4 });
    if (remaining === 3) return;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

test('of 5,000 requests at once a burst of 1,000 is let through, over two nodes and never more than the rate allows', async () => {
  const keyPrefix = `limits-${randomBytes(6).toString('hex')}:`;
  const nodes = [open(keyPrefix), open(keyPrefix)] as const;
  for (const node of nodes) await warm(node);
  const rate = { perSecond: 1_000, burst: 1_000 };
  const startedAt = performance.now();
  const verdicts = await Promise.all(
    Array.from({ length: 5_000 }, (_, number) => nodes[number % 2 === 0 ? 0 : 1].take('busy', rate)),
  );
  const seconds = (performance.now() - startedAt) / 1_000;
  const allowed = verdicts.filter(({ isAllowed }) => isAllowed).length;
  // A batch is five requests: at most one of each node is lost.
  expect(allowed).toBeGreaterThanOrEqual(990);
  expect(allowed).toBeLessThanOrEqual(1_000 + Math.ceil(seconds * rate.perSecond));
  expect(verdicts.find(({ isAllowed }) => !isAllowed)?.retryAfterUs).toBeGreaterThan(0);
});

test('a quiet tenant is counted one by one', async () => {
  const limits = open(`limits-${randomBytes(6).toString('hex')}:`);
  await warm(limits);
  const rate = { perSecond: 1, burst: 3 };
  const verdicts = [];
  for (let count = 0; count < 4; count += 1) verdicts.push(await limits.take('quiet', rate));
  expect(verdicts.map(({ isAllowed, remaining }) => [isAllowed, remaining])).toEqual([
    [true, 2],
    [true, 1],
    [true, 0],
    [false, 0],
  ]);
});

test('what is asked in one turn is answered each for its own key and rate, in the order it was asked', async () => {
  const limits = open(`limits-${randomBytes(6).toString('hex')}:`);
  await warm(limits);
  const [two, nine] = [
    { perSecond: 1, burst: 2 },
    { perSecond: 1, burst: 9 },
  ];
  const verdicts = await Promise.all([
    limits.take('one', two),
    limits.take('other', nine),
    limits.take('one', two),
    limits.take('one', two),
    limits.take('other', nine),
  ]);
  expect(verdicts.map(({ isAllowed, remaining }) => [isAllowed, remaining])).toEqual([
    [true, 1],
    [true, 8],
    [true, 0],
    [false, 0],
    [true, 7],
  ]);
});

test('failures are counted over two nodes, and what is taken back no longer counts', async () => {
  const keyPrefix = `limits-${randomBytes(6).toString('hex')}:`;
  const nodes = [open(keyPrefix), open(keyPrefix)] as const;
  for (const node of nodes) await warm(node);
  const policy = { max: 10, windowUs: 60_000_000 };
  for (let round = 0; round < 20; round += 1) {
    expect(await nodes[round % 2 === 0 ? 0 : 1].failures('key', policy, true)).toBe(0);
    await nodes[round % 2 === 0 ? 1 : 0].forgive('key');
  }
  const locked = await Promise.all(
    Array.from({ length: 50 }, (_, index) => nodes[index % 2 === 0 ? 0 : 1].failures('key', policy, true)),
  );
  expect(locked.filter((microseconds) => microseconds === 0)).toHaveLength(10);
});
