// One event by its id: what the feed shows of it, to those to whom the feed shows it.
import { SCOPES } from '@trefoil/contract';
import type { Event } from '@trefoil/sdk';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../../../tools/testing/eventually.ts';
import { appendEvents } from '../../src/events/append-events.ts';
import { findReadable } from '../../src/events/feed-store.ts';
import { markEvents } from '../../src/events/mark-events.ts';
import { type EventNames, readNames } from '../../src/events/name-events.ts';
import { createCredential } from '../../src/identity/credentials/change-credential.ts';
import { newId } from '../../src/lib/ids.ts';
import { walkInKeyOrder } from '../../src/lib/postgres/key-order.ts';
import type { Query, Tx } from '../../src/lib/postgres/sql.ts';
import { startServer, type TestServer } from '../harness.ts';
import { grave } from '../support/grave.ts';
import { addLiveReport } from '../support/money-states.ts';
import { addPerson, addTenantWithOwner, type CallReply, callAs } from '../support/people.ts';
import { goodClaims, signToken } from '../support/tokens.ts';

let server: TestServer;
let names: EventNames;
beforeAll(async () => {
  server = await startServer({ environment: { TREFOIL_JOBS: 'off' } });
  names = await server.database.asSystem(readNames);
});
afterAll(() => server.close());

type Reader = { readonly token: string };

function publicId(id: number): string {
  const event = { id, createdAt: new Date() };
  return names.idsOf([event])(event);
}

const read = (reader: Reader, tenantId: string, id: string) =>
  callAs(server, reader, 'GET', `/${tenantId}/v1/events/${id}`);

/** All events of the tenant as this reader sees them, once there are so many. */
const feed = (reader: Reader, tenantId: string, count: number): Promise<Event[]> =>
  eventually(async () => {
    const { data } = await callAs(server, reader, 'GET', `/${tenantId}/v1/events?limit=200`);
    const items = data['items'] as Event[];
    expect(items).toHaveLength(count);
    return items;
  });

const insert = (tenantId: string, type: string, changes: { reportId?: string; isTest?: boolean } = {}) =>
  server.query(
    `insert into outbox (tenant_id, type, subject_id, credit_report_id, is_test, amount)
     values ($1, $2, $3, $3, $4, 0)`,
    [tenantId, type, changes.reportId ?? newId(), changes.isTest ?? false],
  );

test('each event is read as the list has it, with its reference for readers of reports alone', async () => {
  const { tenantId, owner } = await addTenantWithOwner(server);
  const state = { status: 'failed', failure: 'interrupted', reference: 'order-4711' } as const;
  await insert(tenantId, 'report.failed', { reportId: await addLiveReport(server, tenantId, state) });
  await insert(tenantId, 'report.completed', { isTest: true });
  await insert(tenantId, 'wallet.charged');
  const narrow = await addPerson(server, tenantId, 'developer', { scope: 'events:read' });
  const references: unknown[] = [];
  for (const reader of [owner, narrow]) {
    const items = await feed(reader, tenantId, 3);
    for (const event of items) expect((await read(reader, tenantId, event.id)).data).toEqual(event);
    references.push(items[0]?.data.externalReference);
  }
  expect(references).toEqual(['order-4711', undefined]);
});

test('404 not-found: of another tenant, of live mode for a test-only credential, not public, not yet readable, no id', async () => {
  const [own, other] = [await addTenantWithOwner(server), await addTenantWithOwner(server)];
  const { tenantId, owner } = own;
  await insert(tenantId, 'report.completed');
  await insert(tenantId, 'report.completed', { isTest: true });
  await insert(tenantId, 'report.read');
  await insert(other.tenantId, 'report.completed');
  const [live, inTest] = await feed(owner, tenantId, 2);
  const [foreign] = await feed(other.owner, other.tenantId, 1);
  if (!live || !inTest || !foreign) throw new Error('events are missing');

  const credential = await server.database.asSystem((tx) =>
    createCredential(tx, {
      ...{ tenantId, name: 'Bench', ownerUserId: owner.userId, scopes: ['events:read'], isTestOnly: true },
    }),
  );
  const claims = goodClaims(server, { ...server.demo, tenantId, clientId: credential.clientId });
  const bench = { token: await signToken(server, { ...claims, scope: SCOPES.join(' ') }) };
  expect((await read(bench, tenantId, inTest.id)).data).toEqual(inTest);

  const [hidden] = await server.query<{ id: string }>(
    `select id from outbox where tenant_id = $1 and type = 'report.read'`,
    [tenantId],
  );
  const none = [publicId(Number(hidden?.id)), publicId(2 ** 48 - 1), 'evt_', 'x', live.id.toUpperCase()];
  const asked: [Reader, string][] = [
    [bench, live.id],
    [owner, foreign.id],
    ...none.map((id): [Reader, string] => [owner, id]),
  ];
  const replies: CallReply[] = [];
  for (const [reader, id] of asked) replies.push(await read(reader, tenantId, id));
  await grave('another tenant', () => expect(replies.map(({ status }) => status)).toEqual(asked.map(() => 404)));
  expect(new Set(replies.map(({ code }) => code))).toEqual(new Set(['not-found']));

  const id = newId();
  let early: string | undefined;
  await server.database.forTenants([tenantId], async (running) => {
    await appendEvents(running, [{ tenantId, type: 'report.completed', subjectId: id, creditReportId: id, amount: 5 }]);
    // Committed, but the feed does not have it before the running transaction has ended.
    await insert(tenantId, 'report.blocked');
    const [row] = await server.query<{ id: string }>(
      `select id from outbox where tenant_id = $1 and type = 'report.blocked'`,
      [tenantId],
    );
    early = publicId(Number(row?.id));
    expect((await read(owner, tenantId, early)).status).toBe(404);
  });
  await eventually(async () => expect((await read(owner, tenantId, early ?? '')).status).toBe(200));
});

test('every event is found where transactions overtook each other, and in the middle of a large one', async () => {
  const { tenantId, owner } = await addTenantWithOwner(server);
  // Places in the order of their numbers, but each block of sixteen backwards; then one transaction with thousands. A database
  // server has had about 700 by the time it can be asked.
  await server.query(
    `insert into outbox (tenant_id, type, subject_id, amount, id, xact_id) overriding system value
     select $1::uuid, 'wallet.charged', gen_random_uuid(), 5, 1000 + n, (10 + (n / 16) * 16 + 15 - n % 16)::text::xid8
       from generate_series(0, 479) as n
     union all
     select $1::uuid, 'wallet.charged', gen_random_uuid(), 5, 2000 + n, '500'::xid8 from generate_series(1, 5000) as n
     union all
     select $1::uuid, 'wallet.charged', gen_random_uuid(), 5, 8000 + n, (500 + n)::text::xid8 from generate_series(1, 50) as n`,
    [tenantId],
  );
  const there = [...Array.from({ length: 160 }, (_, n) => 1_000 + 3 * n), 2_001, 4_500, 7_000, 8_001, 8_050];
  const missed: number[] = [];
  for (const number of there) {
    const { status } = await read(owner, tenantId, publicId(number));
    if (status !== 200) missed.push(number);
  }
  expect(missed).toEqual([]);
  for (const number of [999, 1_480, 7_001, 9_000]) {
    expect((await read(owner, tenantId, publicId(number))).status).toBe(404);
  }
});

test('what it costs does not grow with the events, neither its own nor those of others', async () => {
  const tenants = [
    await addTenantWithOwner(server),
    await addTenantWithOwner(server),
    await addTenantWithOwner(server),
  ];
  const ids = tenants.map(({ tenantId }) => tenantId);
  await server.query(
    `insert into outbox (tenant_id, type, subject_id, amount, id, xact_id) overriding system value
     select tenant_id, 'wallet.charged', gen_random_uuid(), 5, 10000 + n, (100 + n / 50)::text::xid8
       from unnest($1::uuid[]) as tenant_id, generate_series(1, 20000) as n`,
    [ids],
  );
  // Its sequence is counted from the last mark.
  await markEvents(server.database);
  type Plan = { 'Shared Hit Blocks': number; 'Shared Read Blocks': number };
  let pages = 0;
  for (const tenantId of ids) {
    await server.database.forTenants([tenantId], async (tx) => {
      await walkInKeyOrder(tx);
      const query = async ({ text, values }: Query) => {
        const told = await tx.query<{ 'QUERY PLAN': { Plan: Plan }[] }>(
          `explain (analyze, buffers, format json) ${text}`,
          values,
        );
        const plan = told.rows[0]?.['QUERY PLAN'][0]?.Plan;
        pages += (plan?.['Shared Hit Blocks'] ?? 0) + (plan?.['Shared Read Blocks'] ?? 0);
        return tx.query(text, values);
      };
      expect(await findReadable({ query } as Tx, tenantId, 25_000)).toMatchObject({ id: 25_000, tenantId });
    });
  }
  // About forty for the search and sixty for the look around, of a thousand that each tenant has.
  expect(pages / ids.length).toBeLessThan(250);
});
