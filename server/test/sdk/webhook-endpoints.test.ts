// Webhook endpoints through the client library: a program makes one, receives a report's events, changes the secret, looks
// at the deliveries and gets events again. Its own `webhooks.unwrap` verifies what arrives.
import { TrefoilError, type WebhookDelivery, type WebhookMessage, webhooks } from '@trefoil/sdk';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { eventually } from '../../../tools/testing/eventually.ts';
import { generateBody, type TestServer } from '../harness.ts';
import { expectDescribed } from '../support/events.ts';
import { answer, type Receiver, startReceiver } from '../support/receiver.ts';
import { startWebhookServer } from '../support/webhooks.ts';

let server: TestServer;
let receiver: Receiver;
beforeAll(async () => {
  server = await startWebhookServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  receiver = await startReceiver();
});
afterEach(() => receiver.close());

async function add(changes: object = {}) {
  const { data } = await server.trefoil.createWebhookEndpoint({ url: receiver.url, test: true, ...changes });
  const { secret = '' } = data;
  return { ...data, secret };
}
async function unwrapAll(secret: string): Promise<WebhookMessage[]> {
  const messages = receiver.received.map(({ text, headers }) => webhooks.unwrap(text, headers, secret));
  for (const message of await Promise.all(messages)) expectDescribed(message);
  return Promise.all(messages);
}

async function deliveriesOf(endpointId: string, query = {}): Promise<WebhookDelivery[]> {
  const found: WebhookDelivery[] = [];
  for await (const delivery of server.trefoil.listWebhookDeliveries(endpointId, query)) found.push(delivery);
  return found;
}

test('an endpoint is made, read, listed page by page, changed and deleted', async () => {
  const { secret, ...first } = await add({ description: 'one', eventTypes: ['credit-report.completed'] });
  const { secret: _, ...second } = await add({ ordered: true });
  expect(secret).toMatch(/^whsec_/);
  expect((await server.trefoil.getWebhookEndpoint(first.id)).data).toEqual(first);
  const listed: unknown[] = [];
  for await (const endpoint of server.trefoil.listWebhookEndpoints({ limit: 1 })) listed.push(endpoint);
  expect(listed).toEqual([second, first]);
  const changes = { description: '', eventTypes: null, status: 'disabled' } as const;
  const { data: changed } = await server.trefoil.changeWebhookEndpoint(first.id, changes);
  expect(changed).toEqual({ ...first, ...changes, disabledReason: 'requested' });
  for (const { id } of [first, second]) {
    expect((await server.trefoil.deleteWebhookEndpoint(id)).data).toEqual({ id });
    const error = await server.trefoil.getWebhookEndpoint(id).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(TrefoilError);
    expect(error).toMatchObject({ status: 404, code: 'not-found', message: expect.stringContaining('endpoint') });
  }
  expect((await server.trefoil.listWebhookEndpoints()).data).toEqual({ items: [], nextCursor: null });
});

test('a report arrives, can be sent again and replayed under its id, and the deliveries say what was answered', async () => {
  receiver.behave(answer(200, {}, 'thanks'));
  const { id, secret } = await add({ eventTypes: ['credit-report.completed'] });
  const { data: report } = await server.trefoil.generate(generateBody());
  await eventually(() => expect(receiver.received.length).toBe(1));
  const [event] = await unwrapAll(secret);
  expect(event).toMatchObject({
    type: 'credit-report.completed',
    test: true,
    data: { creditReportId: report.creditReportId },
  });
  await eventually(async () => expect(await deliveriesOf(id, { state: 'delivered' })).toHaveLength(1));
  const [delivery] = await deliveriesOf(id);
  expect(delivery).toMatchObject({ eventId: event?.id, attempts: [{ status: 200, answer: 'thanks', error: null }] });

  expect((await server.trefoil.resendWebhookDelivery(delivery?.id ?? '')).data).toMatchObject({ id: delivery?.id });
  await eventually(() => expect(receiver.received.length).toBe(2));
  await eventually(async () => expect(await deliveriesOf(id, { state: 'delivered' })).toHaveLength(1));
  const since = new Date(Date.now() - 60_000).toISOString();
  expect((await server.trefoil.replayWebhookEvents(id, { since })).data).toMatchObject({
    id,
    since,
    status: 'running',
  });
  await eventually(() => expect(receiver.received.length).toBe(3));
  expect(new Set(receiver.received.map(({ webhookId }) => webhookId))).toEqual(new Set([event?.id]));
  await server.trefoil.deleteWebhookEndpoint(id);
});

test('after a rotation a test message fits the old secret and the new one', async () => {
  const { id, secret } = await add();
  const { data: rotated } = await server.trefoil.rotateWebhookSecret(id);
  expect(rotated.secret).not.toBe(secret);
  expect((await server.trefoil.testWebhookEndpoint(id)).data).toMatchObject({ eventType: 'webhook.test' });
  await eventually(() => expect(receiver.received.length).toBe(1));
  for (const each of [secret, rotated.secret]) {
    expect(await unwrapAll(each)).toMatchObject([{ type: 'webhook.test', data: {} }]);
  }
  await server.trefoil.deleteWebhookEndpoint(id);
});

test('a wrong address: the error names the field and what is wrong with it', async () => {
  const error = await server.trefoil
    .createWebhookEndpoint({ url: 'http://192.168.0.1/hook', test: true })
    .catch((caught: unknown) => caught);
  expect(error).toMatchObject({ status: 400, code: 'validation-error', details: [{ path: '/url' }] });
  expect((error as Error).message).toMatch(/\/url: \w+/);
});
