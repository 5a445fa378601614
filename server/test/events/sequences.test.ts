// The sequence of an event: it rises by one in the order of the company's feed, whoever reads it and however, and neither marks nor
// deletion change it (docs/decisions/0281-a-sequence-for-each-tenant.md).
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readGuideStatements } from '../../../tools/restore-drill/guide.ts';
import { eventually } from '../../../tools/testing/eventually.ts';
import { appendEvents } from '../../src/events/append-events.ts';
import { OUTBOX } from '../../src/events/jobs.ts';
import { markEvents } from '../../src/events/mark-events.ts';
import { newId } from '../../src/lib/ids.ts';
import { forgetNow } from '../../src/lib/postgres/retention.ts';
import type { Tx } from '../../src/lib/postgres/sql.ts';
import type { TestServer } from '../harness.ts';
import { grave } from '../support/grave.ts';
import { callAs } from '../support/people.ts';
import { addWebhookTenant, startWebhookServer, useReceivers, type WebhookTenant } from '../support/webhooks.ts';

let server: TestServer;
const openReceiver = useReceivers();
beforeAll(async () => {
  server = await startWebhookServer();
});
afterAll(() => server.close());

type Numbered = { readonly id: string; readonly sequence?: number };
type Page = { items: Numbered[]; nextCursor: string; hasMore: boolean };

async function readPage({ tenantId, owner }: WebhookTenant, query: string): Promise<Page> {
  const { status, data } = await callAs(server, owner, 'GET', `/${tenantId}/v1/events${query}`);
  expect(status).toBe(200);
  return data as unknown as Page;
}

/** Pages until it has so many: what is committed behind a running transaction comes later. */
async function readUntil(tenant: WebhookTenant, count: number, query = '?limit=37'): Promise<Numbered[]> {
  const items: Numbered[] = [];
  let cursor = '';
  await eventually(
    async () => {
      const page = await readPage(tenant, `${query}${cursor}`);
      items.push(...page.items);
      cursor = `&cursor=${page.nextCursor}`;
      expect(items.length).toBeGreaterThanOrEqual(count);
    },
    { limitMs: 60_000 },
  );
  return items;
}

const byId = (events: readonly Numbered[]) => new Map(events.map(({ id, sequence }) => [id, sequence]));
const upTo = (last: number, first = 1) => Array.from({ length: last - first + 1 }, (_, place) => first + place);
const sequencesOf = (events: readonly Numbered[]) => events.map(({ sequence }) => sequence);
const fromTheOldest = async (tenant: WebhookTenant) => sequencesOf((await readPage(tenant, '?limit=200')).items);

/** Events in one transaction, which the company can read. */
async function happenRead(tenant: WebhookTenant, count: number): Promise<void> {
  const all = `select from outbox where tenant_id = $1 and xact_id < pg_snapshot_xmin(pg_current_snapshot())`;
  const countReadable = async () => (await server.query(all, [tenant.tenantId])).length;
  const before = await countReadable();
  await tenant.happen(count);
  await eventually(async () => expect(await countReadable()).toBe(before + count));
}

/** As if these events of the company, the first being 0, had been written so long ago. */
const age = (tenant: WebhookTenant, places: readonly number[], ago: string) =>
  server.query(
    `update outbox set created_at = now() - $3::interval
       from (select id, row_number() over (order by xact_id, id) - 1 as place from outbox where tenant_id = $1) as placed
      where outbox.tenant_id = $1 and outbox.id = placed.id and placed.place = any ($2::bigint[])`,
    [tenant.tenantId, places, ago],
  );

test('16 writers, three readers of the feed, webhooks, a replay and two workers that make marks: one sequence for each event', async () => {
  const [tenant, noise] = [await addWebhookTenant(server), await addWebhookTenant(server)];
  const receiver = await openReceiver();
  const endpoint = await tenant.add({ url: receiver.url, ordered: false });
  const [writers, each] = [16, 14];
  const count = writers * each;
  const write = async ({ tenantId }: WebhookTenant, writer: number) => {
    for (let nth = 0; nth < each; nth += 1) {
      await server.database.forTenants([tenantId], async (tx) => {
        // steady: the transaction has its id before the event's place, for a while that differs from writer to writer.
        await tx.query('select pg_current_xact_id(), pg_sleep($1)', [((writer + nth) % 5) / 200]);
        const id = newId();
        const isTest = writer === 0;
        const event = { tenantId, subjectId: id, creditReportId: id, isTest, amount: 5 };
        await appendEvents(tx, [{ ...event, type: 'report.completed' }]);
        // steady: and commits a while later, which differs too.
        await tx.query('select pg_sleep($1)', [((writer * 7) % 5) / 200]);
      });
    }
  };
  let isWritten = false;
  const mark = () =>
    eventually(
      async () => {
        await markEvents(server.database);
        expect(isWritten).toBe(true);
      },
      { limitMs: 60_000 },
    );
  const writing = Promise.all([...upTo(writers).map((writer) => write(tenant, writer - 1)), write(noise, 1)]).finally(
    () => {
      isWritten = true;
    },
  );
  const [feed, large, live] = await Promise.all([
    readUntil(tenant, count),
    readUntil(tenant, count, '?limit=200'),
    readUntil(tenant, count - each, '?limit=200&test=false'),
    writing,
    mark(),
    mark(),
  ]);
  const sequences = byId(feed);
  await grave('events', () => expect(sequencesOf(feed)).toEqual(upTo(count)));
  await grave('events', () => expect(large).toEqual(feed));
  // With a filter there are gaps, and nothing else changes.
  expect(live).toHaveLength(count - each);
  for (const { id, sequence } of live) expect(sequence).toBe(sequences.get(id));
  const newest = await readUntil(tenant, count, '?order=newest&limit=41');
  expect(newest.toReversed()).toEqual(feed);

  const arrived = () => receiver.received.map(({ event }) => event);
  const unsettled = `select from webhook_deliveries where endpoint_id = $1 and state <> 'delivered'`;
  await eventually(
    async () => {
      expect(byId(arrived()).size).toBe(count - each);
      expect(await server.query(unsettled, [endpoint.id])).toEqual([]);
    },
    { limitMs: 60_000 },
  );
  await grave('events', () => {
    for (const { id, sequence } of arrived()) expect(sequence).toBe(sequences.get(id));
  });
  receiver.received.length = 0;
  expect((await tenant.call('POST', `/${endpoint.id}/replay`, { since: '2026-01-01' })).status).toBe(200);
  await eventually(() => expect(byId(arrived()).size).toBe(count - each), { limitMs: 60_000 });
  await grave('events', () => {
    for (const { id, sequence } of arrived()) expect(sequence).toBe(sequences.get(id));
  });
}, 120_000);

test('marks are never far: one at every hundredth event, and none is needed for the numbers', async () => {
  const tenant = await addWebhookTenant(server);
  const marks = () =>
    server.query(
      `select sequence::integer, (select count(*)::integer from outbox
                                   where tenant_id = $1 and (xact_id, id) <= (mark.xact_id, mark.event)) as place
         from event_marks as mark where tenant_id = $1 order by sequence`,
      [tenant.tenantId],
    );
  for (const count of [150, 99, 1, 70, 5]) await happenRead(tenant, count);
  await eventually(async () => {
    await markEvents(server.database);
    expect(await marks()).toEqual([100, 200, 300].map((sequence) => ({ sequence, place: sequence })));
  });
  const numbered = await readUntil(tenant, 325, '?limit=200');
  expect(sequencesOf(numbered)).toEqual(upTo(325));
  await server.query('delete from event_marks where tenant_id = $1', [tenant.tenantId]);
  expect(await readUntil(tenant, 325, '?limit=50')).toEqual(numbered);
});

test('in the middle of 30,000 events the next mark is found and counted from within a few pages, by either role', async () => {
  const { tenantId } = await addWebhookTenant(server);
  // 300 old transactions of 100 events. A database server has had more by the time it can be asked.
  await server.query(
    `insert into outbox (tenant_id, type, subject_id, xact_id)
     select $1, 'wallet.charged', gen_random_uuid(), (1 + n / 100)::text::xid8 from generate_series(1, 30000) as n`,
    [tenantId],
  );
  await server.query(`update event_marking set xact_id = '0', event = 0`);
  await markEvents(server.database);
  await server.query('vacuum analyze outbox');
  const [middle] = await server.query<{ xact: string; id: number }>(
    `select xact_id::text as xact, id::integer as id from outbox where tenant_id = $1 order by xact_id, id offset 15049 limit 1`,
    [tenantId],
  );
  type Plan = { 'Shared Hit Blocks': number; 'Shared Read Blocks': number };
  const look = async (tx: Tx) => {
    const place = [tenantId, middle?.xact, middle?.id];
    const count = 'select event_count($1::uuid, $2::xid8, $3::bigint) as count';
    const [counted] = (await tx.query<{ count: number }>(count, place)).rows;
    const told = await tx.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
      `explain (analyze, buffers, format json) ${count}`,
      place,
    );
    const { 'Shared Hit Blocks': hit = 0, 'Shared Read Blocks': read = 0 } = told.rows[0]?.['QUERY PLAN'][0].Plan ?? {};
    return [counted?.count, hit + read < 60 ? 'few' : hit + read];
  };
  expect(await server.database.forTenants([tenantId], look)).toEqual([15_050, 'few']);
  expect(await server.database.asSystem(look)).toEqual([15_050, 'few']);
});

test('events that are deleted by age stay counted, with marks and without, in batches, and when none is left', async () => {
  const [tenant, other] = [await addWebhookTenant(server), await addWebhookTenant(server)];
  await happenRead(tenant, 250);
  await happenRead(other, 3);
  // What other tests left in front would wait for its time, and these behind it.
  await server.query(`delete from outbox where tenant_id <> all ($1)`, [[tenant.tenantId, other.tenantId]]);
  for (const gone of [30, 100, 120]) {
    const kept = (await readUntil(tenant, 1, '?limit=200')).slice(gone);
    await age(tenant, upTo(gone - 1, 0), '31 days');
    expect(await forgetNow(server.database.jobs, [OUTBOX])).toBe(gone);
    await grave('events', async () =>
      expect(await readUntil(tenant, kept.length, '?limit=200')).toEqual(expect.arrayContaining(kept)),
    );
    await markEvents(server.database);
  }
  expect(await fromTheOldest(tenant)).toEqual([]);
  await happenRead(tenant, 2);
  await grave('events', async () => expect(await fromTheOldest(tenant)).toEqual([251, 252]));
  expect(await fromTheOldest(other)).toEqual([1, 2, 3]);
  // One mark remembers what was deleted.
  expect(await server.query('select from event_marks where tenant_id = $1', [tenant.tenantId])).toHaveLength(1);
});

test('an event that is due waits for an earlier one of its company that is not: neither gets another number', async () => {
  const tenant = await addWebhookTenant(server);
  await happenRead(tenant, 5);
  await server.query(`delete from outbox where tenant_id <> $1`, [tenant.tenantId]);
  await age(tenant, [0, 2, 3], '31 days');
  expect(await forgetNow(server.database.jobs, [OUTBOX])).toBe(1);
  expect(await fromTheOldest(tenant)).toEqual([2, 3, 4, 5]);
  // A worker of the release before does not wait: what it deletes is counted, and later events keep their numbers.
  await server.query(`delete from outbox where created_at < now() - interval '30 days'`);
  await happenRead(tenant, 1);
  const [newest] = (await readPage(tenant, '?order=newest&limit=1')).items;
  await grave('events', () => expect(newest?.sequence).toBe(6));
  await age(tenant, [0], '31 days');
  expect(await forgetNow(server.database.jobs, [OUTBOX])).toBe(1);
  await grave('events', async () => expect(await fromTheOldest(tenant)).toEqual([5, 6]));
});

test('the statements of the guide to a restore move all sequences on alike, also those of companies without a mark', async () => {
  const [many, few] = [await addWebhookTenant(server), await addWebhookTenant(server)];
  await happenRead(many, 120);
  await happenRead(few, 2);
  await markEvents(server.database);
  for (const statement of readGuideStatements()) await server.query(statement);
  await happenRead(many, 1);
  expect(await fromTheOldest(many)).toEqual(upTo(1_000_000_121, 1_000_000_001));
  expect(await fromTheOldest(few)).toEqual([1_000_000_001, 1_000_000_002]);
});

test('… and all ids, also when no event is left, and once more for another restore', async () => {
  const tenant = await addWebhookTenant(server);
  const newestId = async () => {
    await happenRead(tenant, 1);
    const [row] = await server.query<{ id: number }>('select max(id)::float8 as id from outbox');
    return row?.id ?? 0;
  };
  let last = await newestId();
  for (const _restore of [1, 2]) {
    await server.query('delete from outbox');
    for (const statement of readGuideStatements()) await server.query(statement);
    const next = await newestId();
    await grave('events', () => expect(next).toBeGreaterThan(last + 999_999_999));
    last = next;
  }
});
