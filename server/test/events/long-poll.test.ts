// A request that waits for an event: it wakes soon after the commit, holds no connection while it waits, and ends with its
// time, its client or its server. In the list of tests with a bar on time (vitest.config.ts).
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../../../tools/testing/eventually.ts';
import { appendEvents } from '../../src/events/append-events.ts';
import { newId } from '../../src/lib/ids.ts';
import { startServer, type TestServer } from '../harness.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer({
    environment: { TREFOIL_DATABASE_CONNECTIONS: '4', TREFOIL_SYSTEM_DATABASE_CONNECTIONS: '2' },
  });
});
afterAll(() => server.close());

const write = (tenantId = server.demo.tenantId, type: 'report.completed' | 'wallet.low' = 'report.completed') =>
  server.database.forTenants([tenantId], (tx) =>
    appendEvents(tx, [{ tenantId, type, subjectId: newId(), creditReportId: newId() }]),
  );

async function endOf(trefoil = server.trefoil): Promise<string> {
  for (let cursor: string | undefined; ; ) {
    const { data } = await trefoil.listEvents(cursor === undefined ? {} : { cursor });
    cursor = data.nextCursor;
    if (!data.hasMore) return cursor;
  }
}

/** Once the node has so many waiting requests: it looks for all of them in one query. */
const isWaiting = () => new Promise((resolve) => setTimeout(resolve, 700));

test('a waiting request is answered within a second of the commit', async () => {
  for (let round = 0; round < 3; round += 1) {
    const cursor = await endOf();
    const waiting = server.trefoil.listEvents({ cursor, wait: 15 });
    await isWaiting();
    await write();
    const committedMs = performance.now();
    const { data } = await waiting;
    expect(performance.now() - committedMs).toBeLessThan(1_000);
    expect(data.items.length).toBe(1);
  }
});

test('an event that is there already is answered at once', async () => {
  const cursor = await endOf();
  await write();
  await eventually(async () => expect((await server.trefoil.listEvents({ cursor })).data.items.length).toBe(1));
  const startedMs = performance.now();
  await server.trefoil.listEvents({ cursor, wait: 15 });
  expect(performance.now() - startedMs).toBeLessThan(500);
});

test('without an event the answer comes when the time is over, with a cursor', async () => {
  const cursor = await endOf();
  const startedMs = performance.now();
  const { data } = await server.trefoil.listEvents({ cursor, wait: 2 });
  expect(performance.now() - startedMs).toBeGreaterThan(1_900);
  expect(performance.now() - startedMs).toBeLessThan(3_500);
  expect(data).toEqual({ items: [], nextCursor: cursor, hasMore: false });
});

test('a wait of 20 seconds is answered with 200 before the request’s own limit', async () => {
  const cursor = await endOf();
  const startedMs = performance.now();
  const { data } = await server.trefoil.listEvents({ cursor, wait: 20 });
  expect(data.items).toEqual([]);
  expect(performance.now() - startedMs).toBeLessThan(20_000);
});

test('an event that the filter leaves out wakes nobody, and the next cursor is after it', async () => {
  const cursor = await endOf();
  const waiting = server.trefoil.listEvents({ cursor, type: 'wallet.low', wait: 10 });
  await isWaiting();
  await write();
  const quiet = await Promise.race([waiting, isWaiting()]);
  expect(quiet).toBeUndefined();
  await write(server.demo.tenantId, 'wallet.low');
  const { data } = await waiting;
  expect(data.items.map(({ type }) => type)).toEqual(['wallet.low']);
  expect((await server.trefoil.listEvents({ cursor: data.nextCursor })).data.items).toEqual([]);
});

test('an event of a transaction that is still open is not answered; its commit wakes the request', async () => {
  const cursor = await endOf();
  const client = new Client({ connectionString: server.config.database.ownerUrl });
  await client.connect();
  await client.query('begin');
  await client.query(`insert into outbox (tenant_id, type, subject_id) values ($1, 'wallet.low', $1)`, [
    server.demo.tenantId,
  ]);
  const waiting = server.trefoil.listEvents({ cursor, wait: 15 });
  expect(await Promise.race([waiting, isWaiting()])).toBeUndefined();
  await client.query('commit');
  await client.end();
  expect((await waiting).data.items.length).toBe(1);
});

test('waiting requests hold no connection: with four of them in all, 20 wait and others are served', async () => {
  const cursor = await endOf();
  const waiting = Array.from({ length: 20 }, () => server.trefoil.listEvents({ cursor, wait: 15 }));
  await isWaiting();
  const [open] = await server.query<{ count: string }>(
    `select count(*) from pg_stat_activity where datname = $1 and state like 'idle in%' and usename <> current_user`,
    [server.databaseName],
  );
  expect(Number(open?.count)).toBe(0);
  const startedMs = performance.now();
  await server.trefoil.getWallet();
  // A request beyond those that may wait is answered at once.
  expect((await server.trefoil.listEvents({ cursor, wait: 15 })).data.items).toEqual([]);
  expect(performance.now() - startedMs).toBeLessThan(1_000);
  // Another tenant may still wait.
  const other = server.otherTrefoil.listEvents({ cursor: await endOf(server.otherTrefoil), wait: 15 });
  expect(await Promise.race([other, isWaiting()])).toBeUndefined();
  await Promise.all([write(), write(server.other.tenantId)]);
  for (const { data } of await Promise.all(waiting)) expect(data.items.length).toBe(1);
  expect((await other).data.items.length).toBe(1);
});

test('a client that goes away frees its place', async () => {
  const cursor = await endOf();
  const token = await server.trefoil.getToken();
  const leave = new AbortController();
  const url = `${server.baseUrl}/${server.demo.tenantId}/v1/events?cursor=${cursor}&wait=15`;
  const headers = { authorization: `Bearer ${token}` };
  const gone = Array.from({ length: 20 }, () => fetch(url, { headers, signal: leave.signal }).catch(() => undefined));
  await isWaiting();
  leave.abort();
  await Promise.all(gone);
  await isWaiting();
  const waiting = server.trefoil.listEvents({ cursor, wait: 10 });
  expect(await Promise.race([waiting, isWaiting()])).toBeUndefined();
  await write();
  expect((await waiting).data.items.length).toBe(1);
});

test('a node that stops answers its waiting requests at once', async () => {
  const node = await server.startNode({ TREFOIL_DRAIN_MS: '0' });
  const cursor = await endOf();
  const token = await server.trefoil.getToken();
  const url = `${node.baseUrl}/${server.demo.tenantId}/v1/events?cursor=${cursor}&wait=20`;
  const waiting = fetch(url, { headers: { authorization: `Bearer ${token}` } });
  await isWaiting();
  const startedMs = performance.now();
  const closing = node.close();
  const reply = await waiting;
  expect(reply.status).toBe(200);
  expect(await reply.json()).toMatchObject({ data: { items: [], nextCursor: cursor } });
  await closing;
  expect(performance.now() - startedMs).toBeLessThan(3_000);
});
