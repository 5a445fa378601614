// The service gives up on its own parts early: what waits for a lock or for Redis is answered while the part is still stuck.
// Other tests run a service that waits longer (docs/decisions/0265-servers-of-their-own.md); here it waits as in production.
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { createTrefoil } from '@trefoil/sdk';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { freePort } from '../../../tools/dev/free-port.ts';
import { eventually } from '../../../tools/testing/eventually.ts';
import { createApp } from '../../src/app.ts';
import { loadConfig } from '../../src/config.ts';
import { type OpenDatabase, openDatabase } from '../../src/lib/postgres/database.ts';
import { rows, sql, type Tx } from '../../src/lib/postgres/sql.ts';
import { endsAfter, startClock, stopClock } from '../../src/lib/testing/stopped-clock.ts';
import { generateBody, startServer, type TestServer } from '../harness.ts';

const AS_IN_PRODUCTION = { overrides: { patience: 1 } };
/** As PostgreSQL says it. */
const LOCK_NOT_AVAILABLE = '55P03';

const cleanups: (() => Promise<unknown> | unknown)[] = [];
afterEach(async () => {
  startClock();
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
});

let server: TestServer;
beforeAll(async () => {
  // Few requests a second: a node asks Redis about each of them, and not about many at once.
  server = await startServer({ ratePerSecond: 20, environment: { TREFOIL_JOBS: 'off' }, ...AS_IN_PRODUCTION });
  return () => server.close();
});

/** The codes of the requests that failed so far. */
const failures = (): string[] =>
  server
    .logText()
    .split('\n')
    .filter((line) => line.includes('"request failed"'))
    .map((line) => JSON.parse(line).errorCode);

/** Between a node and one of its parts. Once it is held, the part hears nothing and says nothing, and no connection ends. */
async function startWire(to: string): Promise<{ url: string; said(): string; hold(): void }> {
  const target = new URL(to);
  const sockets: Socket[] = [];
  const said: string[] = [];
  const wire = createServer((socket) => {
    const part = connect(Number(target.port || (target.protocol === 'redis:' ? 6379 : 5432)), target.hostname);
    sockets.push(socket, part);
    for (const each of [socket, part]) each.on('error', () => undefined);
    socket.on('data', (bytes) => said.push(bytes.toString('latin1')));
    socket.pipe(part).pipe(socket);
  });
  await new Promise<void>((resolve) => wire.listen(0, '127.0.0.1', resolve));
  cleanups.push(() => {
    wire.close();
    for (const socket of sockets) socket.destroy();
  });
  const url = Object.assign(new URL(to), { hostname: '127.0.0.1', port: (wire.address() as AddressInfo).port });
  return {
    url: url.href,
    said: () => said.join(''),
    hold() {
      for (const socket of sockets) socket.unpipe().pause();
    },
  };
}

test('503 service-unavailable: a request that waits for a lock is answered while the lock is still held', async () => {
  const { trefoil, query } = server;
  await trefoil.getProfile();
  await query('begin');
  cleanups.push(() => query('rollback'));
  await query('lock table wallets in access exclusive mode');
  // The lock goes only after this answer.
  const refusal = await trefoil.getWallet().catch((error) => error);
  await query('rollback');
  expect(refusal).toMatchObject({ status: 503, code: 'service-unavailable' });
  // Neither the limit of the statement nor that of the request came first.
  expect(failures()).toEqual([LOCK_NOT_AVAILABLE]);
});

test('503 service-unavailable: a read that cannot write its audit row is answered while the head of the chain is still locked', async () => {
  const { trefoil, query, demo } = server;
  const { data } = await trefoil.generate(generateBody({ challengeOptions: { status: 'allow' } }));
  const before = failures().length;
  await query('begin');
  cleanups.push(() => query('rollback'));
  await query('select from audit_heads where tenant_id = $1 for update', [demo.tenantId]);
  const refusal = await trefoil.getReport(data.creditReportId).catch((error) => error);
  await query('rollback');
  expect(refusal).toMatchObject({ status: 503, code: 'service-unavailable' });
  // Several runs waited for the lock, and then the time of the audit row was over: not that of the request.
  expect(failures().slice(before)).toEqual([LOCK_NOT_AVAILABLE]);
});

test('a node with nothing overridden, as main.ts starts it: every connection waits two seconds for a lock', async () => {
  const { TREFOIL_DATABASE_URL: appUrl = '', TREFOIL_SYSTEM_DATABASE_URL: systemUrl = '' } = server.environment;
  const [app, system] = [await startWire(appUrl), await startWire(systemUrl)];
  const port = String(await freePort());
  const config = loadConfig({
    ...server.environment,
    TREFOIL_DATABASE_URL: app.url,
    TREFOIL_SYSTEM_DATABASE_URL: system.url,
    TREFOIL_PORT: port,
  });
  // Only where its log goes.
  const node = await createApp(config, { logDestination: { write: () => undefined } });
  cleanups.push(() => node.close());
  await node.listen();
  const trefoil = createTrefoil({ ...server.demo, baseUrl: `http://127.0.0.1:${port}`, maxRetries: 0 });
  await trefoil.getWallet();
  // What a new connection says first; the name of a setting and its value each end with a zero byte.
  for (const { said } of [app, system]) {
    const told = [...said().matchAll(/\0lock_timeout\0(\d+)\0/g)].map(([, ms]) => ms);
    expect(new Set(told)).toEqual(new Set(['2000']));
  }
});

describe('what PostgreSQL is told', () => {
  const limitsOf = async (tx: Tx) => {
    const [found] = await rows<{ lock: string; statement: string; idle: string }>(
      tx,
      sql`select current_setting('lock_timeout') as lock, current_setting('statement_timeout') as statement,
                 current_setting('idle_in_transaction_session_timeout') as idle`,
    );
    return [found?.lock, found?.statement, found?.idle];
  };
  const pools = {
    queue: ({ queue }: OpenDatabase, tenantId: string) => queue.forTenants([tenantId], limitsOf),
    requests: (database: OpenDatabase, tenantId: string) => database.forTenants([tenantId], limitsOf),
    'look-ups': (database: OpenDatabase) => database.asSystem(limitsOf),
    jobs: ({ jobs }: OpenDatabase, tenantId: string) => jobs.forTenants([tenantId], limitsOf),
    'system-jobs': ({ jobs }: OpenDatabase) => jobs.asSystem(limitsOf),
  };
  const table = [
    // pool, patience, the wait for a lock, for a statement, for the next statement of a transaction
    ['queue', undefined, '2s', '3s', '5s'],
    ['requests', undefined, '2s', '10s', '5s'],
    ['look-ups', undefined, '2s', '3s', '5s'],
    ['jobs', undefined, '2s', '7s', '5s'],
    ['system-jobs', undefined, '2s', '7s', '5s'],
    ['queue', 5, '10s', '15s', '25s'],
    ['requests', 5, '10s', '50s', '25s'],
  ] as const;
  test.each(table)('%s, patience %s: locks %s, statements %s, idle %s', async (name, patience, ...limits) => {
    const options = { ...server.config.database, ...(patience && { patience }), onConnectionError: () => undefined };
    const database = openDatabase(options);
    cleanups.push(() => database.close());
    expect(await pools[name](database, server.demo.tenantId)).toEqual(limits);
  });
});

test('503 service-unavailable: a request waits ten seconds for a connection, and no longer', async () => {
  const few = { ...server.config.database, appConnections: 3, onConnectionError: () => undefined };
  const database = openDatabase(few);
  cleanups.push(() => database.close());
  const [begun, over] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const holding = database.forTenants([server.demo.tenantId], async () => {
    begun.resolve();
    await over.promise;
  });
  cleanups.push(() => over.resolve());
  await begun.promise;
  stopClock();
  const waiting = database.forTenants([server.demo.tenantId], async () => 'served').catch((error) => error.code);
  expect(await endsAfter(10_000, waiting)).toBe('service-unavailable');
  startClock();
  over.resolve();
  await holding;
});

test('200 while Redis is silent: the node judges the limit alone', async () => {
  const wire = await startWire(server.config.redisUrl ?? '');
  const node = await server.startNode({ TREFOIL_REDIS_URL: wire.url }, AS_IN_PRODUCTION.overrides);
  cleanups.push(() => node.close());
  const trefoil = createTrefoil({ ...server.demo, baseUrl: node.baseUrl, maxRetries: 0 });
  const judgedAlone = () => server.logText().split('limits judged without redis').length - 1;
  // A node that has not reached Redis, or not in time, judges alone for a second.
  const before = await eventually(async () => {
    const [said, alone] = [wire.said().length, judgedAlone()];
    await trefoil.getProfile();
    expect(wire.said().slice(said)).toContain('eval');
    expect(judgedAlone()).toBe(alone);
    return alone;
  });
  wire.hold();
  expect(await trefoil.getProfile()).toBeDefined();
  expect(judgedAlone()).toBeGreaterThan(before);
});
