// What the worker and a tenant look for among many deliveries of an endpoint is found by an index. Plans are taken from the statements
// themselves, by running them explained. The controls are statements of an earlier release, which read far more pages. What a
// whole claim costs: claim-cost.test.ts.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '../../src/lib/ids.ts';
import { walkInKeyOrder } from '../../src/lib/postgres/key-order.ts';
import { type Query, sql, type Tx } from '../../src/lib/postgres/sql.ts';
import { claimDeliveries } from '../../src/webhooks/claim-store.ts';
import { listDeliveryPage } from '../../src/webhooks/delivery-log/log-store.ts';
import { endDeliveriesOfDeleted } from '../../src/webhooks/jobs.ts';
import type { DeliveryFilter } from '../../src/webhooks/rules/delivery-filter.ts';
import { startServer, type TestServer } from '../harness.ts';

const MANY = 200_000;
const ENDPOINTS = 1_000;
/** They fail, and each has a hundred deliveries that wait for their next attempt. */
const DEAD = 100;
const DUE = 5;
const PAGE = 50;

let server: TestServer;
const endpointId = newId();

beforeAll(async () => {
  server = await startServer({ environment: { TREFOIL_JOBS: 'off' } });
  const { tenantId } = server.demo;
  const fill = `insert into webhook_deliveries (tenant_id, id, endpoint_id, event_id, event_type, body, attempts_max, state, next_attempt_at)`;
  await server.query('set session_replication_role = replica');
  await server.query(
    `insert into webhook_endpoints (tenant_id, id, sealed_url, host, is_test, is_ordered, sealed_secret, is_proven)
     select $1, id, '', '', false, false, '', true from unnest($2::uuid[]) as id`,
    [tenantId, [endpointId, ...Array.from({ length: ENDPOINTS }, () => newId())]],
  );
  await server.query(`update webhook_endpoints set status = 'disabled', disabled_reason = 'failing' where id = $1`, [
    endpointId,
  ]);
  // Failed are the oldest ten; half of the others wait, due for as long as the endpoint is disabled.
  await server.query(
    `${fill} select $1, ('00000000-0000-7000-8000-' || lpad(to_hex(number), 12, '0'))::uuid, $2, number, '', '', 10,
            case when number <= 10 then 'failed' when number % 2 = 0 then 'pending' else 'delivered' end, now() - interval '1 h'
       from generate_series(1, $3) as number`,
    [tenantId, endpointId, MANY],
  );
  await server.query(
    `${fill} select $1, gen_random_uuid(), id, number, '', '', 10, 'pending',
            now() + case when place <= $4 and number = 1 then interval '-1 s' else interval '1 h' end
       from (select id, row_number() over (order by id) as place from webhook_endpoints where id <> $2) as endpoints,
            generate_series(1, 100) as number where place <= $3`,
    [tenantId, endpointId, DEAD, DUE],
  );
  await server.query('set session_replication_role = origin');
  await server.query('vacuum analyze webhook_deliveries, webhook_endpoints');
}, 120_000);
afterAll(() => server.close());

type Looked = { readonly pages: number; readonly ms: number };

const literal = (value: unknown) => (value === null ? 'null' : `'${String(value).replaceAll("'", "''")}'`);

/** Runs the statement of `work` with its plan told, as a prepared one with a generic plan: how many pages it read. */
async function explain<T>(tx: Tx, work: (tx: Tx) => Promise<T>): Promise<Looked & { readonly found: T }> {
  let seen: Looked | undefined;
  await tx.query('set local plan_cache_mode = force_generic_plan', []);
  const query = async ({ text, values }: Query) => {
    type Plan = { 'Shared Hit Blocks': number; 'Shared Read Blocks': number };
    type Row = { 'QUERY PLAN': { Plan: Plan; 'Execution Time': number }[] };
    await tx.query(`prepare explained as ${text}`, []);
    const explained = await tx.query<Row>(
      `explain (analyze, buffers, format json) execute explained (${values.map(literal).join(', ')})`,
      [],
    );
    await tx.query('deallocate explained', []);
    const [told] = explained.rows[0]?.['QUERY PLAN'] ?? [];
    if (!told) throw new Error('there is no plan');
    const { 'Shared Hit Blocks': hit, 'Shared Read Blocks': read } = told.Plan;
    seen = { pages: hit + read, ms: told['Execution Time'] };
    return tx.query(text, values);
  };
  const found = await work({ query } as Tx);
  if (!seen) throw new Error('there was no statement');
  return { ...seen, found };
}

const asTenant = (work: (tx: Tx) => Promise<unknown>) =>
  server.database.forTenants([server.demo.tenantId], (tx) => explain(tx, work));

const ALL: DeliveryFilter = { state: undefined, types: null, from: undefined, to: undefined, exceptId: null };

/** As a request reads it: what was looked at, and what was found. */
async function readPage(changes: Partial<DeliveryFilter>, size: number) {
  const window = { endpointId, fromId: undefined, beforeId: undefined, size };
  const { tenantId } = server.demo;
  const { pages, found } = await server.database.forTenants([tenantId], async (tx) => {
    await walkInKeyOrder(tx);
    return explain(tx, (explained) => listDeliveryPage(explained, tenantId, { ...ALL, ...changes }, window, PAGE));
  });
  return { ...found, pages };
}

test.each([
  ['failed', 10],
  ['pending', PAGE],
  ['delivered', PAGE],
  [undefined, PAGE],
] as const)('a page of deliveries, state %s: %i rows are found without a walk', async (state, count) => {
  const { pages, found } = await readPage({ state }, PAGE);
  expect(found).toHaveLength(count);
  expect(pages).toBeLessThan(250);
});

test('a type that no delivery has: as many rows are looked at as one page may, and the look says where it ended', async () => {
  const { pages, found, seenCount, lastId } = await readPage({ types: ['wallet.low'] }, 5_000);
  expect([found, seenCount]).toEqual([[], 5_000]);
  expect(lastId).toBe(`00000000-0000-7000-8000-${(MANY - 4_999).toString(16).padStart(12, '0')}`);
  expect(pages).toBeLessThan(1_000);
});

test('the control: the state as a filter walks through all deliveries of the endpoint', async () => {
  const { pages } = await asTenant((tx) =>
    tx.query(sql`
      select id from webhook_deliveries
       where tenant_id = ${server.demo.tenantId} and endpoint_id = ${endpointId} and state = coalesce(${'failed'}, state)
       order by id desc limit ${PAGE}`),
  );
  expect(pages).toBeGreaterThan(1_500);
});

const CLAIM = {
  ...{ isProven: true, limit: 100, perEndpoint: 4, perTenant: 100, leaseSeconds: 45 },
  taken: new Map<string, number>(),
};

test('what waits for deleted endpoints ends, in batches', async () => {
  // All that fail but those that are due: 95 with a hundred deliveries each.
  const deleted = await server.query<{ id: string }>(
    `update webhook_endpoints set status = 'deleted', deleted_at = now()
      where id in (select endpoint_id from webhook_deliveries where endpoint_id <> $1 group by endpoint_id
                   having min(next_attempt_at) > now()) returning id`,
    [endpointId],
  );
  expect(deleted).toHaveLength(DEAD - DUE);
  const count = () =>
    server.query(
      `select state, count(*)::int as count, bool_and((settled_at is null) = (state = 'pending')) as "isWhole"
         from webhook_deliveries where endpoint_id = any ($1) group by state`,
      [deleted.map(({ id }) => id)],
    );
  expect(await count()).toEqual([{ state: 'pending', count: 9_500, isWhole: true }]);

  expect(await endDeliveriesOfDeleted(server.database)).toBe(9_500);
  expect(await count()).toEqual([{ state: 'failed', count: 9_500, isWhole: true }]);
  expect(await endDeliveriesOfDeleted(server.database)).toBe(0);
  // A disabled endpoint may be enabled again: what waits for it still waits.
  const [waiting] = await server.query<{ count: number }>(
    `select count(*)::int as count from webhook_deliveries where endpoint_id = $1 and state = 'pending'`,
    [endpointId],
  );
  expect(waiting?.count).toBe(MANY / 2 - 5);
});

test('events that wait for earlier ones of their reports cost a claim nothing, however many there are', async () => {
  await server.query('truncate webhook_deliveries, webhook_attempts');
  await server.query(`update webhook_endpoints set status = 'enabled', disabled_reason = null, deleted_at = null`);
  const claim = () =>
    server.database.asSystem((tx) =>
      explain(tx, (each) => claimDeliveries(each, [{ endpointId, count: 4 }], { ...CLAIM, limit: 4 })),
    );
  /** 20,000 reports: the first event of each is attempted again in an hour, nine wait behind it. */
  const fill = (nextAttemptAt: string) =>
    server.query(
      `insert into webhook_deliveries (tenant_id, id, endpoint_id, event_id, event_type, body, attempts_max, credit_report_id,
                                       place_xact_id, place_event, next_attempt_at)
       select $1, gen_random_uuid(), $2, gen_random_uuid(), '', '', 10, report, '1', place,
              case when place = 1 then now() + interval '1 h' else ${nextAttemptAt} end
         from (select gen_random_uuid() as report from generate_series(1, 20000)) as reports, generate_series(1, 10) as place`,
      [server.demo.tenantId, endpointId],
    );
  const without = await claim();
  await fill(`'infinity'`);
  await server.query('vacuum analyze webhook_deliveries');
  const among = await claim();
  expect(among.found).toEqual([]);
  expect(among.pages).toBeLessThanOrEqual(2 * without.pages + 10);
  // The control: as in an earlier release, where all of them were due and each was looked at.
  await server.query('truncate webhook_deliveries, webhook_attempts');
  await fill(`now() - interval '1 s'`);
  await server.query('vacuum analyze webhook_deliveries');
  const control = await server.database.asSystem((tx) =>
    explain(tx, (each) =>
      each.query(sql`
        select id from webhook_deliveries as waiting
         where endpoint_id = ${endpointId} and state = 'pending' and next_attempt_at <= statement_timestamp()
           and not exists (select from webhook_deliveries as earlier
                            where earlier.endpoint_id = ${endpointId} and earlier.state = 'pending'
                              and earlier.credit_report_id = waiting.credit_report_id
                              and (earlier.place_xact_id, earlier.place_event) < (waiting.place_xact_id, waiting.place_event))
         order by next_attempt_at limit 4`),
    ),
  );
  expect(control.pages).toBeGreaterThan(1_000);
}, 120_000);
