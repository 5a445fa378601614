// delayMs: the request waits without a connection and without a place in any queue, and only so many wait at once.
import type { TrefoilError } from '@trefoil/sdk';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { generateBody, startServer, type TestServer } from '../../harness.ts';

const WAITING_MAX = 50;

let server: TestServer;
beforeAll(async () => {
  // Far fewer connections than requests that wait.
  server = await startServer({ environment: { TREFOIL_DATABASE_CONNECTIONS: '6' } });
  await Promise.all([server.trefoil.getToken(), server.otherTrefoil.getToken()]);
});
afterAll(() => server.close());

const delayed = (delayMs: number) => generateBody({ testOptions: { delayMs } });

async function timed<T>(work: Promise<T>): Promise<{ answer: T; tookMs: number }> {
  const startMs = performance.now();
  const answer = await work;
  return { answer, tookMs: performance.now() - startMs };
}

test('200: the answer comes after the delay, and timeTakenMs says so', async () => {
  const { answer, tookMs } = await timed(server.trefoil.generate(delayed(400)));
  expect(answer.data.status).toBe('complete');
  expect(answer.meta.request.timeTakenMs).toBeGreaterThanOrEqual(395);
  expect(tookMs).toBeLessThan(5_000);
});

test('a refusal is delayed as well', async () => {
  const call = server.trefoil.generate(generateBody({ testOptions: { delayMs: 300, outcome: 'rate-limited' } }));
  const { answer, tookMs } = await timed(call.catch((error: TrefoilError) => error.code));
  expect(answer).toBe('rate-limited');
  expect(tookMs).toBeGreaterThanOrEqual(295);
});

test('50 wait at once: they hold no connection, the 51st is 429, and neither this tenant nor another is slowed', async () => {
  const idle = async () =>
    server.query(
      `select count(*)::int from pg_stat_activity
        where datname = current_database() and usename = 'trefoil_app' and state <> 'idle'`,
    );
  const waiting = Array.from({ length: WAITING_MAX }, () => server.trefoil.generate(delayed(6_000)));
  // They have all begun to wait once one more is refused.
  const refused = await (async () => {
    for (;;) {
      const error = await server.trefoil.generate(delayed(1)).then(
        () => undefined,
        (each: TrefoilError) => each,
      );
      if (error) return error;
    }
  })();
  expect(refused).toMatchObject({ status: 429, code: 'rate-limited', retryAfterSeconds: 10 });
  expect(await idle()).toEqual([{ count: 0 }]);
  const others = await timed(
    Promise.all(Array.from({ length: 30 }, () => server.otherTrefoil.generate(generateBody()))),
  );
  const own = await timed(Promise.all(Array.from({ length: 30 }, () => server.trefoil.generate(generateBody()))));
  const theirs = await timed(server.otherTrefoil.generate(delayed(1)));
  for (const { tookMs } of [others, own, theirs]) expect(tookMs).toBeLessThan(4_000);
  const answers = await Promise.all(waiting);
  for (const { data } of answers) expect(data.status).toBe('complete');
  // The places are free again.
  expect((await server.trefoil.generate(delayed(1))).data.status).toBe('complete');
}, 30_000);
