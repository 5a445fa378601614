// Claims look at endpoints in turn: none is left out, none comes before all others, and one where nothing can begin keeps nobody waiting.
import { Client } from 'pg';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { eventually } from '../../../tools/testing/eventually.ts';
import { createSecretSeal } from '../../src/lib/crypto/secret-seal.ts';
import { newId } from '../../src/lib/ids.ts';
import { createLog } from '../../src/lib/log.ts';
import { openGuardedLine } from '../../src/lib/outside/guarded-line.ts';
import { NO_TRACES } from '../../src/lib/traces/tracer.ts';
import { openMetrics } from '../../src/open-metrics.ts';
import { claimInTurn } from '../../src/webhooks/claim-in-turn.ts';
import { createDeliverer } from '../../src/webhooks/deliver.ts';
import { createTurnKeeper } from '../../src/webhooks/jobs.ts';
import { BUDGETS } from '../../src/webhooks/rules/budgets.ts';
import { wakeEndpoints } from '../../src/webhooks/turn-store.ts';
import { startServer, type TestServer } from '../harness.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer({ environment: { TREFOIL_JOBS: 'off' } });
});
afterAll(() => server.close());
beforeEach(() => server.query('truncate webhook_endpoints, webhook_deliveries, webhook_attempts, webhook_turns'));

type Row = { readonly tenantId: string; readonly id: string };

/** Proven endpoints of a new tenant, each with so many deliveries that are due. */
async function addEndpoints(count: number, { due = 1, wake = true } = {}): Promise<Row[]> {
  const [tenantId, ids] = [newId(), Array.from({ length: count }, () => newId())];
  await server.query(`insert into tenants (id, name) values ($1, 'Turns')`, [tenantId]);
  await server.query(
    `insert into webhook_endpoints (tenant_id, id, sealed_url, host, is_test, is_ordered, sealed_secret, is_proven)
     select $1, id, '', id, false, false, '', true from unnest($2::uuid[]) as id`,
    [tenantId, ids],
  );
  await server.query(
    `insert into webhook_deliveries (tenant_id, id, endpoint_id, event_id, event_type, body, attempts_max, next_attempt_at)
     select $1, gen_random_uuid(), id, number, '', '', 10, now() - interval '1 min'
       from unnest($2::uuid[]) as id, generate_series(1, $3) as number`,
    [tenantId, ids, due],
  );
  if (wake) await server.database.asSystem((tx) => wakeEndpoints(tx, ids));
  return ids.map((id) => ({ tenantId, id }));
}

/** The endpoints that a claim serves, once for each delivery. */
async function claim(limit: number, order: { readonly isProven?: boolean; readonly taken?: Row[] } = {}) {
  const taken = new Map((order.taken ?? []).map(({ tenantId }) => [tenantId, 19]));
  const { claimed } = await server.database.asSystem((tx) =>
    claimInTurn(
      tx,
      { ...{ isProven: true, limit, perEndpoint: 4, perTenant: 20, leaseSeconds: 45 }, ...order, taken },
      BUDGETS,
    ),
  );
  return claimed.map(({ endpointId }) => endpointId);
}
const countTurns = async (where: string) => (await server.query(`select from webhook_turns where ${where}`)).length;

test('one endpoint of each tenant comes before the second of any, and then those that wait for longest', async () => {
  const many = await addEndpoints(20);
  const others = [...(await addEndpoints(1)), ...(await addEndpoints(1))].map(({ id }) => id);
  const first = await claim(3);
  expect(first.filter((id) => others.includes(id)).toSorted()).toEqual(others.toSorted());
  expect(first).toHaveLength(3);
  const seen = new Set(first);
  for (let round = 0; round < 4; round += 1) for (const id of await claim(5)) seen.add(id);
  expect(seen.size).toBe(many.length + others.length);
  expect(await claim(5)).toEqual([]);
});

test('one with a long queue goes to the end after each of its turns', async () => {
  const [busy] = await addEndpoints(1, { due: 100 });
  const [later] = await addEndpoints(1);
  expect(await claim(2)).toEqual([busy?.id, busy?.id]);
  // Its attempts have ended, and it is woken: the other one comes first all the same.
  await server.query(
    `update webhook_deliveries set leased_until = null, state = 'delivered' where leased_until is not null`,
  );
  await server.database.asSystem((tx) => wakeEndpoints(tx, [busy?.id ?? '']));
  expect(await claim(1)).toEqual([later?.id]);
});

test('a tenant with all its places taken on this node is not looked at; with one left, one endpoint is', async () => {
  const [first, ...rest] = await addEndpoints(3);
  expect(await claim(10, { taken: first ? [first] : [] })).toHaveLength(1);
  expect(await countTurns('look_at <= now()')).toBe(rest.length);
});

test('nothing begins at one that is paused, disabled, of a disabled tenant or has its attempts under way, and its turn is over', async () => {
  const endpoints = await Promise.all(Array.from({ length: 4 }, () => addEndpoints(1)));
  const [paused, disabled, ofDisabled, full] = endpoints.map(([endpoint]) => endpoint ?? { tenantId: '', id: '' });
  await server.query(`update webhook_endpoints set paused_until = now() + interval '1 h' where id = $1`, [paused?.id]);
  await server.query(`update webhook_endpoints set status = 'disabled', disabled_reason = 'requested' where id = $1`, [
    disabled?.id,
  ]);
  await server.query('update tenants set is_enabled = false where id = $1', [ofDisabled?.tenantId]);
  await server.query(
    `insert into webhook_deliveries (tenant_id, id, endpoint_id, event_id, event_type, body, attempts_max, leased_until, next_attempt_at)
     select $1, gen_random_uuid(), $2, 'u' || number, '', '', 10, now() + interval '40 s', now() + interval '40 s'
       from generate_series(1, 4) as number`,
    [full?.tenantId, full?.id],
  );
  expect(await claim(10)).toEqual([]);
  const turns = await server.query(
    `select endpoint_id as id, look_at > now() + interval '59 min' as "isLate" from webhook_turns where look_at > now()`,
  );
  expect(turns).toHaveLength(2);
  expect(turns).toEqual(
    expect.arrayContaining([
      { id: paused?.id, isLate: true },
      { id: full?.id, isLate: false },
    ]),
  );
  expect(await countTurns('true')).toBe(2);
});

test('an endpoint that became unproven is served by the other claim', async () => {
  const [endpoint] = await addEndpoints(1);
  await server.query('update webhook_endpoints set is_proven = false');
  expect(await claim(10)).toEqual([]);
  await server.query('update webhook_turns set look_at = now()');
  expect(await claim(10)).toEqual([]);
  expect(await claim(10, { isProven: false })).toEqual([endpoint?.id]);
});

test('an endpoint that another transaction holds keeps nobody waiting, and a turn that one holds is left to it', async () => {
  const [held] = await addEndpoints(1);
  const [other] = await addEndpoints(1);
  const member = new Client({ connectionString: server.config.database.ownerUrl });
  await member.connect();
  try {
    await member.query('begin');
    await member.query('select from webhook_endpoints where id = $1 for update', [held?.id]);
    expect(await claim(1)).toEqual([]);
    expect(await claim(1)).toEqual([other?.id]);
    await member.query('commit');
    await member.query('begin');
    await member.query('select from webhook_turns for update');
    expect(await claim(1)).toEqual([]);
    await member.query('commit');
  } finally {
    await member.end();
  }
  await server.query('update webhook_turns set look_at = now()');
  expect(await claim(1)).toEqual([held?.id]);
});

test('what is added while a claim moves the turn is not missed', async () => {
  const [endpoint] = await addEndpoints(1);
  let isWoken = false;
  const [adding] = await server.database.asSystem(async (tx) => {
    await claimInTurn(
      tx,
      { isProven: true, limit: 5, perEndpoint: 4, perTenant: 20, leaseSeconds: 45, taken: new Map() },
      BUDGETS,
    );
    // Before the claim commits, on a connection of its own: it waits for the turn.
    const added = server.database.jobs
      .asSystem(async (other) => {
        await other.query(
          `insert into webhook_deliveries (tenant_id, id, endpoint_id, event_id, event_type, body, attempts_max)
           values ($1, gen_random_uuid(), $2, 'later', '', '', 10)`,
          [endpoint?.tenantId, endpoint?.id],
        );
        await wakeEndpoints(other, [endpoint?.id ?? '']);
      })
      .then(() => {
        isWoken = true;
      });
    const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    await eventually(async () => expect(await server.query(waiting)).toHaveLength(1));
    expect(isWoken).toBe(false);
    return [added];
  });
  await adding;
  expect(await claim(5)).toEqual([endpoint?.id]);
});

test('turns where nothing can begin end a lane after five claims in a row: the other lane is served', async () => {
  // Of one tenant, a claim looks at five endpoints; it sees 300, so it thinks that there are more as long as there are.
  const [looked, idleClaims, many] = [5, 5, 400];
  await addEndpoints(many);
  await server.query(`update webhook_endpoints set paused_until = now() + interval '1 h'`);
  const [unproven] = await addEndpoints(1, { wake: false });
  await server.query('update webhook_endpoints set is_proven = false where id = $1', [unproven?.id]);
  await server.database.asSystem((tx) => wakeEndpoints(tx, [unproven?.id ?? '']));
  const line = openGuardedLine({ allowedNetworks: [] });
  const deliverer = createDeliverer({
    ...{ database: server.database, line, budgets: BUDGETS, metrics: openMetrics(), tracer: NO_TRACES },
    ...{ seal: createSecretSeal(server.config.vaultKeys), log: createLog('silent'), now: () => new Date() },
    ...{ describeOf: () => async () => new Map(), listPeople: async () => [] },
  });
  const begun = await deliverer.claim();
  // At once: the end of an attempt would begin another claim.
  await deliverer.close();
  await line.close();
  expect(begun).toBe(1);
  expect(await countTurns('is_proven and look_at <= now()')).toBe(many - looked * idleClaims);
});

test('an endpoint that nobody has woken is found and counted', async () => {
  const metrics: number[] = [];
  const keep = createTurnKeeper(server.database, (count) => metrics.push(count));
  await addEndpoints(2);
  expect(await keep()).toBe(0);
  const forgotten = await addEndpoints(3, { wake: false });
  expect(await keep()).toBe(3);
  expect(metrics).toEqual([0, 3]);
  expect(await countTurns('look_at <= now()')).toBe(2 + forgotten.length);
  expect(await keep()).toBe(0);
});
