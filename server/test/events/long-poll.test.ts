// A request that waits for an event: it wakes with the commit, holds no connection while it waits, and ends with its time, its
// client or its server. How soon: long-poll-times.test.ts.
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../../../tools/testing/eventually.ts';
import { startServer, type TestServer } from '../harness.ts';
import { endOf, untilWaiting, writeEvent } from '../support/event-waits.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer({
    environment: { TREFOIL_DATABASE_CONNECTIONS: '4', TREFOIL_SYSTEM_DATABASE_CONNECTIONS: '2' },
  });
});
afterAll(() => server.close());

const untilWait = (count: number) => untilWaiting(server.metricsAddress, count);

/** Requests that wait for what nobody writes here: what is answered before them was not answered by the end of its time. */
async function waitForNothing(count = 1) {
  const client = new AbortController();
  const headers = { authorization: `Bearer ${await server.trefoil.getToken()}` };
  const url = `${server.baseUrl}/${server.demo.tenantId}/v1/events?type=wallet.topped-up&wait=20`;
  const ended = Array.from({ length: count }, () =>
    fetch(url, { headers, signal: client.signal }).then(
      () => 'its time was over',
      () => 'left',
    ),
  );
  await untilWait(count);
  return {
    ended: Promise.race(ended),
    async leave() {
      client.abort();
      await untilWait(0);
    },
  };
}

test('an event of a transaction that is still open is not answered; its commit wakes the request', async () => {
  const cursor = await endOf(server.trefoil);
  const client = new Client({ connectionString: server.config.database.ownerUrl });
  await client.connect();
  await client.query('begin');
  await client.query(
    `insert into outbox (tenant_id, type, subject_id, amount, balance) values ($1, 'wallet.low', $1, 5, 4)`,
    [server.demo.tenantId],
  );
  const nothing = await waitForNothing();
  const waiting = server.trefoil.listEvents({ cursor, wait: 20 });
  await untilWait(2);
  expect((await server.trefoil.listEvents({ cursor })).data.items).toEqual([]);
  await client.query('commit');
  await client.end();
  expect(await Promise.race([waiting.then(({ data }) => data.items.length), nothing.ended])).toBe(1);
  await nothing.leave();
});

test('an event that is there already is answered at once', async () => {
  const cursor = await endOf(server.trefoil);
  await writeEvent(server);
  await eventually(async () => expect((await server.trefoil.listEvents({ cursor })).data.items).not.toEqual([]));
  const nothing = await waitForNothing();
  const answered = server.trefoil.listEvents({ cursor, wait: 20 }).then(({ data }) => data.items.length);
  expect(await Promise.race([answered, nothing.ended])).toBe(1);
  await nothing.leave();
});

test('without an event the answer comes when the time is over, with a cursor', async () => {
  const cursor = await endOf(server.trefoil);
  const startedMs = performance.now();
  const { data } = await server.trefoil.listEvents({ cursor, wait: 1 });
  // steady: at least so long; a slow machine only takes longer.
  expect(performance.now() - startedMs).toBeGreaterThanOrEqual(990);
  expect(data).toEqual({ items: [], nextCursor: cursor, hasMore: false });
});

test('an event that the filter leaves out wakes nobody, and the next cursor is after it', async () => {
  const cursor = await endOf(server.trefoil);
  const all = server.trefoil.listEvents({ cursor, wait: 20 });
  const some = server.trefoil.listEvents({ cursor, type: 'wallet.low', wait: 20 });
  await untilWait(2);
  await writeEvent(server);
  await all;
  await untilWait(1);
  await writeEvent(server, server.demo.tenantId, 'wallet.low');
  const { data } = await some;
  expect(data.items.map(({ type }) => type)).toEqual(['wallet.low']);
  expect((await server.trefoil.listEvents({ cursor: data.nextCursor })).data.items).toEqual([]);
});

test('waiting requests hold no connection: with four of them in all, 20 wait and others are served', async () => {
  const cursor = await endOf(server.trefoil);
  const otherCursor = await endOf(server.otherTrefoil);
  const waiting = Array.from({ length: 20 }, () => server.trefoil.listEvents({ cursor, wait: 20 }));
  await untilWait(20);
  // A job's transaction may be open at one look; a waiting request's would be at all of them.
  await eventually(async () => {
    const [open] = await server.query<{ count: string }>(
      `select count(*) from pg_stat_activity where datname = $1 and state like 'idle in%' and usename <> current_user`,
      [server.databaseName],
    );
    expect(Number(open?.count)).toBe(0);
  });
  await untilWait(20);
  await server.trefoil.getWallet();
  // A request beyond those that may wait is answered at once.
  expect((await server.trefoil.listEvents({ cursor, wait: 20 })).data.items).toEqual([]);
  // Another tenant may still wait.
  const other = server.otherTrefoil.listEvents({ cursor: otherCursor, wait: 20 });
  await untilWait(21);
  await Promise.all([writeEvent(server), writeEvent(server, server.other.tenantId)]);
  for (const { data } of await Promise.all(waiting)) expect(data.items.length).toBe(1);
  expect((await other).data.items.length).toBe(1);
});

test('clients that go away free their places', async () => {
  const gone = await waitForNothing(20);
  await gone.leave();
  expect(await gone.ended).toBe('left');
  const next = await waitForNothing(20);
  await next.leave();
});

test('a node that stops answers its waiting requests', async () => {
  const node = await server.startNode({ TREFOIL_DRAIN_MS: '0' });
  const nothing = await waitForNothing();
  const cursor = await endOf(server.trefoil);
  const token = await server.trefoil.getToken();
  const url = `${node.baseUrl}/${server.demo.tenantId}/v1/events?cursor=${cursor}&wait=20`;
  const waiting = fetch(url, { headers: { authorization: `Bearer ${token}` } });
  await untilWaiting(node.metricsAddress, 1);
  const closing = node.close();
  const reply = await Promise.race([waiting, nothing.ended]);
  expect(reply).toMatchObject({ status: 200 });
  expect(await (reply as Response).json()).toMatchObject({ data: { items: [], nextCursor: cursor } });
  await closing;
  await nothing.leave();
});
