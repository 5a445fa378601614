// What an attacker can make of webhooks: a company with twenty endpoints at a stranger's changes them and asks for everything again, over
// two nodes with the budgets of production (docs/decisions/0273-what-a-receiver-gets.md). A minute each:
//   TREFOIL_TEST_AMPLIFIER_SECONDS=60 npx vitest run server/test/webhooks/amplifier.test.ts
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../../../tools/testing/eventually.ts';
import { BUDGETS, ratePerMinute } from '../../src/webhooks/rules/budgets.ts';
import type { TestServer } from '../harness.ts';
import { startDns, type TestDns } from '../support/dns.ts';
import { answer, type Receiver } from '../support/receiver.ts';
import {
  addWebhookTenant,
  type Endpoint,
  makeDue,
  startWebhookServer,
  useReceivers,
  type WebhookTenant,
} from '../support/webhooks.ts';

const SECONDS = Number(process.env['TREFOIL_TEST_AMPLIFIER_SECONDS'] ?? 10);
const ENDPOINTS = 20;

let server: TestServer;
let node: Awaited<ReturnType<TestServer['startNode']>>;
let dns: TestDns;
const openReceiver = useReceivers();
beforeAll(async () => {
  dns = await startDns();
  const overrides = { rests: {}, webhookBudgets: { ...BUDGETS, replaysPerDay: 1_000_000, creationsPerDay: 1_000 } };
  server = await startWebhookServer({ overrides });
  node = await server.startNode({}, overrides);
});
afterAll(async () => {
  await node.close();
  await server.close();
  await dns.stop();
});

type Attack = { readonly tenant: WebhookTenant; readonly endpoints: readonly Endpoint[]; readonly requests: number };

/** Changes every endpoint's address and asks for its events again, for as long as it takes. */
async function attack(urlOf: (index: number, round: number) => string): Promise<Attack> {
  const tenant = await addWebhookTenant(server);
  const endpoints: Endpoint[] = [];
  for (let index = 0; index < ENDPOINTS; index += 1) endpoints.push(await tenant.add({ url: urlOf(index, 0) }));
  await tenant.happen(150);
  const endMs = Date.now() + SECONDS * 1_000;
  let requests = 0;
  for (let round = 1; Date.now() < endMs; round += 1) {
    for (const [index, { id }] of endpoints.entries()) {
      await tenant.call('PATCH', `/${id}`, { url: urlOf(index, round) });
      await tenant.call('POST', `/${id}/replay`, { since: '2026-01-01' });
      requests += 2;
    }
  }
  return { tenant, endpoints, requests };
}

/** The other company's messages go to a path of their own. */
const isOfOther = ({ path }: { readonly path: string }) => path === '/hook/other';

/**
 * Another company at the same host, which has accepted many of its messages: it may send a hundred a second. Tells how late events
 * are, one after the other: the median of ten, or of as many as come before the end.
 */
async function openOther({ url, received }: Receiver): Promise<(isOver?: () => boolean) => Promise<number>> {
  const other = await addWebhookTenant(server);
  await other.add({ url: `${url}/other` });
  const arrive = async (after: number) => {
    const startedMs = Date.now();
    await other.happen(1);
    await eventually(() => expect(received.filter(isOfOther).length).toBe(after + 1), { everyMs: 5 });
    return Date.now() - startedMs;
  };
  await arrive(0);
  const proven = () => server.query('select from webhook_hosts where tenant_id = $1', [other.tenantId]);
  await eventually(async () => expect(await proven()).toHaveLength(1));
  await server.query('update webhook_hosts set accepted = 1000000, next_free_at = now() where tenant_id = $1', [
    other.tenantId,
  ]);
  return async (isOver = () => true) => {
    const delays: number[] = [];
    while (delays.length < 10 || !isOver()) delays.push(await arrive(received.filter(isOfOther).length));
    return delays.toSorted((a, b) => a - b)[Math.floor(delays.length / 2)] ?? 0;
  };
}

/** The attack, with the delays of another company before it and beside it. */
async function attackBeside(receiver: Receiver, urlOf: Parameters<typeof attack>[0]): Promise<Attack> {
  const measure = await openOther(receiver);
  const quietMs = await measure();
  let isOver = false;
  const attacking = attack(urlOf).finally(() => {
    isOver = true;
  });
  const besideMs = await measure(() => isOver);
  const made = await attacking;
  console.log(`the other company's events: ${quietMs} ms, beside the attack ${besideMs} ms`);
  expect(besideMs).toBeLessThan(Math.max(3 * quietMs, quietMs + 500));
  return made;
}

const ofAttack = ({ received }: Receiver) => received.filter((message) => !isOfOther(message)).length;

/** The receiver accepts from now on, and hours pass: every event of every endpoint arrives. */
async function expectNothingLost({ tenant, endpoints }: Attack, receiver: Receiver): Promise<void> {
  receiver.behave(answer(204));
  await eventually(
    async () => {
      await server.query('delete from webhook_uses where tenant_id = $1', [tenant.tenantId]);
      await server.query(
        'update webhook_hosts set next_free_at = now(), accepted = 1000000, paused_until = null, paused_by = null where tenant_id = $1',
        [tenant.tenantId],
      );
      for (const { id } of endpoints) await makeDue(server, id);
      const [count] = await server.query(
        `select count(*)::int as all, count(*) filter (where state = 'delivered')::int as delivered
           from webhook_deliveries where tenant_id = $1`,
        [tenant.tenantId],
      );
      expect(count).toEqual({ all: ENDPOINTS * 150, delivered: ENDPOINTS * 150 });
    },
    { limitMs: 120_000 },
  );
}

test('at one that refuses everything of it: sixty attempts in all; another company there is as fast as before', async () => {
  const victim = await openReceiver((response, message) => response.writeHead(isOfOther(message) ? 204 : 404).end(), {
    host: '127.0.0.71',
  });
  const made = await attackBeside(victim, (index, round) => `${victim.url}/${index}?${round}`);
  const attempts = ofAttack(victim);
  console.log(`${made.requests} requests in ${SECONDS} s: ${attempts} at the victim`);
  expect(attempts).toBeLessThanOrEqual(BUDGETS.unprovenPerHour * 1.1);
  await expectNothingLost(made, victim);
}, 600_000);

test('at twenty names of one address: sixty attempts in all', async () => {
  const victim = await openReceiver(answer(500), { host: '127.0.0.72' });
  for (let index = 0; index < ENDPOINTS; index += 1) {
    await dns.set({ name: `n${index}.example.com`, a: [['127.0.0.72']] });
  }
  const made = await attack((index, round) => `${victim.url.replace('127.0.0.72', `n${index}.example.com`)}?${round}`);
  console.log(`${made.requests} requests in ${SECONDS} s: ${victim.received.length} at the victim`);
  expect(victim.received.length).toBeLessThanOrEqual(BUDGETS.unprovenPerHour * 1.1);
  await expectNothingLost(made, victim);
}, 600_000);

test('at one that accepts: sixty a minute, and those before it had; another company there is as fast as before', async () => {
  const victim = await openReceiver(answer(204), { host: '127.0.0.73' });
  const made = await attackBeside(victim, (index, round) => `${victim.url}/${index}?${round}`);
  const attempts = ofAttack(victim);
  const [proven] = await server.query<{ accepted: number }>('select accepted from webhook_hosts where tenant_id = $1', [
    made.tenant.tenantId,
  ]);
  console.log(`${made.requests} requests in ${SECONDS} s: ${attempts} at the victim`);
  const rate = ratePerMinute(proven?.accepted ?? 0, BUDGETS);
  // Those under way before the first was accepted count as unproven.
  expect(attempts).toBeLessThanOrEqual(ENDPOINTS + 1.1 * rate * Math.max(1, SECONDS / 60));
  await expectNothingLost(made, victim);
}, 600_000);

test('a dead port of a host gets its sixty attempts, and the healthy port of the same company gets everything meanwhile', async () => {
  const place = { host: '127.0.0.74' };
  const [healthy, dead] = [await openReceiver(answer(204), place), await openReceiver(answer(404), place)];
  const tenant = await addWebhookTenant(server);
  // As if the healthy port had accepted so much that what it accepts is not counted any more.
  await server.query(
    `insert into webhook_hosts (tenant_id, host, proven_places, accepted) values ($1, $2, array[$3], 700)`,
    [tenant.tenantId, place.host, `${place.host} ${new URL(healthy.url).port}`],
  );
  await tenant.add({ url: healthy.url });
  const bad: string[] = [];
  for (let count = 0; count < 12; count += 1) bad.push((await tenant.add({ url: `${dead.url}/${count}` })).id);
  await tenant.happen(30);
  const expectHeld = async () => {
    for (const id of bad) {
      const [newest] = await tenant.deliveries(id, '?state=pending&limit=1');
      expect(newest?.waitsFor).toBe('budget');
      expect(Date.parse(newest?.nextAttemptAt ?? '')).toBeGreaterThan(Date.now());
    }
  };
  await eventually(async () => {
    expect(dead.received.length).toBe(BUDGETS.unprovenPerHour);
    await expectHeld();
  });
  await tenant.happen(30);
  await eventually(() => expect(healthy.received.length).toBe(60));
  expect(await server.query('select paused_by from webhook_hosts where tenant_id = $1', [tenant.tenantId])).toEqual([
    { paused_by: null },
  ]);
  await eventually(expectHeld);
  expect(dead.received).toHaveLength(BUDGETS.unprovenPerHour);
});
