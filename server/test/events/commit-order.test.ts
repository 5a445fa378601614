// A reader with a cursor misses no event and sees the events of one report in the order of its changes, however the
// transactions that write them overlap. The controls read in a simpler order, and go wrong.
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../../../tools/testing/eventually.ts';
import { appendEvents, type NewEvent } from '../../src/events/append-events.ts';
import { type EventCursor, FIRST_CURSOR, readCommitted, type Whose } from '../../src/events/read-events.ts';
import { newId } from '../../src/lib/ids.ts';
import { startServer, type TestServer } from '../harness.ts';
import { grave } from '../support/grave.ts';

let server: TestServer;
const clients: Client[] = [];
beforeAll(async () => {
  server = await startServer();
});
afterAll(async () => {
  for (const client of clients) await client.end();
  await server.close();
});

async function connect(): Promise<Client> {
  const client = new Client({ connectionString: server.config.database.ownerUrl });
  await client.connect();
  clients.push(client);
  return client;
}

const eventOf = (
  creditReportId: string,
  type: NewEvent['type'] = 'report.completed',
  { tenantId } = server.demo,
): NewEvent => ({
  tenantId,
  type,
  subjectId: creditReportId,
  creditReportId,
  challengeId: creditReportId,
  amount: 5,
});

const insert = (client: Client, event: NewEvent) =>
  client.query(
    'insert into outbox (tenant_id, type, subject_id, credit_report_id, challenge_id, amount) values ($1, $2, $3, $4, $4, 5)',
    [event.tenantId, event.type, event.subjectId, event.creditReportId],
  );

const commitOne = (event: NewEvent) => server.database.forTenants([event.tenantId], (tx) => appendEvents(tx, [event]));

const ALL: Whose = { chooseTenants: async (_tx, tenantIds) => tenantIds };

/**
 * Reads until so many events after a place can be read and the reader is behind the last: what it has not seen by then is lost.
 * In the order in which the reader saw them.
 */
async function readUntil(after: EventCursor, count: number, whose: Whose = ALL): Promise<string[]> {
  const seen: string[] = [];
  let cursor = after;
  await eventually(async () => {
    const readable = await server.query(
      'select from outbox where (xact_id, id) > ($1::xid8, $2) and xact_id < pg_snapshot_xmin(pg_current_snapshot())',
      [after.xactId, after.id],
    );
    const page = await readCommitted(server.database, { after: cursor, limit: 100, ...whose });
    cursor = page.next;
    seen.push(...page.events.map(({ event }) => `${event.type} ${event.data.creditReportId}`));
    expect([readable.length, page.isLast]).toEqual([count, true]);
  });
  return seen;
}

const expectNoneLost = (seen: readonly string[], lines: readonly string[]) =>
  grave('events', () => expect(seen.toSorted()).toEqual(lines.toSorted()));

const endOfFeed = async () => {
  const marker = newId();
  await commitOne(eventOf(marker));
  let cursor = FIRST_CURSOR;
  await eventually(async () => {
    const { events, next } = await readCommitted(server.database, { ...ALL, after: cursor, limit: 100 });
    cursor = next;
    expect(events.some(({ creditReportId }) => creditReportId === marker)).toBe(true);
  });
  return cursor;
};

test('an event of a long transaction is read after events that were committed before it, and never missed', async () => {
  const start = await endOfFeed();
  const [last] = await server.query<{ id: number }>('select max(id)::integer as id from outbox');
  const [slow, quick] = [newId(), newId()];
  const client = await connect();
  await client.query('begin');
  await insert(client, eventOf(slow));
  await commitOne(eventOf(quick));

  // The control reads by id alone: it sees the quick event, moves on, and never sees the slow one.
  const byId = (afterId: number) =>
    server.query<{ id: number; report: string }>(
      'select id::integer as id, credit_report_id as report from outbox where id > $1 order by id',
      [afterId],
    );
  const first = await byId(last?.id ?? 0);
  expect(first.map(({ report }) => report)).toEqual([quick]);
  const during = await readCommitted(server.database, { ...ALL, after: start, limit: 100 });
  // A reader that saw the quick one now would go on after it and miss the slow one.
  await grave('events', () => expect(during.events).toEqual([]));

  await client.query('commit');
  expect(await byId(first.at(-1)?.id ?? 0)).toEqual([]);
  const seen = await readUntil(start, 2);
  await expectNoneLost(seen, [`credit-report.completed ${slow}`, `credit-report.completed ${quick}`]);
});

test('an event can be read although no transaction follows its own', async () => {
  const client = await connect();
  await client.query('begin');
  await client.query('select pg_current_xact_id()');
  await commitOne(eventOf(newId()));
  await insert(client, eventOf(newId()));
  // In the transaction itself: afterwards, other tests on the same server may have taken the next id.
  const { rows } = await client.query<{ isReachable: boolean }>(
    'select max(xact_id::text::bigint) < max(pg_snapshot_xmax(pg_current_snapshot())::text::bigint) as "isReachable" from outbox',
  );
  await client.query('commit');
  expect(rows).toEqual([{ isReachable: true }]);
});

test('two events of one report: the later change is read later, though its transaction began first', async () => {
  const start = await endOfFeed();
  const [last] = await server.query<{ id: number }>('select max(id)::integer as id from outbox');
  const report = newId();
  const [early, late] = [await connect(), await connect()];
  // It has its transaction id before it gets the report's lock, as a code with an idempotency key has.
  await early.query('begin');
  const [id] = (await early.query<{ xid: string }>('select pg_current_xact_id()::text as xid')).rows;
  await late.query('begin');
  const [laterId] = (await late.query<{ xid: string }>('select pg_current_xact_id()::text as xid')).rows;
  expect(BigInt(id?.xid ?? 0)).toBeLessThan(BigInt(laterId?.xid ?? 0));
  await late.query('select pg_advisory_xact_lock(16)');
  const locking = early.query('select pg_advisory_xact_lock(16)');
  await insert(late, eventOf(report, 'challenge.sent'));
  await late.query('commit');
  await locking;
  await insert(early, eventOf(report, 'challenge.verified'));
  await early.query('commit');

  const seen = await readUntil(start, 2);
  const lines = [`challenge.sent ${report}`, `challenge.verified ${report}`];
  await expectNoneLost(seen, lines);
  expect(seen).toEqual(lines);
  expect(await readUntil(start, 2, { tenantIds: [server.demo.tenantId] })).toEqual(seen);
  // The control: by the ids of the transactions the two change places.
  const byTransaction = await server.query<{ type: string }>(
    'select type from outbox where id > $1 order by xmin::text::bigint',
    [last?.id],
  );
  expect(byTransaction.map(({ type }) => type)).toEqual(['challenge.verified', 'challenge.sent']);
});

test('a reader that chooses tenants loads their events alone, and its cursor passes over all others', async () => {
  const start = await endOfFeed();
  const { demo, other } = server;
  const reports = Array.from({ length: 7 }, newId);
  for (const [number, report] of reports.entries())
    await commitOne(eventOf(report, 'report.completed', number % 3 === 0 ? demo : other));
  const asked: (readonly string[])[] = [];
  const read = (after: EventCursor, limit: number, chosen: readonly { readonly tenantId: string }[]) =>
    readCommitted(server.database, {
      after,
      limit,
      async chooseTenants(_tx, tenantIds) {
        asked.push(tenantIds.toSorted());
        return chosen.map(({ tenantId }) => tenantId);
      },
    });
  const both = [demo.tenantId, other.tenantId].toSorted();
  await eventually(async () => expect((await read(start, 100, [demo, other])).events).toHaveLength(7));
  asked.length = 0;

  // The limit counts the events of all tenants, so that a page costs the same whoever is chosen.
  const first = await read(start, 5, [demo]);
  expect(first.events.map(({ creditReportId }) => creditReportId)).toEqual([reports[0], reports[3]]);
  expect(first.isLast).toBe(false);
  const second = await read(first.next, 5, [demo]);
  expect(second.events.map(({ creditReportId }) => creditReportId)).toEqual([reports[6]]);
  expect(second.isLast).toBe(true);
  expect(await read(second.next, 5, [demo])).toEqual({ events: [], next: second.next, isLast: true });
  expect(asked).toEqual([both, both]);

  const passed = await read(start, 5, []);
  expect(passed).toEqual({ events: [], next: first.next, isLast: false });
});

test('an event that is committed while tenants are chosen is not passed over: its tenant was not asked about', async () => {
  const start = await endOfFeed();
  const { demo, other } = server;
  const [before, meanwhile] = [newId(), newId()];
  await commitOne(eventOf(before, 'report.completed', demo));
  let isFirst = true;
  const seen = await readUntil(start, 2, {
    async chooseTenants(_tx, tenantIds) {
      if (isFirst) {
        isFirst = false;
        expect(tenantIds).toEqual([demo.tenantId]);
        await commitOne(eventOf(meanwhile, 'report.completed', other));
        // From then on a search for events finds it.
        const readable = `select from outbox where credit_report_id = $1 and xact_id < pg_snapshot_xmin(pg_current_snapshot())`;
        await eventually(async () => expect(await server.query(readable, [meanwhile])).toHaveLength(1));
      }
      return tenantIds;
    },
  });
  await expectNoneLost(seen, [`credit-report.completed ${before}`, `credit-report.completed ${meanwhile}`]);
  expect(seen[0]).toContain(before);
});

test('a reader beside 16 writers with overlapping transactions sees every event once, each report in order', async () => {
  const start = await endOfFeed();
  const types = [
    'report.challenged',
    'challenge.sent',
    'challenge.delivered',
    'challenge.verified',
    'report.completed',
  ];
  const reports = Array.from({ length: 16 }, newId);
  const writing = Promise.all(
    reports.map(async (report, number) => {
      for (const type of types as NewEvent['type'][]) {
        await server.database.forTenants([server.demo.tenantId], async (tx) => {
          // steady: the transaction has its id before the event's place, for a while that differs from writer to writer.
          await tx.query('select pg_current_xact_id(), pg_sleep($1)', [(number % 5) / 100]);
          await appendEvents(tx, [eventOf(report, type)]);
          // steady: and commits a while later, which differs too.
          await tx.query('select pg_sleep($1)', [((number * 7) % 5) / 100]);
        });
      }
    }),
  );
  const [seen, own] = await Promise.all([
    readUntil(start, reports.length * types.length),
    readUntil(start, reports.length * types.length, { tenantIds: [server.demo.tenantId] }),
  ]);
  await writing;
  const written = reports.flatMap((report) =>
    types.map((type) => `${type.replace(/^report/, 'credit-report')} ${report}`),
  );
  await expectNoneLost(seen, written);
  await expectNoneLost(own, written);
  expect(own).toEqual(seen);
  for (const report of reports) {
    const own = seen.filter((line) => line.endsWith(report)).map((line) => line.split(' ')[0]);
    expect(own).toEqual([
      'credit-report.challenged',
      'challenge.sent',
      'challenge.delivered',
      'challenge.verified',
      'credit-report.completed',
    ]);
  }
});
