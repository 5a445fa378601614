// Real Redis: what two nodes together let through of a busy tenant's requests, taken in batches.
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../../../../tools/testing/eventually.ts';
import { loadLocalServers } from '../../config.ts';
import { createKeyedHash } from '../crypto/keyed-hash.ts';
import { type Limits, openLimits } from './limits.ts';

/** All nodes of an installation have the same. */
const HASH_KEY = randomBytes(32);

/** Each test has keys of its own. A node that is opened judges alone for its first second, so all tests share these two. */
let nodes: readonly [Limits, Limits];
beforeAll(async () => {
  const keyPrefix = `limits-${randomBytes(6).toString('hex')}:`;
  nodes = [open(keyPrefix), open(keyPrefix)];
  await Promise.all(nodes.map(warm));
});
afterAll(() => {
  for (const limits of nodes) limits.close();
});

/** No token comes back while a test runs, however slow the machine is. */
const SLOW = { perSecond: 1 / 3_600 };

function open(keyPrefix: string): Limits {
  const { redisUrl } = loadLocalServers();
  return openLimits({
    redisUrl,
    keyPrefix,
    timeoutMs: 30_000,
    nodes: 2,
    onFallback: () => undefined,
    hashKey: createKeyedHash(HASH_KEY, 'limits'),
  });
}

/** Until Redis answers: a node that judges alone gives only its half of the burst. */
async function warm(limits: Limits): Promise<void> {
  const look = () => limits.take(`warm-${randomBytes(6).toString('hex')}`, { ...SLOW, burst: 4 });
  await eventually(async () => expect((await look()).remaining).toBe(3));
}

test('of 5,000 requests at once a burst of 1,000 is let through, over two nodes and never more than the rate allows', async () => {
  // Slow enough that on any machine most of them are refused.
  const rate = { perSecond: 100, burst: 1_000 };
  const startedAt = performance.now();
  const verdicts = await Promise.all(
    Array.from({ length: 5_000 }, (_, number) => nodes[number % 2 === 0 ? 0 : 1].take('busy', rate)),
  );
  const seconds = (performance.now() - startedAt) / 1_000;
  const allowed = verdicts.filter(({ isAllowed }) => isAllowed).length;
  // A batch is five requests: at most one of each node is lost.
  expect(allowed).toBeGreaterThanOrEqual(990);
  // steady: the longer it took, the more the rate allows.
  expect(allowed).toBeLessThanOrEqual(1_000 + Math.ceil(seconds * rate.perSecond));
  expect(verdicts.find(({ isAllowed }) => !isAllowed)?.retryAfterUs).toBeGreaterThan(0);
});

test('a quiet tenant is counted one by one', async () => {
  const [limits] = nodes;
  const rate = { ...SLOW, burst: 3 };
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
  const [limits] = nodes;
  const [two, nine] = [
    { ...SLOW, burst: 2 },
    { ...SLOW, burst: 9 },
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
  const policy = { max: 10, windowUs: 3_600_000_000 };
  for (let round = 0; round < 20; round += 1) {
    expect(await nodes[round % 2 === 0 ? 0 : 1].failures('key', policy, true)).toBe(0);
    await nodes[round % 2 === 0 ? 1 : 0].forgive('key');
  }
  const locked = await Promise.all(
    Array.from({ length: 50 }, (_, index) => nodes[index % 2 === 0 ? 0 : 1].failures('key', policy, true)),
  );
  expect(locked.filter((microseconds) => microseconds === 0)).toHaveLength(10);
});
