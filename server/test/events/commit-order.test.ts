// A reader with a cursor misses no event and sees the events of one report in the order of its changes, however the
// transactions that write them overlap. The controls read in a simpler order, and go wrong.
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { appendEvents, type NewEvent } from '../../src/events/append-events.ts';
import { type EventCursor, FIRST_CURSOR, readCommitted } from '../../src/events/read-events.ts';
import { newId } from '../../src/lib/ids.ts';
import { startServer, type TestServer } from '../harness.ts';

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

const eventOf = (creditReportId: string, type: NewEvent['type'] = 'report.completed'): NewEvent => ({
  tenantId: server.demo.tenantId,
  type,
  subjectId: creditReportId,
  creditReportId,
});

const insert = (client: Client, event: NewEvent) =>
  client.query('insert into outbox (tenant_id, type, subject_id, credit_report_id) values ($1, $2, $3, $4)', [
    event.tenantId,
    event.type,
    event.subjectId,
    event.creditReportId,
  ]);

const commitOne = (event: NewEvent) => server.database.forTenants([event.tenantId], (tx) => appendEvents(tx, [event]));

/** Reads until these reports have been seen, in the order in which the reader saw events. */
async function readUntil(after: EventCursor, count: number, tenantIds?: readonly string[]) {
  const seen: string[] = [];
  let cursor = after;
  await vi.waitFor(
    async () => {
      const page = await readCommitted(server.database, { after: cursor, limit: 100, ...(tenantIds && { tenantIds }) });
      cursor = page.next;
      seen.push(...page.events.map(({ event }) => `${event.type} ${event.data.creditReportId}`));
      expect(seen.length).toBeGreaterThanOrEqual(count);
    },
    { timeout: 20_000, interval: 50 },
  );
  return { seen, cursor };
}

const endOfFeed = async () => {
  const marker = newId();
  await commitOne(eventOf(marker));
  let cursor = FIRST_CURSOR;
  await vi.waitFor(
    async () => {
      const { events, next } = await readCommitted(server.database, { after: cursor, limit: 100 });
      cursor = next;
      expect(events.some(({ creditReportId }) => creditReportId === marker)).toBe(true);
    },
    { timeout: 20_000, interval: 50 },
  );
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
  const during = await readCommitted(server.database, { after: start, limit: 100 });
  expect(during.events).toEqual([]);

  await client.query('commit');
  expect(await byId(first.at(-1)?.id ?? 0)).toEqual([]);
  const { seen } = await readUntil(start, 2);
  expect(seen.toSorted()).toEqual([`credit-report.completed ${slow}`, `credit-report.completed ${quick}`].toSorted());
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

  const { seen } = await readUntil(start, 2);
  expect(seen).toEqual([`challenge.sent ${report}`, `challenge.verified ${report}`]);
  expect((await readUntil(start, 2, [server.demo.tenantId])).seen).toEqual(seen);
  // The control: by the ids of the transactions the two change places.
  const byTransaction = await server.query<{ type: string }>(
    'select type from outbox where id > $1 order by xmin::text::bigint',
    [last?.id],
  );
  expect(byTransaction.map(({ type }) => type)).toEqual(['challenge.verified', 'challenge.sent']);
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
          // The transaction has its id before the event's place, for a while that differs from writer to writer.
          await tx.query('select pg_current_xact_id(), pg_sleep($1)', [(number % 5) / 100]);
          await appendEvents(tx, [eventOf(report, type)]);
          await tx.query('select pg_sleep($1)', [((number * 7) % 5) / 100]);
        });
      }
    }),
  );
  const { seen } = await readUntil(start, reports.length * types.length);
  await writing;
  expect(new Set(seen).size).toBe(reports.length * types.length);
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
