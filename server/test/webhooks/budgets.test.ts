// What a receiver gets (docs/decisions/0273-what-a-receiver-gets.md), over two nodes: little until it accepts a message, more step by step
// afterwards, nothing while it asks for a pause; and nothing is lost by waiting.
import { once } from 'node:events';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../../../tools/testing/eventually.ts';
import { openDatabase } from '../../src/lib/postgres/database.ts';
import { forgetNow } from '../../src/lib/postgres/retention.ts';
import { createAdmission } from '../../src/webhooks/budgets/admit-attempt.ts';
import { WEBHOOK_HOSTS } from '../../src/webhooks/budgets/host-store.ts';
import { BUDGETS } from '../../src/webhooks/rules/budgets.ts';
import type { TestServer } from '../harness.ts';
import { makeCertificate } from '../support/certificates.ts';
import { answer, type Receiver } from '../support/receiver.ts';
import {
  addWebhookTenant,
  countNotHandedOut,
  makeDue,
  startWebhookServer,
  useReceivers,
  type WebhookTenant,
  wakeAll,
} from '../support/webhooks.ts';

/** Smaller than in production, where a test would wait for hours. */
const SMALL = {
  ...BUDGETS,
  unprovenPerHour: 12,
  firstOfCompany: 3,
  confirmationsPerHour: 2,
  replaysPerDay: 2,
  creationsPerDay: 5,
  movesPerDay: 3,
};

let server: TestServer;
let node: Awaited<ReturnType<TestServer['startNode']>>;
const openReceiver = useReceivers();
beforeAll(async () => {
  const overrides = { webhookBudgets: SMALL };
  server = await startWebhookServer({ overrides });
  node = await server.startNode({}, overrides);
});
afterAll(async () => {
  await node.close();
  await server.close();
});

let places = 10;
/** Each test has an address of its own: what is counted by address is not shared. */
const openAlone = (...order: Parameters<typeof openReceiver>): Promise<Receiver> => {
  places += 1;
  return openReceiver(order[0], { host: `127.0.0.${places}` });
};
const hostOf = ({ url }: Receiver) => new URL(url).hostname;
const attemptsOf = (tenant: WebhookTenant) =>
  server.query<{ startedAt: Date }>('select started_at as "startedAt" from webhook_attempts where tenant_id = $1', [
    tenant.tenantId,
  ]);
/** Everything is handed out, nothing is under way, and what waits waits for its host. */
const isHeld = (tenant: WebhookTenant, by: string) =>
  eventually(async () => {
    expect(await countNotHandedOut(server)).toBe(0);
    expect(
      await server.query('select from webhook_deliveries where tenant_id = $1 and leased_until > now()', [
        tenant.tenantId,
      ]),
    ).toEqual([]);
    expect(await server.query('select paused_by from webhook_hosts where tenant_id = $1', [tenant.tenantId])).toEqual([
      { paused_by: by },
    ]);
  });
/** An hour passes for everything that is counted, and for the pauses of hosts. */
async function passHour(): Promise<void> {
  await server.query(`delete from webhook_uses where target like 'address %' or target like 'name %'`);
  await server.query(
    `with hosts as (update webhook_hosts set paused_until = null, paused_by = null) update webhook_turns set look_at = now()`,
  );
}

test('a receiver that accepts nothing gets twelve attempts, whatever its endpoints and changes; then everything, once it accepts', async () => {
  const receiver = await openAlone(answer(404));
  const tenant = await addWebhookTenant(server);
  const endpoints = await Promise.all([1, 2, 3].map((path) => tenant.add({ url: `${receiver.url}/${path}` })));
  await tenant.happen(20);
  let changes = 0;
  await eventually(async () => {
    // What the attack does: addresses changed, events asked for again, endpoints made anew.
    for (const { id } of endpoints) await tenant.call('PATCH', `/${id}`, { url: `${receiver.url}/${++changes}` });
    await server.query(
      `update webhook_deliveries set next_attempt_at = now() where tenant_id = $1 and leased_until is null`,
      [tenant.tenantId],
    );
    await wakeAll(server);
    expect(receiver.received.length).toBe(SMALL.unprovenPerHour);
  });
  await isHeld(tenant, 'budget');
  expect(receiver.received).toHaveLength(SMALL.unprovenPerHour);
  expect(await attemptsOf(tenant)).toHaveLength(SMALL.unprovenPerHour);
  const [first = { id: '' }] = endpoints;
  const waiting = (await tenant.deliveries(first.id)).filter(({ waitsFor }) => waitsFor === 'budget');
  expect(waiting.length).toBeGreaterThan(0);
  for (const { nextAttemptAt } of waiting) expect(Date.parse(nextAttemptAt ?? '')).toBeGreaterThan(Date.now());

  receiver.behave(answer(204));
  await passHour();
  await eventually(async () => {
    for (const { id } of endpoints) await makeDue(server, id);
    // The rate of a host that has just accepted its first message is another test's.
    await server.query('update webhook_hosts set next_free_at = now(), accepted = 1000 where tenant_id = $1', [
      tenant.tenantId,
    ]);
    const [left] = await server.query<{ count: number }>(
      `select count(*)::int as count from webhook_deliveries where tenant_id = $1 and state <> 'delivered'`,
      [tenant.tenantId],
    );
    expect(left?.count).toBe(0);
  });
}, 60_000);

test('many names of one address share what it gets, and a company that comes later has its own first attempts', async () => {
  const receiver = await openReceiver(answer(500));
  const [greedy, later] = [await addWebhookTenant(server), await addWebhookTenant(server)];
  const named = receiver.url.replace('127.0.0.1', 'localhost');
  await Promise.all([...[receiver.url, named].map((url) => greedy.add({ url }))]);
  await greedy.happen(30);
  await eventually(() => expect(receiver.received.length).toBe(SMALL.unprovenPerHour));
  await later.add({ url: receiver.url });
  await later.happen(10);
  await isHeld(later, 'budget');
  expect(await attemptsOf(later)).toHaveLength(SMALL.firstOfCompany);
  // Waiting uses up no attempt.
  const [used] = await server.query('select sum(attempts)::int as sum from webhook_deliveries where tenant_id = $1', [
    later.tenantId,
  ]);
  expect(used).toEqual({ sum: SMALL.firstOfCompany });
  expect(await attemptsOf(greedy)).toHaveLength(SMALL.unprovenPerHour);
  await passHour();
}, 60_000);

test('sixty at once from two nodes: exactly twelve are admitted, and the others learn when', async () => {
  const { tenantId } = await addWebhookTenant(server);
  const place = { tenantId, host: 'race.example', block: '192.0.2.1' };
  const other = openDatabase({ ...server.config.database, onConnectionError: () => undefined });
  const nodes = [createAdmission(server.database.jobs, SMALL), createAdmission(other.jobs, SMALL)] as const;
  try {
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, index) => nodes[index % 2 === 0 ? 0 : 1].unproven(place)),
    );
    expect(answers.filter((seconds) => seconds === undefined)).toHaveLength(SMALL.unprovenPerHour);
    for (const seconds of answers) if (seconds !== undefined) expect(seconds).toBeGreaterThan(3_500);
    // Four of another company: three of its own, and then it waits for its own first to be over, or nine of the others.
    const { tenantId: second } = await addWebhookTenant(server);
    const later = await Promise.all([1, 2, 3, 4].map(() => nodes[0].unproven({ ...place, tenantId: second })));
    expect(later.filter((seconds) => seconds === undefined)).toHaveLength(SMALL.firstOfCompany);
    await server.query(
      `update webhook_uses set used_at = array(select at - interval '30 minutes' from unnest(used_at) as at) where tenant_id = $1`,
      [tenantId],
    );
    const [waits] = [await nodes[1].unproven({ ...place, tenantId: second })];
    expect(waits).toBeGreaterThan(1_700);
    expect(waits).toBeLessThan(1_810);
  } finally {
    await other.close();
  }
});

test('a name that leads to another address each time gets no more than one address does', async () => {
  const { tenantId } = await addWebhookTenant(server);
  const admission = createAdmission(server.database.jobs, SMALL);
  const answers: (number | undefined)[] = [];
  for (let number = 1; number <= 20; number += 1)
    answers.push(await admission.unproven({ tenantId, host: 'moving.example', block: `192.0.2.${number}` }));
  expect(answers.filter((seconds) => seconds === undefined)).toHaveLength(SMALL.unprovenPerHour);
});

test('a host that accepts is counted, where it is; elsewhere it has to accept first', async () => {
  const receiver = await openAlone();
  const tenant = await addWebhookTenant(server);
  const { id } = await tenant.add({ url: receiver.url });
  // With those below no more than may come at once.
  await tenant.happen(4);
  await eventually(async () => expect((await tenant.deliveries(id, '?state=delivered')).length).toBe(4));
  const host = hostOf(receiver);
  const hosts = () =>
    server.query('select host, proven_places, accepted from webhook_hosts where tenant_id = $1', [tenant.tenantId]);
  const place = `${host} ${new URL(receiver.url).port}`;
  expect(await hosts()).toEqual([{ host, proven_places: [place], accepted: 4 }]);
  const uses = () =>
    server.query<{ count: number }>(
      'select cardinality(used_at) as count from webhook_uses where tenant_id = $1 and target = $2',
      [tenant.tenantId, `address ${host}`],
    );
  const [before] = await uses();
  await tenant.happen(1);
  await eventually(async () => expect((await tenant.deliveries(id, '?state=delivered')).length).toBe(5));
  expect(await uses()).toEqual([before]);
  // It was proven somewhere else: the name leads here now.
  await server.query(`update webhook_hosts set proven_places = '{192.0.2.9 443}' where tenant_id = $1`, [
    tenant.tenantId,
  ]);
  await tenant.happen(1);
  await eventually(async () => expect((await tenant.deliveries(id, '?state=delivered')).length).toBe(6));
  expect(await uses()).toEqual([{ count: (before?.count ?? 0) + 1 }]);
  expect(await hosts()).toEqual([{ host, proven_places: [place, '192.0.2.9 443'], accepted: 6 }]);
});

test('once it accepts, sixty a minute begin, over both nodes and all endpoints of the company; another company does not wait', async () => {
  const receiver = await openAlone();
  const [tenant, other] = [await addWebhookTenant(server), await addWebhookTenant(server)];
  const first = await tenant.add({ url: `${receiver.url}/a` });
  for (const path of ['b', 'c']) await tenant.add({ url: `${receiver.url}/${path}` });
  await tenant.happen(1);
  await eventually(() => expect(receiver.received.length).toBe(3));
  const { id } = await other.add({ url: receiver.url });
  await other.happen(1);
  await eventually(async () => expect((await other.deliveries(id, '?state=delivered')).length).toBe(1));
  await tenant.happen(20);
  const waits = async () =>
    new Set((await tenant.deliveries(first.id, '?state=pending')).map(({ waitsFor }) => waitsFor));
  await eventually(async () => expect(await waits()).toContain('budget'));
  // Proven at the same host, too: it has room of its own while the first one waits.
  await other.happen(3);
  await eventually(async () => expect((await other.deliveries(id, '?state=delivered')).length).toBe(4));
  // Each second there is room for one, and for a moment nothing waits.
  await eventually(async () => expect(await waits()).toContain('budget'));
  await eventually(async () => expect((await attemptsOf(tenant)).length).toBeGreaterThanOrEqual(11));
  const startedMs = (await attemptsOf(tenant)).map(({ startedAt }) => startedAt.getTime()).toSorted((a, b) => a - b);
  // The first of each endpoint came before anything was known of the host. From then on six at once, and one each second.
  const later = startedMs.slice(3);
  for (const [index, atMs] of later.entries()) {
    const within = later.slice(index).filter((each) => each < atMs + 3_000);
    expect(within.length).toBeLessThanOrEqual(6 + 3 + 1);
  }
}, 60_000);

test('a place where somebody without the certificate of the name answers is no longer proven', async () => {
  const stranger = createTlsServer(makeCertificate(1), (_request, response) => void response.end());
  stranger.on('tlsClientError', () => undefined);
  await once(stranger.listen(0, '127.0.0.1'), 'listening');
  try {
    const { port } = stranger.address() as AddressInfo;
    const tenant = await addWebhookTenant(server);
    const { id } = await tenant.add({ url: `https://127.0.0.1:${port}/` });
    const places = [`127.0.0.1 ${port}`, '192.0.2.9 443'];
    await server.query(`insert into webhook_hosts (tenant_id, host, proven_places) values ($1, '127.0.0.1', $2)`, [
      tenant.tenantId,
      places,
    ]);
    await tenant.happen(1);
    await tenant.settled(id, 'pending', 1);
    expect((await tenant.deliveries(id))[0]?.attempts[0]?.error).toContain('certificate');
    expect(
      await server.query('select proven_places from webhook_hosts where tenant_id = $1', [tenant.tenantId]),
    ).toEqual([{ proven_places: places.slice(1) }]);
  } finally {
    stranger.close();
  }
});

test('a receiver that asks for a pause gets one, from all endpoints of the company at its host, whatever is changed', async () => {
  const receiver = await openAlone(answer(429, { 'retry-after': '1800' }));
  const [tenant, other] = [await addWebhookTenant(server), await addWebhookTenant(server)];
  const { id } = await tenant.add({ url: receiver.url });
  await tenant.happen(1);
  await tenant.settled(id, 'pending', 1);
  receiver.behave(answer(204));
  const second = await tenant.add({ url: `${receiver.url}/second` });
  await tenant.call('PATCH', `/${id}`, { url: `${receiver.url}/moved` });
  await tenant.call('PATCH', `/${id}`, { status: 'disabled' });
  await tenant.call('PATCH', `/${id}`, { status: 'enabled' });
  await tenant.happen(1);
  await eventually(async () => expect((await tenant.deliveries(second.id)).length).toBe(1));
  // Another company's message to the same host came meanwhile.
  await other.add({ url: receiver.url });
  await other.happen(1);
  await eventually(() => expect(receiver.received.length).toBe(2));
  expect(await tenant.deliveries(second.id)).toMatchObject([{ state: 'pending', waitsFor: 'receiver', attempts: [] }]);
  expect(await attemptsOf(tenant)).toHaveLength(1);
});

test('a message under way that is accepted ends a pause for want of a budget, and none that the receiver asked for', async () => {
  const answers = new Map<string, (status: number) => void>();
  const receiver = await openAlone((response, { path }) => {
    answers.set(path.slice(-1), (status) => response.writeHead(status, { 'retry-after': '1800' }).end());
  });
  const tenant = await addWebhookTenant(server);
  const ids = new Map<string, string>();
  for (const path of ['a', 'b', 'c']) ids.set(path, (await tenant.add({ url: `${receiver.url}/${path}` })).id);
  await tenant.happen(1);
  await eventually(() => expect(answers.size).toBe(3));
  const pausedBy = () =>
    server.query('select paused_by as by from webhook_hosts where tenant_id = $1', [tenant.tenantId]);
  answers.get('a')?.(429);
  await eventually(async () => expect(await pausedBy()).toEqual([{ by: 'receiver' }]));
  answers.get('b')?.(204);
  await tenant.settled(ids.get('b') ?? '', 'delivered', 1);
  expect(await pausedBy()).toEqual([{ by: 'receiver' }]);
  await server.query(`update webhook_hosts set paused_by = 'budget' where tenant_id = $1`, [tenant.tenantId]);
  answers.get('c')?.(204);
  await tenant.settled(ids.get('c') ?? '', 'delivered', 1);
  expect(await pausedBy()).toEqual([{ by: null }]);
});

test('410: enabling sends one test, and nothing else until that is accepted; after two in an hour no more are sent', async () => {
  const receiver = await openAlone(answer(410));
  const tenant = await addWebhookTenant(server);
  const { id } = await tenant.add({ url: receiver.url });
  await tenant.happen(1);
  const status = async () => (await tenant.read(id)).status;
  await eventually(async () => expect(await status()).toBe('disabled'));
  await tenant.happen(3);
  await eventually(async () => expect((await tenant.deliveries(id)).length).toBe(4));
  const enable = async () => {
    expect((await tenant.call('PATCH', `/${id}`, { status: 'enabled' })).data).toMatchObject({ status: 'confirming' });
    // A second request while the test is under way sends no second test.
    await tenant.call('PATCH', `/${id}`, { status: 'enabled' });
    await eventually(async () => expect(await status()).not.toBe('confirming'));
  };
  await enable();
  expect(await status()).toBe('disabled');
  expect(receiver.received.map(({ event }) => event.type)).toEqual(['credit-report.completed', 'webhook.test']);
  expect((await tenant.read(id)).disabledReason).toBe('gone');
  receiver.behave(answer(500));
  await enable();
  expect(await status()).toBe('disabled');
  expect(receiver.received).toHaveLength(3);
  receiver.behave(answer(204));
  await enable();
  expect(await status()).toBe('disabled');
  expect(receiver.received).toHaveLength(3);
  expect((await tenant.deliveries(id))[0]).toMatchObject({
    eventType: 'webhook.test',
    state: 'failed',
    attempts: [{ status: null, error: expect.stringContaining('asked again too often') }],
  });
  await server.query(`delete from webhook_uses where target like 'confirmation %'`);
  await enable();
  expect(await status()).toBe('enabled');
  await eventually(async () => expect((await tenant.deliveries(id, '?state=delivered')).length).toBe(5));
});

test('410 holds although the path is changed, or the endpoint disabled, while it is under way; and for endpoints that come later', async () => {
  const held: (() => void)[] = [];
  const receiver = await openAlone((response) => void held.push(() => response.writeHead(410).end()));
  const tenant = await addWebhookTenant(server);
  const changes = [{ url: `${receiver.url}/other` }, { status: 'disabled' }];
  for (const change of changes) {
    const { id } = await tenant.add({ url: receiver.url });
    await tenant.happen(1);
    await eventually(() => expect(held.length).toBe(1));
    await tenant.call('PATCH', `/${id}`, change);
    held.pop()?.();
    await eventually(async () =>
      expect(await tenant.read(id)).toMatchObject({ status: 'disabled', disabledReason: 'gone' }),
    );
    await tenant.call('DELETE', `/${id}`);
    await server.query('update webhook_hosts set gone_at = null where tenant_id = $1', [tenant.tenantId]);
  }
  await server.query('update webhook_hosts set gone_at = now() where tenant_id = $1', [tenant.tenantId]);
  receiver.behave(answer(204));
  const before = receiver.received.length;
  const [created, moved] = [
    await tenant.add({ url: receiver.url }),
    await tenant.add({ url: 'https://hooks.example.com/' }),
  ];
  expect([created.status, moved.status]).toEqual(['confirming', 'enabled']);
  await eventually(async () => expect((await tenant.read(created.id)).status).toBe('enabled'));
  expect(receiver.received.slice(before).map(({ event }) => event.type)).toEqual(['webhook.test']);
  await server.query('update webhook_hosts set gone_at = now() where tenant_id = $1', [tenant.tenantId]);
  expect((await tenant.call('PATCH', `/${moved.id}`, { url: `${receiver.url}/moved` })).data).toMatchObject({
    status: 'confirming',
    disabledReason: 'gone',
  });
  await eventually(async () => expect((await tenant.read(moved.id)).status).toBe('enabled'));
});

test('410 is remembered for 90 days, also of a receiver that only asked for a pause before', async () => {
  const receiver = await openAlone(answer(503, { 'retry-after': '60' }));
  const tenant = await addWebhookTenant(server);
  const { id } = await tenant.add({ url: receiver.url });
  await tenant.happen(1);
  await tenant.settled(id, 'pending', 1);
  receiver.behave(answer(410));
  await makeDue(server, id);
  await eventually(async () => expect((await tenant.read(id)).disabledReason).toBe('gone'));
  // It does not say so again to those who ask.
  receiver.behave(answer(500));
  const later = async (interval: string) => {
    await server.query(
      'update webhook_hosts set kept_until = kept_until - $2::interval, paused_until = null, paused_by = null where tenant_id = $1',
      [tenant.tenantId, interval],
    );
    await forgetNow(server.database, [WEBHOOK_HOSTS]);
    return (await tenant.add({ url: `${receiver.url}/again` })).status;
  };
  expect(await later('89 days')).toBe('confirming');
  expect(await later('1 day')).toBe('enabled');
});

test('one replay at a time, and two in a day', async () => {
  const receiver = await openAlone();
  const tenant = await addWebhookTenant(server);
  const [one, two] = [await tenant.add({ url: receiver.url }), await tenant.add({ url: `${receiver.url}/two` })];
  const replay = async ({ id }: { id: string }) => {
    const { status, reply } = await tenant.call('POST', `/${id}/replay`, { since: '2026-01-01' });
    return { status, code: JSON.parse(reply.text).code, retryAfter: reply.headers['retry-after'] };
  };
  await server.query(
    `update webhook_endpoints set replay_since = 'infinity', replay_xact_id = '1', replay_event = 1 where id = $1`,
    [one.id],
  );
  expect(await replay(two)).toMatchObject({ status: 409, code: 'conflict' });
  await server.query(
    'update webhook_endpoints set replay_since = null, replay_xact_id = null, replay_event = null where id = $1',
    [one.id],
  );
  const isOver = () =>
    eventually(async () =>
      expect(
        await server.query('select from webhook_endpoints where tenant_id = $1 and replay_since is not null', [
          tenant.tenantId,
        ]),
      ).toEqual([]),
    );
  for (const endpoint of [one, two]) {
    expect(await replay(endpoint)).toMatchObject({ status: 200 });
    await isOver();
  }
  const refused = await replay(one);
  expect(refused).toMatchObject({ status: 429, code: 'rate-limited' });
  expect(Number(refused.retryAfter)).toBeGreaterThan(80_000);
});

test('five new endpoints in a day, deleted or not', async () => {
  const tenant = await addWebhookTenant(server);
  for (let count = 0; count < SMALL.creationsPerDay; count += 1) {
    const { id } = await tenant.add({ url: 'https://hooks.example.com/' });
    await tenant.call('DELETE', `/${id}`);
  }
  const { status, code, reply } = await tenant.call('POST', '', { url: 'https://hooks.example.com/' });
  expect([status, code]).toEqual([429, 'rate-limited']);
  expect(Number(reply.headers['retry-after'])).toBeGreaterThan(80_000);
});

test('three moves to another host in a day; another path is none, and ends no pause', async () => {
  const tenant = await addWebhookTenant(server);
  const { id } = await tenant.add({ url: 'https://hooks.example.com/' });
  const move = (url: string) => tenant.call('PATCH', `/${id}`, { url });
  // What it waits for is about the host that it leaves.
  const waits = () => server.query('select held_until, paused_until from webhook_endpoints where id = $1', [id]);
  await server.query("update webhook_endpoints set held_until = 'infinity', paused_until = 'infinity' where id = $1", [
    id,
  ]);
  for (let count = 0; count < SMALL.movesPerDay; count += 1) {
    expect((await move(`https://n${count}.example.com/`)).status).toBe(200);
    expect(await waits()).toEqual([{ held_until: null, paused_until: null }]);
    expect((await move(`https://n${count}.example.com/path`)).status).toBe(200);
  }
  // At the same receiver it goes on, whatever is changed.
  const paused = await server.query(
    `update webhook_endpoints set held_until = now() + interval '1 h', paused_until = now() + interval '1 h' where id = $1
     returning held_until, paused_until`,
    [id],
  );
  const stays = `https://n${SMALL.movesPerDay - 1}.example.com/other`;
  expect((await move(stays)).status).toBe(200);
  for (const status of ['disabled', 'enabled'])
    expect((await tenant.call('PATCH', `/${id}`, { status })).status).toBe(200);
  expect(await waits()).toEqual(paused);
  const { status, code, reply } = await move('https://n9.example.com/');
  expect([status, code]).toEqual([429, 'rate-limited']);
  expect(Number(reply.headers['retry-after'])).toBeGreaterThan(80_000);
  expect((await tenant.read(id)).url).toBe(stays);
});

test('resend while an attempt is under way: one message at a time, and all ten attempts', async () => {
  let late: (() => void) | undefined;
  const receiver = await openAlone((response) => {
    late = () => response.writeHead(500).end();
  });
  const tenant = await addWebhookTenant(server);
  const { id } = await tenant.add({ url: receiver.url });
  await tenant.happen(1);
  await eventually(() => expect(receiver.received.length).toBe(1));
  const [delivery] = await tenant.deliveries(id);
  for (let count = 0; count < 10; count += 1) {
    expect((await tenant.call('POST', `/deliveries/${delivery?.id}/resend`)).status).toBe(200);
  }
  // Another company's event, from now on, has come and gone.
  const [other, elsewhere] = [await addWebhookTenant(server), await openReceiver()];
  await other.add({ url: elsewhere.url });
  await other.happen(1);
  await eventually(() => expect(elsewhere.received.length).toBe(1));
  expect(receiver.received).toHaveLength(1);
  late?.();
  await tenant.settled(id, 'pending', 1);

  // The last attempt, asked for again while it is under way: it is the first of ten.
  await server.query('update webhook_deliveries set attempts = 9 where endpoint_id = $1', [id]);
  await makeDue(server, id);
  await eventually(() => expect(receiver.received.length).toBe(2));
  await tenant.call('POST', `/deliveries/${delivery?.id}/resend`);
  late?.();
  await tenant.settled(id, 'pending', 2);
});
