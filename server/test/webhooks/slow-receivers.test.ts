// Receivers that are dead, silent or slow, judged by how late the events of others are.
import { expect, test } from 'vitest';
import { eventually } from '../../../tools/testing/eventually.ts';
import { addWebhookTenant, makeDue, useWebhookServer, type WebhookTenant } from '../support/webhooks.ts';

// With the rests of production: delays are judged here.
const { receive, openReceiver } = useWebhookServer(() => ({ overrides: { rests: {} } }));

test('an event arrives within two seconds', async () => {
  const { tenant, receiver } = await receive();
  await tenant.add({ url: receiver.url });
  const startedMs = Date.now();
  await tenant.happen(1);
  await eventually(() => expect(receiver.received.length).toBe(1));
  // Half a second on a quiet machine.
  expect((receiver.received[0]?.atMs ?? Number.POSITIVE_INFINITY) - startedMs).toBeLessThan(2_000);
});

test('a receiver that says nothing is given up on after 15 seconds, and one that hangs up is tried again', async () => {
  const { server, tenant, receiver: silent } = await receive(() => undefined);
  const { id } = await tenant.add({ url: silent.url });
  await tenant.happen(1);
  await eventually(() => expect(silent.received.length).toBe(1));
  await eventually(async () =>
    expect((await tenant.deliveries(id))[0]?.attempts[0]).toMatchObject({
      status: null,
      answer: null,
      error: 'No answer within 15 seconds.',
    }),
  );
  const [made] = (await tenant.deliveries(id))[0]?.attempts ?? [];
  expect(made?.timeTakenMs).toBeGreaterThanOrEqual(15_000);
  expect(made?.timeTakenMs).toBeLessThan(17_000);
  silent.behave((response) => response.destroy());
  await makeDue(server, id);
  await tenant.settled(id, 'pending', 2);
  expect((await tenant.deliveries(id))[0]?.attempts[0]?.error).toBe('The connection failed or broke.');
}, 40_000);

test('dead, silent and slow receivers with 14,000 events due do not delay the events of another', async () => {
  const { server, tenant, receiver: quick } = await receive();
  const silent = await openReceiver(() => undefined);
  const slow = await openReceiver((response) => void setTimeout(() => response.end(), 4_000));
  const others = await addWebhookTenant(server);
  const urls = ['http://127.0.0.1:1024/', slow.url, ...Array.from({ length: 12 }, () => silent.url)];
  const bad: string[] = [];
  for (const url of urls) bad.push((await others.add({ url })).id);
  await others.happen(1_000);
  await eventually(() => expect(silent.received.length).toBeGreaterThan(4));
  const { id } = await tenant.add({ url: quick.url });
  await tenant.add({ url: silent.url });
  const delays: number[] = [];
  for (let count = 1; count <= 8; count += 1) {
    const startedMs = Date.now();
    await tenant.happen(1);
    await eventually(() => expect(quick.received.length).toBe(count));
    delays.push(Date.now() - startedMs);
  }
  // Behind a receiver that hangs each would wait 15 seconds. Other tests may keep the machine busy for a moment.
  expect(delays.toSorted((one, other) => one - other)[4]).toBeLessThan(2_500);
  expect(Math.max(...delays)).toBeLessThan(10_000);
  await eventually(async () => expect((await tenant.deliveries(id, '?state=delivered')).length).toBe(8));
  const due = async () =>
    (await server.query('select from webhook_deliveries where endpoint_id = any ($1)', [bad])).length;
  await eventually(async () => expect(await due()).toBe(14_000));
  // One attempt at a time goes to a receiver that does not answer, and ten to those of one tenant.
  expect(await silent.connections()).toBeLessThanOrEqual(11);
  for (const each of bad) await others.call('DELETE', `/${each}`);
}, 60_000);

test('proven receivers that begin to hang leave their places after three seconds, and get no more', async () => {
  const { server, tenant, receiver: quick } = await receive();
  const { id: quickId } = await tenant.add({ url: quick.url });
  const dying = await openReceiver(() => undefined);
  // More attempts than there are places: eleven tenants with five endpoints, and four attempts at each.
  const others: WebhookTenant[] = [];
  const bad: { each: WebhookTenant; id: string }[] = [];
  for (let number = 0; number < 11; number += 1) {
    const each = await addWebhookTenant(server);
    others.push(each);
    for (let count = 0; count < 5; count += 1) bad.push({ each, id: (await each.add({ url: dying.url })).id });
  }
  const ids = bad.map(({ id }) => id);
  await server.query('update webhook_endpoints set is_proven = true where id = any ($1)', [[...ids, quickId]]);
  for (const each of others) await each.happen(20);
  await eventually(() => expect(dying.received.length).toBeGreaterThanOrEqual(200));
  const startedMs = Date.now();
  const fresh = await openReceiver();
  await tenant.add({ url: fresh.url });
  await tenant.happen(1);
  await eventually(() => expect([quick.received.length, fresh.received.length]).toEqual([1, 1]));
  // Behind them it would be 15 seconds.
  expect(Date.now() - startedMs).toBeLessThan(9_000);
  const proven = async () =>
    (await server.query('select from webhook_endpoints where id = any ($1) and is_proven', [ids])).length;
  await eventually(async () => expect(await proven()).toBe(0));
  expect(dying.received.length).toBeLessThanOrEqual(220);
  await Promise.all(bad.map(({ each, id }) => each.call('DELETE', `/${id}`)));
}, 90_000);
