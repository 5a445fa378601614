// delayMs: requests wait without a connection and without a place in any queue, and only so many wait at once.
import type { TrefoilError } from '@trefoil/sdk';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../../../../tools/testing/eventually.ts';
import { generateBody, startServer, type TestServer } from '../../harness.ts';

const WAITING_MAX = 50;
/** The most that may be asked for, and far longer than all else in this file takes: what is answered meanwhile did not wait. */
const LONG_MS = 10_000;

let server: TestServer;
beforeAll(async () => {
  // Far fewer connections than requests that wait.
  server = await startServer({ environment: { TREFOIL_DATABASE_CONNECTIONS: '6' } });
  await Promise.all([server.trefoil.getToken(), server.otherTrefoil.getToken()]);
});
afterAll(() => server.close());

const delayed = (delayMs: number) => generateBody({ testOptions: { delayMs } });

test('50 wait at once: they hold no connection, the 51st is 429, and neither this tenant nor another is slowed', async () => {
  const active = async () =>
    server.query(
      `select count(*)::int from pg_stat_activity
        where datname = current_database() and usename = 'trefoil_app' and state <> 'idle'`,
    );
  let endedCount = 0;
  const calls = Array.from({ length: WAITING_MAX + 1 }, () =>
    server.trefoil.generate(delayed(LONG_MS)).finally(() => {
      endedCount += 1;
    }),
  );
  const settled = Promise.allSettled(calls);
  // Whichever of them comes last is refused. By then the others wait.
  const refused = await Promise.any(
    calls.map((call) =>
      call.then(
        () => Promise.reject(new Error('this request was not refused')),
        (error: TrefoilError) => error,
      ),
    ),
  );
  expect(refused).toMatchObject({ status: 429, code: 'rate-limited', retryAfterSeconds: 10 });
  // Asked until it is so: a job of the server may use a connection for a moment.
  await eventually(async () => expect(await active()).toEqual([{ count: 0 }]));
  await Promise.all(Array.from({ length: 30 }, () => server.otherTrefoil.generate(generateBody())));
  await Promise.all(Array.from({ length: 30 }, () => server.trefoil.generate(generateBody())));
  await server.otherTrefoil.generate(delayed(1));
  expect(endedCount, 'all others are answered while the 50 wait').toBe(1);
  const answers = await settled;
  expect(answers.filter(({ status }) => status === 'rejected')).toEqual([{ status: 'rejected', reason: refused }]);
  for (const answer of answers) {
    if (answer.status === 'fulfilled') expect(answer.value.data.status).toBe('complete');
  }
  // The places are free again.
  expect((await server.trefoil.generate(delayed(1))).data.status).toBe('complete');
});
