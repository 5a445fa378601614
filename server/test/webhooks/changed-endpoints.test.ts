// What changes at an endpoint while its deliveries are under way: its secret, its address, keys that are lost; and what is kept of it.
import { expect, test } from 'vitest';
import { eventually } from '../../../tools/testing/eventually.ts';
import { answer, type Behaviour, verify } from '../support/receiver.ts';
import { makeDue, useWebhookServer } from '../support/webhooks.ts';

const { receive, openReceiver } = useWebhookServer();

test('rotation: for a day two signatures, then one; a second rotation ends the oldest secret', async () => {
  const { server, tenant, receiver } = await receive();
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

test('resend: one event again at once, with its id; a test message is attempted once', async () => {
  const { tenant, receiver } = await receive();
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
    const {
      server,
      tenant,
      receiver: before,
    } = await receive((response) => {
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
  const { server, tenant, receiver: before } = await receive(answer(500));
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
    const { server, tenant, receiver } = await receive();
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
  const { server, tenant, receiver } = await receive(answer(200, {}, 'taken'));
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
  const { server, tenant, receiver } = await receive(answer(200, {}, 'canary-answer-5117'));
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
