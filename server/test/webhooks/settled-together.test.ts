// Accepted attempts of several tenants share a transaction. Those that change more than their delivery, that meet a lock, or that
// were overtaken do not hold up the others, and end as if each had been settled by itself.
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSecretSeal } from '../../src/lib/crypto/secret-seal.ts';
import { newId } from '../../src/lib/ids.ts';
import { createLog } from '../../src/lib/log.ts';
import type { Database } from '../../src/lib/postgres/database.ts';
import type { Claimed } from '../../src/webhooks/claim-store.ts';
import { BUDGETS } from '../../src/webhooks/rules/budgets.ts';
import { createSettler } from '../../src/webhooks/settling/settle-together.ts';
import type { TestServer } from '../harness.ts';
import { grave } from '../support/grave.ts';
import { addWebhookTenant, startWebhookServer } from '../support/webhooks.ts';

const TENANTS = 3;
const EACH = 4;

let server: TestServer;
beforeAll(async () => {
  server = await startWebhookServer({ environment: { TREFOIL_JOBS: 'off' } });
});
afterAll(() => server.close());

/** Deliveries as a claim leaves them: each tenant has one endpoint whose last attempt was accepted. */
async function claimSome(): Promise<Claimed[]> {
  const claimed: Claimed[] = [];
  for (let number = 0; number < TENANTS; number += 1) {
    const { tenantId, ...tenant } = await addWebhookTenant(server);
    const { id: endpointId } = await tenant.add({ url: 'http://127.0.0.1:1024/' });
    await server.query('update webhook_endpoints set is_proven = true where id = $1', [endpointId]);
    claimed.push(
      ...(await server.query<Claimed>(
        `insert into webhook_deliveries (tenant_id, id, endpoint_id, event_id, event_type, body, attempts, attempts_max, fence,
                                         leased_until, next_attempt_at)
         select $1, gen_random_uuid(), $2, 'evt_' || number, '', '{}', 1, 10, 7, now() + interval '45 s', now() + interval '45 s'
           from generate_series(1, $3) as number
         returning tenant_id as "tenantId", id, endpoint_id as "endpointId", fence, attempts, attempts_max as "attemptsMax",
                   (select sealed_url from webhook_endpoints where id = endpoint_id) as "sealedUrl", '127.0.0.1' as host,
                   1000000 as accepted`,
        [tenantId, endpointId, EACH],
      )),
    );
  }
  return claimed;
}

const AROUND = { listPeople: async () => [], log: createLog('silent'), budgets: BUDGETS };

/** Counts transactions. */
function openSettler() {
  const seen = { transactions: 0 };
  const database: Database = {
    asSystem: server.database.jobs.asSystem,
    forTenants(tenantIds, work) {
      seen.transactions += 1;
      return server.database.jobs.forTenants(tenantIds, work);
    },
  };
  const seal = createSecretSeal(server.config.vaultKeys);
  return { seen, settle: createSettler({ ...AROUND, database, seal }) };
}

const accepted = () => ({
  ...{
    id: newId(),
    startedAt: new Date(),
    timeTakenMs: 5,
    status: 204,
    answer: 'thanks',
    place: undefined,
    isStranger: false,
  },
  verdict: { kind: 'delivered' } as const,
});

/** Once all are settled: none is lost, and none has an attempt twice. */
async function expectStates(claimed: readonly Claimed[], states: readonly object[]): Promise<void> {
  const found = await server.query(
    `select state, count(*)::int as deliveries, sum(attempts)::int as attempts, bool_and(sealed) as "areSealed"
       from (select state, (select count(*) from webhook_attempts where delivery_id = webhook_deliveries.id) as attempts,
                    (select bool_and(length(sealed_answer) > 20 and status = 204 and error is null) from webhook_attempts
                      where delivery_id = webhook_deliveries.id) as sealed
               from webhook_deliveries where id = any ($1)) as each group by state order by state`,
    [claimed.map(({ id }) => id)],
  );
  await grave('deliveries that were settled', () => expect(found).toEqual(states));
}

test('twelve accepted attempts of three tenants: one transaction, and each has its attempt', async () => {
  const { settle, seen } = openSettler();
  const claimed = await claimSome();
  const outcomes = await Promise.all(claimed.map((each) => settle(each, accepted())));
  expect(outcomes).toEqual(claimed.map(() => 'delivered'));
  expect(seen.transactions).toBe(1);
  await expectStates(claimed, [{ state: 'delivered', deliveries: 12, attempts: 12, areSealed: true }]);
});

test('one that was claimed anew, and four of an endpoint that failed meanwhile, end as if each were alone', async () => {
  const { settle, seen } = openSettler();
  const claimed = await claimSome();
  const [overtaken] = claimed;
  const failing = claimed.at(-1)?.endpointId;
  await server.query('update webhook_deliveries set fence = 8 where id = $1', [overtaken?.id]);
  await server.query(
    'update webhook_endpoints set failures = 1, failing_since = now(), is_proven = false where id = $1',
    [failing],
  );
  const outcomes = await Promise.all(claimed.map((each) => settle(each, accepted())));
  expect(outcomes).toEqual(claimed.map((each) => (each === overtaken ? undefined : 'delivered')));
  expect(seen.transactions).toBe(1 + 1 + EACH);
  await expectStates(claimed, [
    { state: 'delivered', deliveries: 11, attempts: 11, areSealed: true },
    { state: 'pending', deliveries: 1, attempts: 1, areSealed: true },
  ]);
  expect(
    await server.query('select failures, failing_since, is_proven from webhook_endpoints where id = $1', [failing]),
  ).toEqual([{ failures: 0, failing_since: null, is_proven: true }]);
});

test('a delivery that another transaction holds is waited for alone', async () => {
  const { settle } = openSettler();
  const claimed = await claimSome();
  const [held] = claimed;
  const member = new Client({ connectionString: server.config.database.ownerUrl });
  await member.connect();
  try {
    await member.query('begin');
    await member.query('select from webhook_deliveries where id = $1 for update', [held?.id]);
    const [first, ...others] = claimed.map((each) => settle(each, accepted()));
    expect(await Promise.all(others)).toEqual(others.map(() => 'delivered'));
    await member.query('commit');
    expect(await first).toBe('delivered');
  } finally {
    await member.end();
  }
  await expectStates(claimed, [{ state: 'delivered', deliveries: 12, attempts: 12, areSealed: true }]);
});

test('a transaction that fails, or whose outcome is unknown, loses nothing and adds no attempt twice', async () => {
  const claimed = await claimSome();
  const seal = createSecretSeal(server.config.vaultKeys);
  let calls = 0;
  const database: Database = {
    asSystem: server.database.jobs.asSystem,
    async forTenants(tenantIds, work) {
      calls += 1;
      const result = await server.database.jobs.forTenants(tenantIds, work);
      if (calls === 1) throw new Error('the connection broke while a commit was under way');
      return result;
    },
  };
  const settle = createSettler({ ...AROUND, database, seal });
  await Promise.all(claimed.map((each) => settle(each, accepted())));
  expect(calls).toBe(1 + claimed.length);
  await expectStates(claimed, [{ state: 'delivered', deliveries: 12, attempts: 12, areSealed: true }]);
});
