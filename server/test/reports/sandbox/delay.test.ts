// delayMs: the answer comes after the delay. How many may wait at once: delay-requests.test.ts and many-delays.test.ts.
import type { TrefoilError } from '@trefoil/sdk';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { generateBody, startServer, type TestServer } from '../../harness.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

test('200: the answer comes after the delay, and timeTakenMs says so', async () => {
  const answer = await server.trefoil.generate(generateBody({ testOptions: { delayMs: 400 } }));
  expect(answer.data.status).toBe('complete');
  expect(answer.meta.request.timeTakenMs).toBeGreaterThanOrEqual(395);
});

test('a refusal is delayed as well', async () => {
  const startMs = performance.now();
  const call = server.trefoil.generate(generateBody({ testOptions: { delayMs: 300, outcome: 'rate-limited' } }));
  expect(await call.catch((error: TrefoilError) => error.code)).toBe('rate-limited');
  // steady: at least so long; a slow machine only takes longer.
  expect(performance.now() - startMs).toBeGreaterThanOrEqual(295);
});
