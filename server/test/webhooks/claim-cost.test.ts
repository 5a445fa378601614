// What a claim costs does not grow with the number of endpoints and companies, nor with deliveries that cannot be claimed, and what enabling an
// endpoint and listing endpoints cost not with what waits there: bars on ratios of times and of pages read (docs/decisions/0276-endpoints-have-turns.md,
// 0290-enabling-costs-what-was-attempted.md). With TREFOIL_TEST_EXPLAIN=1 it prints the plans.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql, type Tx } from '../../src/lib/postgres/sql.ts';
import { claimInTurn } from '../../src/webhooks/claim-in-turn.ts';
import { enableEndpoint } from '../../src/webhooks/enable-endpoint.ts';
import { listEndpoints } from '../../src/webhooks/endpoint-store.ts';
import { BUDGETS } from '../../src/webhooks/rules/budgets.ts';
import { wakeEndpoints } from '../../src/webhooks/turn-store.ts';
import { startServer, type TestServer } from '../harness.ts';
import { countingPages } from '../support/pages.ts';

const BLOCKED = 1_000_000;
const ROUNDS = 41;
/** Places that are free at once while a node is busy: as many endpoints are due in the small installation. */
const PLACES = 40;

let server: TestServer;
beforeAll(async () => {
  server = await startServer({ environment: { TREFOIL_JOBS: 'off' } });
});
afterAll(() => server.close());

/** Each tenant has five endpoints: something is due for every other one, and waits for its next attempt at the rest. */
async function fill(tenants: number): Promise<void> {
  await server.query('truncate webhook_endpoints, webhook_deliveries, webhook_attempts, webhook_turns, webhook_hosts');
  await server.query(
    `with added as (insert into tenants (id, name) select gen_random_uuid(), 'Cost' from generate_series(1, $1) returning id)
     insert into webhook_endpoints (tenant_id, id, sealed_url, host, is_test, is_ordered, sealed_secret, is_proven)
     select id, gen_random_uuid(), '', number || '.example.com', false, true, '', true from added, generate_series(1, 5) as number`,
    [tenants],
  );
  await server.query(
    `insert into webhook_hosts (tenant_id, host, proven_places, accepted)
     select tenant_id, host, '{192.0.2.1 443}', 1000000 from webhook_endpoints`,
  );
  await server.query(
    `insert into webhook_deliveries (tenant_id, id, endpoint_id, event_id, event_type, body, attempts_max, credit_report_id,
                                     place_xact_id, place_event, next_attempt_at)
     select tenant_id, gen_random_uuid(), id, number, '', '', 10, gen_random_uuid(), '1', 1,
            now() + case when row_number() over (order by id) % 2 = 0 then interval '-1 s' else interval '1 h' end
       from webhook_endpoints, generate_series(1, 1) as number`,
  );
  const ids = await server.query<{ id: string }>('select id from webhook_endpoints');
  await server.database.asSystem((tx) =>
    wakeEndpoints(
      tx,
      ids.map(({ id }) => id),
    ),
  );
  await analyze();
}

const analyze = () =>
  server.query('vacuum analyze webhook_deliveries, webhook_endpoints, webhook_turns, webhook_hosts, tenants');

class Undone extends Error {}

const ORDER = {
  ...{ isProven: true, limit: PLACES, perEndpoint: 4, perTenant: 20, leaseSeconds: 45 },
  taken: new Map<string, number>(),
};

type Work = (tx: Tx) => Promise<unknown>;
const claim: Work = async (tx) => expect((await claimInTurn(tx, ORDER, BUDGETS)).claimed).toHaveLength(PLACES);

/** Nothing of it stays, so that each round finds the same. As the system role, or as the app role of a tenant. */
async function undo(work: Work, tenantId?: string): Promise<void> {
  const { asSystem, forTenants } = server.database;
  const begin = (whole: Work) => (tenantId === undefined ? asSystem(whole) : forTenants([tenantId], whole));
  const undone = begin(async (tx) => {
    await work(tx);
    throw new Undone();
  });
  await expect(undone).rejects.toThrow(Undone);
}

type Cost = { readonly ms: number; readonly pages: number };

async function measure(name: string, work: Work, tenantId?: string): Promise<Cost> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    // Rows that were undone are dead, as in an installation rows are that were changed: vacuum takes them away.
    if (round % 10 === 0)
      await server.query('vacuum webhook_turns, webhook_deliveries, webhook_endpoints, webhook_hosts');
    const startedMs = performance.now();
    await undo(work, tenantId);
    times.push(performance.now() - startedMs);
  }
  let pages = 0;
  await undo((tx) => work(countingPages(tx, (count) => (pages += count))), tenantId);
  const ms = times.toSorted((a, b) => a - b)[Math.floor(ROUNDS / 2)] ?? 0;
  console.log(`${name}: ${ms.toFixed(1)} ms, ${pages} pages`);
  return { ms, pages };
}

test('10,000 endpoints of 2,000 companies, half of them due: at most three times what 100 endpoints cost', async () => {
  /** The control: as when a claim chooses among all that are due. */
  const control: Work = (tx) =>
    tx.query(
      sql`select endpoint_id from webhook_looks(array(select id from webhook_endpoints)) where look_at <= now() order by random() limit ${PLACES}`,
    );
  await fill(20);
  const few = await measure('a claim among 100 endpoints', claim);
  const controlFew = await measure('control', control);
  await fill(2_000);
  const many = await measure('a claim among 10,000 endpoints', claim);
  const controlMany = await measure('control', control);
  expect(many.ms).toBeLessThanOrEqual(3 * few.ms);
  expect(many.pages).toBeLessThanOrEqual(3 * few.pages);
  expect(controlMany.ms).toBeGreaterThan(3 * controlFew.ms);
}, 300_000);

test('1,000,000 deliveries that wait for earlier ones: a claim costs at most twice what it does without them, and so do enabling and listing their endpoints', async () => {
  await fill(20);
  const without = await measure('a claim with nothing blocked', claim);
  const [endpoint = { id: '', tenantId: '' }] = await server.query<{ id: string; tenantId: string }>(
    `select id, tenant_id as "tenantId" from webhook_endpoints
      where tenant_id = (select tenant_id from webhook_endpoints order by id limit 1)`,
  );
  const enable: Work = (tx) => enableEndpoint(tx, endpoint.tenantId, endpoint.id, true);
  const enabled = await measure('enabling an endpoint', enable, endpoint.tenantId);
  const list: Work = (tx) => listEndpoints(tx, endpoint.tenantId, { isTestOnly: false }, 20);
  const listed = await measure('listing the endpoints', list, endpoint.tenantId);
  // Of one company, for all its endpoints; the first event of each report waits for its next attempt, and its last one was given up while
  // the endpoint did not fail.
  await server.query('set session_replication_role = replica');
  await server.query(
    `insert into webhook_deliveries (tenant_id, id, endpoint_id, event_id, event_type, body, attempts_max, credit_report_id,
                                     place_xact_id, place_event, next_attempt_at, state, settled_at)
     select tenant_id, gen_random_uuid(), id, report || ' ' || place, '', '', 10, report, '1', place,
            case when place = 1 then now() + interval '1 h' when place < 12 then 'infinity' else now() end,
            case when place < 12 then 'pending' else 'failed' end, case when place = 12 then now() end
       from (select tenant_id, id from webhook_endpoints
              where tenant_id = (select tenant_id from webhook_endpoints order by id limit 1)) as endpoint,
            lateral (select gen_random_uuid() as report from generate_series(1, $1::int / 50) where id is not null) as reports,
            generate_series(1, 12) as place`,
    [BLOCKED],
  );
  await server.query('set session_replication_role = origin');
  await analyze();
  const [blocked] = await server.query<{ count: number }>(
    `select count(*)::int as count from webhook_deliveries where next_attempt_at = 'infinity'`,
  );
  expect(blocked?.count).toBe(BLOCKED);
  const enabledAmong = await measure(`enabling one of five with ${BLOCKED} blocked`, enable, endpoint.tenantId);
  expect(enabledAmong.pages).toBeLessThanOrEqual(2 * enabled.pages);
  const listedAmong = await measure(`listing them with ${BLOCKED} blocked`, list, endpoint.tenantId);
  expect(listedAmong.pages).toBeLessThanOrEqual(2 * listed.pages);
  const among = await measure(`a claim with ${BLOCKED} blocked`, claim);
  expect(among.ms).toBeLessThanOrEqual(2 * without.ms);
  expect(among.pages).toBeLessThanOrEqual(2 * without.pages);
}, 600_000);
