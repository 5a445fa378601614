// PostgreSQL restarts and fails over: connections break in the middle of requests, and the process must not.
import { createTrefoil, TrefoilError } from '@trefoil/sdk';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../../../tools/testing/eventually.ts';
import { newId } from '../../src/lib/ids.ts';
import { openDatabase } from '../../src/lib/postgres/database.ts';
import { rows, sql } from '../../src/lib/postgres/sql.ts';
import { currentScope, currentSpan, inScope } from '../../src/lib/request-scope.ts';
import { createTracer } from '../../src/lib/traces/tracer.ts';
import { generateBody, startServer, type TestServer } from '../harness.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

const terminateBackends = () =>
  server.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and usename in ('trefoil_app', 'trefoil_system')`,
  );

test('503 service-unavailable: requests whose connection breaks are told to come back, and the rest are answered', async () => {
  const answers: number[] = [];
  let isOver = false;
  const clients = Array.from({ length: 20 }, async () => {
    while (!isOver) {
      answers.push(
        await server.trefoil.generate(generateBody()).then(
          () => 200,
          (error) => (error instanceof TrefoilError ? error.status : 0),
        ),
      );
    }
  });
  for (let round = 0; round < 5; round++) {
    const before = answers.length;
    await eventually(() => expect(answers.length).toBeGreaterThan(before + 40));
    await terminateBackends();
  }
  isOver = true;
  await Promise.all(clients);
  expect(new Set(answers).difference(new Set([200, 503]))).toEqual(new Set());
  expect(answers).toContain(503);
  expect((await server.trefoil.generate(generateBody())).data.status).toBe('complete');
});

test('a connection that breaks while nobody uses it is told outside the request that opened it', async () => {
  const told: unknown[] = [];
  const database = openDatabase({
    ...server.config.database,
    onConnectionError: () => told.push(currentScope() ?? currentSpan() ?? 'no request'),
  });
  const span = createTracer({ ratio: 1, callers: 'link', tells: [], record: () => undefined }).placeOf(newId());
  const ask = () => database.forTenants([server.demo.tenantId], (tx) => rows(tx, sql`select 1 as one`));
  await inScope({ deadlineMs: performance.now() + 10_000, span }, ask);
  await terminateBackends();
  await eventually(() => expect(told).toEqual(['no request']));
  await database.close();
});

test('503 temporarily_unavailable: the token endpoint says the same in its own words', async () => {
  // A database that takes no connection at all, as during a failover.
  await server.query(`alter database "${server.databaseName}" with connection limit 0`);
  await terminateBackends();
  const fresh = createTrefoil({ ...server.demo, baseUrl: server.baseUrl, maxRetries: 0 });
  const refusal = await fresh.getToken().catch((error) => error);
  await server.query(`alter database "${server.databaseName}" with connection limit -1`);
  expect(refusal).toMatchObject({ status: 503, code: 'service-unavailable', retryAfterSeconds: 2 });
  await eventually(async () =>
    expect(
      await fresh.getToken().then(
        () => 200,
        () => 0,
      ),
    ).toBe(200),
  );
});
