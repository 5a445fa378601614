// Deliveries through a real server to real receivers: signed, repeated, bounded, caught up, and in order where asked.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../../../tools/testing/eventually.ts';
import type { TestServer } from '../harness.ts';
import { type Mailbox, startMailbox } from '../support/mailbox.ts';
import { auditOf } from '../support/people.ts';
import { answer, verify } from '../support/receiver.ts';
import { addWebhookTenant, countNotHandedOut, makeDue, useWebhookServer } from '../support/webhooks.ts';

let mailbox: Mailbox;
beforeAll(async () => {
  mailbox = await startMailbox();
});
afterAll(() => mailbox.stop());
const { receive, openReceiver } = useWebhookServer(() => ({ environment: mailbox.environment }));

/** An event of another tenant that happens now has arrived: what was due before it is not on its way any more. */
async function laterOneArrived(server: TestServer): Promise<void> {
  const [other, receiver] = [await addWebhookTenant(server), await openReceiver()];
  await other.add({ url: receiver.url });
  await other.happen(1);
  await eventually(() => expect(receiver.received.length).toBe(1));
}

test('an event arrives, signed so that the library of the specification accepts it', async () => {
  const { tenant, receiver } = await receive();
  const { id, secret } = await tenant.add({ url: `${receiver.url}?token=a` });
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  const [reportId] = await tenant.happen(1);
  await eventually(() => expect(receiver.received.length).toBe(1));
  const [message] = receiver.received;
  if (!message) throw new Error('nothing came');
  verify(secret, message);
  expect(() => verify('whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=', message)).toThrow();
  expect(() => verify(secret, { ...message, text: message.text.replace('complete', 'failed') })).toThrow();
  expect(message.event).toMatchObject({
    type: 'credit-report.completed',
    tenantId: tenant.tenantId,
    test: false,
    data: { creditReportId: reportId, status: 'complete', cost: 0 },
  });
  expect(message.webhookId).toBe(message.event.id);
  expect(message.headers['content-type']).toBe('application/json');
  expect(message.headers['user-agent']).toMatch(/^Trefoil-Webhooks\//);
  expect(message.path).toBe('/hook?token=a');
  await tenant.settled(id, 'delivered', 1);
  const [delivery] = await tenant.deliveries(id);
  expect(delivery).toMatchObject({
    eventId: message.event.id,
    eventType: 'credit-report.completed',
    nextAttemptAt: null,
  });
  expect(delivery?.attempts[0]).toMatchObject({ status: 204, answer: '', error: null });
});

test('an endpoint gets the types it asked for, of its own mode and its own tenant', async () => {
  const { server, tenant, receiver } = await receive();
  const { url } = receiver;
  await tenant.add({ url: `${url}/failed`, eventTypes: ['credit-report.failed'] });
  await tenant.add({ url: `${url}/test`, test: true });
  await tenant.add({ url: `${url}/all` });
  const other = await addWebhookTenant(server);
  await other.add({ url: `${url}/other` });
  await tenant.happen(1);
  await tenant.happen(1, { type: 'report.failed' });
  await tenant.happen(1, { test: true });
  await eventually(() => expect(receiver.received.length).toBe(4));
  await laterOneArrived(server);
  const seen = receiver.received.map(({ path, event }) => `${path} ${event.type} ${event.test}`).toSorted();
  expect(seen).toEqual([
    '/hook/all credit-report.completed false',
    '/hook/all credit-report.failed false',
    '/hook/failed credit-report.failed false',
    '/hook/test credit-report.completed true',
  ]);
});

test('500: tried again with the same id and a new timestamp, ten times over three days, then given up', async () => {
  const { server, tenant, receiver } = await receive(answer(500, {}, 'broken'));
  const { id, secret } = await tenant.add({ url: receiver.url });
  await tenant.happen(1);
  const delays: number[] = [];
  for (let count = 1; count <= 10; count += 1) {
    await tenant.settled(id, count < 10 ? 'pending' : 'failed', count);
    expect((await tenant.read(id)).retrying).toBe(count < 10 ? 1 : 0);
    const [row] = await server.query<{ wait: number }>(
      'select extract(epoch from next_attempt_at - now())::float8 as wait from webhook_deliveries where endpoint_id = $1',
      [id],
    );
    if (count < 10) delays.push(row?.wait ?? 0);
    await makeDue(server, id);
  }
  await laterOneArrived(server);
  expect(receiver.received).toHaveLength(10);
  expect(new Set(receiver.received.map(({ webhookId }) => webhookId)).size).toBe(1);
  for (const message of receiver.received) verify(secret, message);
  const days = delays.reduce((sum, delay) => sum + delay, 0) / 86_400;
  expect(days).toBeGreaterThan(2.6);
  expect(days).toBeLessThan(3.4);
  // The last two, 24 and 27 hours, may change places: each is up to a tenth shorter or longer.
  const rising = delays.slice(0, -1);
  expect(rising.toSorted((a, b) => a - b)).toEqual(rising);
  const [delivery] = await tenant.deliveries(id);
  expect(delivery?.attempts[0]).toMatchObject({ status: 500, answer: 'broken', error: 'The receiver answered 500.' });
});

test.each([301, 302, 307, 308])('%i: a redirect counts as failed and is not followed', async (status) => {
  const elsewhere = await openReceiver();
  const { tenant, receiver } = await receive(answer(status, { location: elsewhere.url }));
  const { id } = await tenant.add({ url: receiver.url });
  await tenant.happen(1);
  await tenant.settled(id, 'pending', 1);
  const [delivery] = await tenant.deliveries(id);
  expect(delivery?.attempts[0]).toMatchObject({ status, error: expect.stringContaining('redirects are not followed') });
  expect(elsewhere.received).toEqual([]);
});

test.each([
  [429, '1800', 1_800],
  [503, '7200', 7_200],
  [503, '999999999', 86_400],
])('%i with Retry-After %s: the next attempt is %i seconds later', async (status, retryAfter, expected) => {
  const { server, tenant, receiver } = await receive(answer(status, { 'retry-after': retryAfter }));
  const { id } = await tenant.add({ url: receiver.url });
  await tenant.happen(1);
  await tenant.settled(id, 'pending', 1);
  const [row] = await server.query<{ wait: number; pause: number }>(
    `select extract(epoch from next_attempt_at - now())::float8 as wait, extract(epoch from paused_until - now())::float8 as pause
       from webhook_deliveries join webhook_endpoints on webhook_endpoints.id = endpoint_id where endpoint_id = $1`,
    [id],
  );
  expect(row?.wait).toBeGreaterThan(expected - 60);
  expect(row?.wait).toBeLessThan(expected + 1);
  // Other events of the endpoint wait too, but for an hour at most.
  expect(row?.pause).toBeGreaterThan(Math.min(expected, 3_600) - 60);
  expect(row?.pause).toBeLessThan(3_601);
});

test('410: the endpoint is disabled at once, its people are told, and what happens waits until it is enabled', async () => {
  const { server, tenant, receiver } = await receive(answer(410));
  const { id } = await tenant.add({ url: receiver.url });
  await tenant.happen(1);
  await eventually(async () => expect((await tenant.read(id)).status).toBe('disabled'));
  expect((await tenant.read(id)).disabledReason).toBe('gone');
  expect((await mailbox.wait(tenant.owner.email)).subject).toBe('A webhook endpoint of Test Claims was disabled');
  await tenant.happen(2);
  await eventually(async () => expect((await tenant.deliveries(id)).length).toBe(3));
  await laterOneArrived(server);
  expect(receiver.received).toHaveLength(1);
  receiver.behave(answer(200));
  // The receiver decides: a test message comes first, and the rest only if it accepts that.
  expect((await tenant.call('PATCH', `/${id}`, { status: 'enabled' })).data).toMatchObject({
    status: 'confirming',
    disabledReason: 'gone',
  });
  await eventually(() => expect(new Set(receiver.received.map(({ webhookId }) => webhookId)).size).toBe(4));
  expect(receiver.received[1]?.event.type).toBe('webhook.test');
  await eventually(async () => expect((await tenant.deliveries(id, '?state=delivered')).length).toBe(4));
  expect(await tenant.read(id)).toMatchObject({ status: 'enabled', disabledReason: null });
});

test('an endpoint that only fails for five days is disabled with a mail; enabled, it gets everything it missed', async () => {
  const { server, tenant, receiver } = await receive(answer(500));
  const { id } = await tenant.add({ url: receiver.url });
  const path = new URL(receiver.url).pathname;
  await tenant.happen(1);
  await tenant.settled(id, 'pending', 1);
  // Four days and 23 hours: not yet.
  await server.query(`update webhook_endpoints set failing_since = now() - interval '119 hours' where id = $1`, [id]);
  await makeDue(server, id);
  await tenant.settled(id, 'pending', 2);
  expect((await tenant.read(id)).status).toBe('enabled');
  // The first event was given up meanwhile.
  await server.query(
    `update webhook_deliveries set state = 'failed', settled_at = now(), attempts = 10 where endpoint_id = $1`,
    [id],
  );
  await tenant.happen(1);
  await eventually(async () => expect((await tenant.deliveries(id))[0]?.attempts.length).toBe(1));
  await server.query(`update webhook_endpoints set failing_since = now() - interval '120 hours' where id = $1`, [id]);
  await makeDue(server, id);
  await eventually(async () => expect((await tenant.read(id)).status).toBe('disabled'));
  expect((await tenant.read(id)).disabledReason).toBe('failing');
  const mail = await mailbox.wait(tenant.owner.email);
  expect(mail.text).toContain('127.0.0.1');
  expect(mail.text).not.toContain(path);
  expect((await auditOf(server, tenant.tenantId)).at(-1)).toMatchObject({
    actor: 'system',
    action: 'webhook.disabled',
    subject: id,
    details: { reason: 'failing' },
  });
  await tenant.happen(3);
  await eventually(async () => expect((await tenant.deliveries(id)).length).toBe(5));
  const before = receiver.received.length;
  await laterOneArrived(server);
  expect(receiver.received).toHaveLength(before);
  receiver.behave(answer(200));
  await tenant.call('PATCH', `/${id}`, { status: 'enabled' });
  await eventually(async () => expect((await tenant.deliveries(id, '?state=delivered')).length).toBe(5));
});

test('a new address begins five days of its own, and gets what was given up at the old one', async () => {
  const { server, tenant, receiver: old } = await receive(answer(500));
  const { id } = await tenant.add({ url: old.url });
  await tenant.happen(1);
  await tenant.settled(id, 'pending', 1);
  await server.query(
    `update webhook_deliveries set state = 'failed', settled_at = now(), attempts = 10 where endpoint_id = $1`,
    [id],
  );
  await server.query(`update webhook_endpoints set failing_since = now() - interval '119 hours' where id = $1`, [id]);
  const failing = async () =>
    (await server.query('select failing_since is not null as "is" from webhook_endpoints where id = $1', [id]))[0];

  // Disabled, it keeps the instant: what was given up since then is sent once it is enabled.
  const next = await openReceiver(answer(500));
  await tenant.call('PATCH', `/${id}`, { url: next.url, status: 'disabled' });
  expect(await failing()).toEqual({ is: true });
  await tenant.call('PATCH', `/${id}`, { status: 'enabled' });
  await tenant.settled(id, 'pending', 2);

  await server.query(
    `update webhook_endpoints set failing_since = now() - interval '121 hours', failures = 7 where id = $1`,
    [id],
  );
  await server.query(
    `update webhook_deliveries set state = 'failed', settled_at = now(), attempts = 10 where endpoint_id = $1`,
    [id],
  );
  // The same address once more is no move.
  await tenant.call('PATCH', `/${id}`, { url: next.url });
  expect(await failing()).toEqual({ is: true });
  await tenant.settled(id, 'failed', 2);
  await tenant.call('PATCH', `/${id}`, { url: `${next.url}/moved` });
  await tenant.settled(id, 'pending', 3);
  expect(next.received.at(-1)?.path).toMatch(/moved$/);
  expect((await tenant.read(id)).status).toBe('enabled');
  next.behave(answer(204));
  await makeDue(server, id);
  await tenant.settled(id, 'delivered', 4);
});

test('a hundred megabytes of answer cost a kilobyte; a binary answer is kept as text', async () => {
  let written = 0;
  const { tenant, receiver } = await receive((response) => {
    response.writeHead(200, { 'content-type': 'application/octet-stream' });
    const chunk = Buffer.alloc(64 * 1_024, 0);
    const more = () => {
      while (!response.destroyed && written < 100 * 1_024 * 1_024) {
        written += chunk.length;
        if (!response.write(chunk)) return response.once('drain', more);
      }
      return response.end();
    };
    more();
  });
  const { id } = await tenant.add({ url: receiver.url });
  await tenant.happen(1);
  await tenant.settled(id, 'delivered', 1);
  const [delivery] = await tenant.deliveries(id);
  expect(delivery?.attempts[0]?.answer).toBe('\uFFFD'.repeat(1_024));
  expect(written).toBeLessThan(20 * 1_024 * 1_024);
  await eventually(async () => expect(await receiver.connections()).toBe(0));
});

test('an answer whose body never ends is judged by its status', async () => {
  const { tenant, receiver } = await receive((response) => {
    response.writeHead(200).write('half');
  });
  const { id } = await tenant.add({ url: receiver.url });
  await tenant.happen(1);
  await tenant.settled(id, 'delivered', 1);
  expect((await tenant.deliveries(id))[0]?.attempts[0]?.answer).toBe('half');
});

test('the events of one report come in their order unless the endpoint says otherwise, also when the first fails; other reports do not wait', async () => {
  const failing = new Set<string>();
  const { server, tenant, receiver } = await receive((response, { webhookId }, count) => {
    if (count === 0) failing.add(webhookId);
    response.writeHead(failing.has(webhookId) ? 500 : 200).end();
  });
  const { id } = await tenant.add({ url: receiver.url });
  const [first = ''] = await tenant.happen(1, { type: 'report.challenged' });
  await eventually(() => expect(receiver.received.length).toBe(1));
  await tenant.settled(id, 'pending', 1);
  await server.query(`update webhook_deliveries set next_attempt_at = now() + interval '1 h' where endpoint_id = $1`, [
    id,
  ]);
  for (const type of ['challenge.sent', 'challenge.verified', 'report.completed']) {
    await tenant.happen(1, { type, reportId: first });
  }
  const [other] = await tenant.happen(1);
  await eventually(() => expect(receiver.received.length).toBe(2));
  await laterOneArrived(server);
  expect(receiver.received.map(({ event }) => event.data['creditReportId'])).toEqual([first, other]);
  failing.clear();
  await makeDue(server, id);
  await eventually(() => expect(receiver.received.length).toBe(6));
  const accepted = receiver.received.slice(2).map(({ event }) => event.type);
  expect(accepted).toEqual([
    'credit-report.challenged',
    'challenge.sent',
    'challenge.verified',
    'credit-report.completed',
  ]);
});

test('replay: all events since an instant again, those from before the endpoint too, with their ids', async () => {
  const { server, tenant, receiver } = await receive();
  await tenant.happen(3);
  await server.query(`update outbox set created_at = now() - interval '2 days' where tenant_id = $1`, [
    tenant.tenantId,
  ]);
  await tenant.happen(2);
  await eventually(async () => expect(await countNotHandedOut(server)).toBe(0));
  const { id } = await tenant.add({ url: receiver.url });
  await tenant.happen(2);
  await eventually(() => expect(receiver.received.length).toBe(2));
  const since = new Date(Date.now() - 86_400_000).toISOString();
  expect((await tenant.call('POST', `/${id}/replay`, { since })).data).toMatchObject({ id, since });
  await eventually(() => expect(receiver.received.length).toBe(6));
  expect(new Set(receiver.received.map(({ webhookId }) => webhookId)).size).toBe(4);
  await tenant.call('POST', `/${id}/replay`, { since: '2026-01-01' });
  await eventually(() => expect(receiver.received.length).toBe(13));
  await laterOneArrived(server);
  expect(receiver.received).toHaveLength(13);
  expect(await server.query('select from webhook_endpoints where replay_since is not null')).toEqual([]);
});
