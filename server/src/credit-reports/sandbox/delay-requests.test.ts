import { expect, test } from 'vitest';
import { inScope } from '../../lib/request-scope.ts';
import { createDelay } from './delay-requests.ts';

const OF_TENANT = 50;
const OF_NODE = 1_000;
const SHORT_MS = 200;

test('the deadline of the request ends the wait, and nothing follows it', async () => {
  const delay = createDelay();
  // An hour: without the deadline, the test itself would run out of time.
  const waiting = inScope({ deadlineMs: performance.now() + 50 }, () => delay('a', 3_600_000));
  await expect(waiting).rejects.toMatchObject({ code: 'service-unavailable' });
});

test('a tenant has 50 places and no more; another tenant has its own; each is free again afterwards', async () => {
  const delay = createDelay();
  const waiting = Array.from({ length: OF_TENANT }, () => delay('a', SHORT_MS));
  await expect(delay('a', 1)).rejects.toMatchObject({ code: 'rate-limited' });
  await delay('a', 0);
  await delay('b', 1);
  await Promise.all(waiting);
  await delay('a', 1);
});

test('a node has 1,000 places', async () => {
  const delay = createDelay();
  const waiting = Array.from({ length: OF_NODE }, (_, place) => delay(`tenant ${place % 25}`, SHORT_MS));
  await expect(delay('one more', 1)).rejects.toMatchObject({ code: 'service-unavailable' });
  await Promise.all(waiting);
  await delay('one more', 1);
});
