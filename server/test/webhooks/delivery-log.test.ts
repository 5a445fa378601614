// What a tenant sees of its deliveries: found by event, type, state and time, one with its request, and what waits for a
// disabled endpoint.
import { createHmac } from 'node:crypto';
import { EVENT_TYPES } from '@trefoil/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../../../tools/testing/eventually.ts';
import { isUuid, newId } from '../../src/lib/ids.ts';
import type { TestServer } from '../harness.ts';
import { expectDescribed } from '../support/events.ts';
import { addLiveReport } from '../support/money-states.ts';
import { answer, verify } from '../support/receiver.ts';
import {
  addWebhookTenant,
  type Delivery,
  startWebhookServer,
  useReceivers,
  type WebhookTenant,
} from '../support/webhooks.ts';

let server: TestServer;
const openReceiver = useReceivers();
beforeAll(async () => {
  server = await startWebhookServer();
});
afterAll(() => server.close());

type Sent = Delivery & { readonly request: { readonly headers: Record<string, string>; readonly body: string } };
const readOne = async (tenant: WebhookTenant, id: string | undefined) =>
  (await tenant.call('GET', `/deliveries/${id}`)).data as unknown as Sent;

test('deliveries by state, event, type and time; filters hold together', async () => {
  const tenant = await addWebhookTenant(server);
  const receiver = await openReceiver(answer(500));
  const { id } = await tenant.add({ url: receiver.url });
  for (const [place, type] of ['report.completed', 'report.failed', 'wallet.low'].entries()) {
    await tenant.happen(1, { type });
    await eventually(async () => expect(await tenant.deliveries(id)).toHaveLength(place + 1));
  }
  await tenant.call('POST', `/${id}/test`);
  const all = await tenant.deliveries(id);
  const failed = all.find(({ eventType }) => eventType === 'credit-report.failed');
  const find = async (query: string) => (await tenant.deliveries(id, `?${query}`)).map(({ eventType }) => eventType);
  expect(await find('eventType=wallet.low')).toEqual(['wallet.low']);
  expect(await find('eventType=credit-report,webhook.test')).toEqual([
    'webhook.test',
    'credit-report.failed',
    'credit-report.completed',
  ]);
  expect(await find(`eventId=${failed?.eventId}`)).toEqual(['credit-report.failed']);
  expect(await find(`eventId=${failed?.eventId}&eventType=wallet`)).toEqual([]);
  expect(await find('eventId=evt_none')).toEqual([]);
  expect(await find(`eventType=webhook&state=delivered`)).toEqual([]);

  const times = ['2026-03-01T10:00:00Z', '2026-03-01T11:00:00Z', '2026-03-01T12:00:00Z'];
  const past = [];
  for (const at of times) {
    const moved = newId(Date.parse(at));
    await server.query(
      `insert into webhook_deliveries (tenant_id, id, endpoint_id, event_id, event_type, body, state, attempts_max, created_at)
       values ($1, $2::uuid, $3, $2::uuid::text, 'wallet.low', '{}', 'failed', 10, $4)`,
      [tenant.tenantId, moved, id, at],
    );
    past.push(moved);
  }
  const [first, second, third] = past;
  const within = async (query: string) => (await tenant.deliveries(id, `?${query}`)).map((each) => each.id);
  expect(await within('to=2026-03-02')).toEqual([third, second, first]);
  expect(await within('from=2026-03-01T11:00:00Z&to=2026-03-01T12:00:00Z')).toEqual([second]);
  expect(await within('to=2026-03-01T11:00:00Z&state=pending')).toEqual([]);
  expect(await within('from=2026-03-01T12:00:00Z')).toEqual([...all.map((each) => each.id), third]);
  expect(await within(`eventId=${second}&to=2026-03-01T11:00:00Z`)).toEqual([]);

  const { status, reply } = await tenant.call('GET', `/${id}/deliveries?eventType=report.completed`);
  expect(status).toBe(400);
  expect(reply.text).toContain(EVENT_TYPES.join(', '));
});

test('a rare type among many: pages may be empty, each continues, and nothing is missed', async () => {
  const tenant = await addWebhookTenant(server);
  const { id } = await tenant.add({ url: 'http://127.0.0.1:1024/' });
  await tenant.call('PATCH', `/${id}`, { status: 'disabled' });
  await server.query(
    `insert into webhook_deliveries (tenant_id, id, endpoint_id, event_id, event_type, body, state, attempts_max)
     select $1, ('00000000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, $2, n,
            case when n in (1, 12000) then 'wallet.low' else 'wallet.charged' end, '{}',
            case when n % 3 = 0 then 'failed' else 'delivered' end, 10
       from generate_series(1, 12000) as n`,
    [tenant.tenantId, id],
  );
  const seen: string[] = [];
  const sizes: number[] = [];
  for (let cursor: string | null = ''; cursor !== null && sizes.length < 9; ) {
    const query: string = cursor === '' ? '' : `&cursor=${cursor}`;
    const { data } = await tenant.call('GET', `/${id}/deliveries?eventType=wallet.low${query}`);
    const items = data['items'] as Delivery[];
    sizes.push(items.length);
    seen.push(...items.map(({ eventId }) => eventId));
    cursor = data['nextCursor'] as string | null;
  }
  expect(seen).toEqual(['12000', '1']);
  // Five thousand rows are looked at for a page; after the last there are no more.
  expect(sizes).toEqual([1, 0, 1]);
});

test('one delivery: the request as the receiver got it, without the signature, which its secret gives', async () => {
  const tenant = await addWebhookTenant(server);
  const receiver = await openReceiver();
  const { id, secret } = await tenant.add({ url: receiver.url });
  const report = await addLiveReport(server, tenant.tenantId, { status: 'failed', failure: 'interrupted' });
  // What is sent says why it failed, and what is stored does not.
  await tenant.happen(1, { type: 'report.failed', reportId: report });
  await tenant.settled(id, 'delivered', 1);
  const [listed] = await tenant.deliveries(id);
  const { request, ...delivery } = await readOne(tenant, listed?.id);
  expect(delivery).toEqual(listed);
  const [message] = receiver.received;
  if (!message) throw new Error('nothing came');
  expect(request.body).toBe(message.text);
  expect(request.body).toContain('"failureReason":"interrupted"');
  const { 'webhook-signature': signature, ...sent } = message.headers;
  expect(sent).toMatchObject(request.headers);
  expect(Object.keys(request.headers)).not.toContain('webhook-signature');
  expect(JSON.stringify(request)).not.toContain(secret.slice(6));
  const text = `${request.headers['webhook-id']}.${request.headers['webhook-timestamp']}.${request.body}`;
  const key = Buffer.from(secret.slice(6), 'base64');
  expect(signature).toBe(`v1,${createHmac('sha256', key).update(text).digest('base64')}`);
});

test('what is not sent yet has no time; for a disabled endpoint it is waiting, and pending finds it', async () => {
  const tenant = await addWebhookTenant(server);
  const receiver = await openReceiver();
  const { id } = await tenant.add({ url: receiver.url });
  await tenant.call('PATCH', `/${id}`, { status: 'disabled' });
  await tenant.happen(2);
  await eventually(async () => expect(await tenant.deliveries(id)).toHaveLength(2));
  const shown = { state: 'waiting', nextAttemptAt: null, waitsFor: null, settledAt: null };
  for (const query of ['', '?state=waiting', '?state=pending', '?state=waiting&eventType=credit-report']) {
    expect([query, await tenant.deliveries(id, query)]).toMatchObject([query, [shown, shown]]);
  }
  const [first] = await tenant.deliveries(id);
  const one = await readOne(tenant, first?.id);
  expect(one).toMatchObject({ ...shown, attempts: [] });
  expect(Object.keys(one.request.headers).toSorted()).toEqual(['content-type', 'user-agent', 'webhook-id']);
  await tenant.call('PATCH', `/${id}`, { status: 'enabled' });
  expect(await tenant.deliveries(id, '?state=waiting')).toEqual([]);
  await eventually(async () => expect(await tenant.deliveries(id, '?state=delivered')).toHaveLength(2));
});

test('while a receiver that was gone is asked, everything waits but the test message', async () => {
  const tenant = await addWebhookTenant(server);
  const receiver = await openReceiver(answer(410));
  const { id } = await tenant.add({ url: receiver.url });
  await tenant.happen(1);
  await eventually(async () => expect((await tenant.read(id)).status).toBe('disabled'));
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  receiver.behave((...parts) => {
    void held.then(() => answer(204)(...parts));
  });
  await tenant.call('PATCH', `/${id}`, { status: 'enabled' });
  const statesOf = async (query = '') =>
    (await tenant.deliveries(id, query)).map(({ eventType, state }) => `${eventType} ${state}`);
  expect(await statesOf()).toEqual(['webhook.test pending', 'credit-report.completed waiting']);
  expect(await statesOf('?state=waiting')).toEqual(['credit-report.completed waiting']);
  release();
  await eventually(async () => expect(await statesOf('?state=delivered')).toHaveLength(2));
});

test('a test of each type: signed, with the body of an event of this type, and with ids that no other message has', async () => {
  const tenant = await addWebhookTenant(server);
  const receiver = await openReceiver();
  // For one type, and asked for all of them.
  const { id, secret } = await tenant.add({ url: receiver.url, test: true, eventTypes: ['wallet.low'] });
  const named: unknown[] = [];
  for (const [place, type] of EVENT_TYPES.entries()) {
    const { status, data } = await tenant.call('POST', `/${id}/test`, { type });
    expect([status, data['eventType']]).toEqual([200, type]);
    const message = await eventually(() => {
      const last = receiver.received[place];
      if (!last) throw new Error(`no message of the type ${type} came`);
      return last;
    });
    verify(secret, message);
    expect(message.event).toMatchObject({ id: data['eventId'], type, test: true, tenantId: tenant.tenantId });
    expect(message.event.id).toMatch(/^evt_test_[0-9a-f]{16}$/);
    expectDescribed(message.event);
    named.push(...Object.values(message.event.data).filter((value) => typeof value === 'string' && isUuid(value)));
  }
  expect(named.length).toBeGreaterThan(EVENT_TYPES.length);
  expect(new Set(named).size).toBe(named.length);
});

test('a test of a type has the sequence 0: a receiver that keeps the highest one passes over no real event (0283)', async () => {
  const tenant = await addWebhookTenant(server);
  const receiver = await openReceiver();
  const { id } = await tenant.add({ url: receiver.url, test: true });
  const sequences = () => receiver.received.map(({ event }) => event.sequence);
  await tenant.call('POST', `/${id}/test`, { type: 'credit-report.failed' });
  await eventually(() => expect(sequences()).toEqual([0]));
  await tenant.happen(1, { test: true });
  await eventually(() => expect(sequences()).toEqual([0, 1]));
});

test('409 conflict: an invented event for a live endpoint; a plain test still goes', async () => {
  const tenant = await addWebhookTenant(server);
  const receiver = await openReceiver();
  const { id } = await tenant.add({ url: receiver.url });
  expect((await tenant.call('POST', `/${id}/test`, { type: 'wallet.low' })).code).toBe('conflict');
  const unknown = await tenant.call('POST', `/${id}/test`, { type: 'wallet.gone' });
  expect([unknown.status, unknown.reply.text]).toEqual([400, expect.stringContaining('There is no \\"wallet.gone\\"')]);
  for (const body of [undefined, {}, { type: 'webhook.test' }]) {
    expect((await tenant.call('POST', `/${id}/test`, body)).status).toBe(200);
  }
  await eventually(() => expect(receiver.received).toHaveLength(3));
  expect(receiver.received.map(({ event }) => event.type)).toEqual(['webhook.test', 'webhook.test', 'webhook.test']);
});
