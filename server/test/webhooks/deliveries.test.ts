// Deliveries through a real server to real receivers: signed, repeated, bounded, caught up, and in order where asked.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../../../tools/testing/eventually.ts';
import type { TestServer } from '../harness.ts';
import { type Mailbox, startMailbox } from '../support/mailbox.ts';
import { auditOf } from '../support/people.ts';
import { answer, type Behaviour, type Receiver, verify } from '../support/receiver.ts';
import {
  addWebhookTenant,
  countNotHandedOut,
  makeDue,
  startWebhookServer,
  useReceivers,
  type WebhookTenant,
} from '../support/webhooks.ts';

let server: TestServer;
let mailbox: Mailbox;
let tenant: WebhookTenant;
const openReceiver = useReceivers();
beforeAll(async () => {
  mailbox = await startMailbox();
  server = await startWebhookServer({ environment: mailbox.environment });
});
afterAll(async () => {
  await server.close();
  await mailbox.stop();
});

async function receive(behaviour?: Behaviour): Promise<Receiver> {
  tenant = await addWebhookTenant(server);
  return openReceiver(behaviour);
}
/** An event of another tenant that happens now has arrived: what was due before it is not on its way any more. */
async function laterOneArrived(): Promise<void> {
  const [other, receiver] = [await addWebhookTenant(server), await openReceiver()];
  await other.add({ url: receiver.url });
  await other.happen(1);
  await eventually(() => expect(receiver.received.length).toBe(1));
}

test('an event arrives, signed so that the library of the specification accepts it', async () => {
  const receiver = await receive();
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
  const receiver = await receive();
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
  await laterOneArrived();
  const seen = receiver.received.map(({ path, event }) => `${path} ${event.type} ${event.test}`).toSorted();
  expect(seen).toEqual([
    '/hook/all credit-report.completed false',
    '/hook/all credit-report.failed false',
    '/hook/failed credit-report.failed false',
    '/hook/test credit-report.completed true',
  ]);
});

test('500: tried again with the same id and a new timestamp, ten times over three days, then given up', async () => {
  const receiver = await receive(answer(500, {}, 'broken'));
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
  await laterOneArrived();
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
  const receiver = await receive(answer(status, { location: elsewhere.url }));
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
  const receiver = await receive(answer(status, { 'retry-after': retryAfter }));
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
  const receiver = await receive(answer(410));
  const { id } = await tenant.add({ url: receiver.url });
  await tenant.happen(1);
  await eventually(async () => expect((await tenant.read(id)).status).toBe('disabled'));
  expect((await tenant.read(id)).disabledReason).toBe('gone');
  expect((await mailbox.wait(tenant.owner.email)).subject).toBe('A webhook endpoint of Test Claims was disabled');
  await tenant.happen(2);
  await eventually(async () => expect((await tenant.deliveries(id)).length).toBe(3));
  await laterOneArrived();
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
  const receiver = await receive(answer(500));
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
  await laterOneArrived();
  expect(receiver.received).toHaveLength(before);
  receiver.behave(answer(200));
  await tenant.call('PATCH', `/${id}`, { status: 'enabled' });
  await eventually(async () => expect((await tenant.deliveries(id, '?state=delivered')).length).toBe(5));
});

test('a new address begins five days of its own, and gets what was given up at the old one', async () => {
  const old = await receive(answer(500));
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
  const receiver = await receive((response) => {
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
  const receiver = await receive((response) => {
    response.writeHead(200).write('half');
  });
  const { id } = await tenant.add({ url: receiver.url });
  await tenant.happen(1);
  await tenant.settled(id, 'delivered', 1);
  expect((await tenant.deliveries(id))[0]?.attempts[0]?.answer).toBe('half');
});

test('the events of one report come in their order unless the endpoint says otherwise, also when the first fails; other reports do not wait', async () => {
  const failing = new Set<string>();
  const receiver = await receive((response, { webhookId }, count) => {
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
  await laterOneArrived();
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

test('rotation: for a day two signatures, then one; a second rotation ends the oldest secret', async () => {
  const receiver = await receive();
  const { id, secret: oldest } = await tenant.add({ url: receiver.url });
  const { secret: middle } = (await tenant.call('POST', `/${id}/rotate-secret`)).data as { secret: string };
  const next = async () => {
    const before = receiver.received.length;
    await tenant.happen(1);
    await eventually(() => expect(receiver.received.length).toBe(before + 1));
    const message = receiver.received.at(-1);
    if (!message) throw new Error('nothing came');
    return message;
  };
  const both = await next();
  verify(oldest, both);
  verify(middle, both);
  expect(both.headers['webhook-signature']?.split(' ')).toHaveLength(2);
  const { secret: newest } = (await tenant.call('POST', `/${id}/rotate-secret`)).data as { secret: string };
  const later = await next();
  verify(middle, later);
  verify(newest, later);
  expect(() => verify(oldest, later)).toThrow();
  await server.query(`update webhook_endpoints set old_secret_until = now() - interval '1 s' where id = $1`, [id]);
  const alone = await next();
  verify(newest, alone);
  expect(() => verify(middle, alone)).toThrow();
});

test('replay: all events since an instant again, those from before the endpoint too, with their ids', async () => {
  const receiver = await receive();
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
  await laterOneArrived();
  expect(receiver.received).toHaveLength(13);
  expect(await server.query('select from webhook_endpoints where replay_since is not null')).toEqual([]);
});

test('resend: one event again at once, with its id; a test message is attempted once', async () => {
  const receiver = await receive();
  const { id } = await tenant.add({ url: receiver.url });
  await tenant.happen(1);
  await tenant.settled(id, 'delivered', 1);
  const [delivery] = await tenant.deliveries(id);
  const resent = await tenant.call('POST', `/deliveries/${delivery?.id}/resend`);
  expect(resent.data).toMatchObject({ id: delivery?.id, state: 'pending', settledAt: null });
  await tenant.settled(id, 'delivered', 2);
  expect(new Set(receiver.received.map(({ webhookId }) => webhookId)).size).toBe(1);
  receiver.behave(answer(500));
  const sent = await tenant.call('POST', `/${id}/test`);
  expect(sent.data).toMatchObject({ eventType: 'webhook.test', state: 'pending', attempts: [] });
  await eventually(async () =>
    expect((await tenant.deliveries(id))[0]).toMatchObject({
      id: sent.data['id'],
      state: 'failed',
      attempts: [{ status: 500 }],
    }),
  );
  expect(receiver.received.at(-1)?.event).toMatchObject({ type: 'webhook.test', test: false, data: {} });
});

test.each([410, 500, 200])(
  '%i, late, from an address that was changed: the endpoint is judged by its new one',
  async (status) => {
    let late: Parameters<Behaviour>[0] | undefined;
    const before = await receive((response) => {
      late = response;
    });
    // At another host: what a host says holds for all its paths.
    const after = await openReceiver(undefined, { host: '127.0.0.2' });
    const { id } = await tenant.add({ url: before.url });
    await tenant.happen(1);
    await eventually(() => expect(before.received.length).toBe(1));
    await tenant.call('PATCH', `/${id}`, { url: after.url });
    const health = () =>
      server.query('select status, failures, failing_since, is_proven from webhook_endpoints where id = $1', [id]);
    const [fresh] = await health();
    late?.writeHead(status).end();
    await eventually(async () => expect((await tenant.deliveries(id))[0]?.attempts.at(-1)?.status).toBe(status));
    // What the old address refused goes to the new one at once, also if it was the last attempt.
    if (status === 200) expect(await health()).toEqual([fresh]);
    else await eventually(() => expect(after.received.length).toBe(1));
    expect(await health()).toMatchObject([{ status: 'enabled', failures: 0, failing_since: null }]);
  },
);

test('the last attempt fails at an address that was changed meanwhile: the new one gets the event', async () => {
  const before = await receive(answer(500));
  const { id } = await tenant.add({ url: before.url });
  await tenant.happen(1);
  await tenant.settled(id, 'pending', 1);
  let late: Parameters<Behaviour>[0] | undefined;
  before.behave((response) => {
    late = response;
  });
  await server.query('update webhook_deliveries set attempts_max = 2 where endpoint_id = $1', [id]);
  await makeDue(server, id);
  await eventually(() => expect(before.received.length).toBe(2));
  const after = await openReceiver();
  await tenant.call('PATCH', `/${id}`, { url: after.url });
  late?.writeHead(500).end();
  await eventually(() => expect(after.received.length).toBe(1));
  await tenant.settled(id, 'delivered', 3);
});

test.each(['sealed_url', 'sealed_secret'])(
  '%s cannot be opened: a failed attempt; others are served',
  async (column) => {
    const receiver = await receive();
    const { id } = await tenant.add({ url: receiver.url });
    await server.query(
      `update webhook_endpoints set ${column} = set_byte(${column}, length(${column}) - 1, get_byte(${column}, length(${column}) - 1) # 1)
      where id = $1`,
      [id],
    );
    await tenant.happen(1);
    const outcome = async () =>
      server.query(
        `select state, webhook_deliveries.attempts, webhook_attempts.error, leased_until from webhook_deliveries
         left join webhook_attempts on delivery_id = webhook_deliveries.id where endpoint_id = $1 order by started_at`,
        [id],
      );
    const error = "The endpoint's address or its secret cannot be read.";
    await eventually(async () =>
      expect(await outcome()).toEqual([{ state: 'pending', attempts: 1, error, leased_until: null }]),
    );
    // The highest number of the column: one more must not end the claims of everybody.
    await server.query('update webhook_deliveries set attempts = 32767 where endpoint_id = $1', [id]);
    await makeDue(server, id);
    const last = { state: 'failed', attempts: 32_000, error, leased_until: null };
    await eventually(async () => expect(await outcome()).toEqual([last, last]));
    const other = await tenant.add({ url: receiver.url });
    await tenant.happen(1);
    await tenant.settled(other.id, 'delivered', 1);
  },
);

test('an answer whose key has left the ring is null; the delivery is listed all the same', async () => {
  const receiver = await receive(answer(200, {}, 'taken'));
  const { id } = await tenant.add({ url: receiver.url });
  await tenant.happen(1);
  await tenant.settled(id, 'delivered', 1);
  await server.query(
    `update webhook_attempts set sealed_answer = '\\x0161' where delivery_id in (select id from webhook_deliveries where endpoint_id = $1)`,
    [id],
  );
  expect((await tenant.deliveries(id))[0]?.attempts).toMatchObject([{ status: 200, answer: null, error: null }]);
});

test('neither an address, a secret nor an answer stands in logs, metrics or the database in clear text', async () => {
  const receiver = await receive(answer(200, {}, 'canary-answer-5117'));
  const { id, secret } = await tenant.add({ url: `${receiver.url}/canary-path-5117?key=canary-query-5117` });
  await tenant.happen(1);
  await tenant.settled(id, 'delivered', 1);
  const [rows] = await server.query<{ text: string }>(
    `select string_agg(line, ' ') as text from (
       select to_jsonb(each)::text as line from webhook_endpoints each union all
       select to_jsonb(each)::text from webhook_deliveries each union all select to_jsonb(each)::text from webhook_attempts each
       union all select to_jsonb(each)::text from audit_log each) as lines`,
  );
  const metrics = await (await fetch(server.metricsAddress)).text();
  expect(metrics).toContain('trefoil_webhook_attempts_total{outcome="delivered"}');
  const seen = `${rows?.text} ${server.logText()} ${metrics}`;
  expect(seen).toContain('hand-out-events');
  for (const word of ['canary-', secret, secret.slice(6), Buffer.from('canary-').toString('hex')]) {
    expect(seen).not.toContain(word);
  }
});
