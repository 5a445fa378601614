// At an endpoint that keeps the order, only the first unsettled event of each report has a time at which it is due.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '../../src/lib/ids.ts';
import { insertDeliveries, type NewDelivery } from '../../src/webhooks/handing-out/hand-out-store.ts';
import { createLineKeeper } from '../../src/webhooks/jobs.ts';
import { freeNext, type Line } from '../../src/webhooks/order-store.ts';
import { updateDeliverySettled } from '../../src/webhooks/settling/attempt-store.ts';
import type { TestServer } from '../harness.ts';
import { addWebhookTenant, startWebhookServer, type WebhookTenant } from '../support/webhooks.ts';

let server: TestServer;
let tenant: WebhookTenant;
let endpointId: string;
beforeAll(async () => {
  server = await startWebhookServer({ environment: { TREFOIL_JOBS: 'off' } });
  tenant = await addWebhookTenant(server);
  endpointId = (await tenant.add({ url: 'http://127.0.0.1:1024/', ordered: true })).id;
});
afterAll(() => server.close());

let place = 0;
const newDelivery = (creditReportId: string): NewDelivery => ({
  ...{
    deliveryId: newId(),
    tenantId: tenant.tenantId,
    endpointId,
    eventId: randomUUID(),
    eventType: 'credit-report.completed',
  },
  ...{ isTest: false, isOrdered: true, creditReportId, place: { xactId: '1', id: ++place }, body: '{}' },
  happenedAt: '2026-03-02T10:15:00.000Z',
});
const insert = (deliveries: readonly NewDelivery[], isReplay = false) =>
  server.database.asSystem((tx) => insertDeliveries(tx, deliveries, { attemptsMax: 10, isReplay }));
const lineOf = ({ creditReportId }: NewDelivery): Line => ({ endpointId, creditReportId: creditReportId ?? '' });
const settle = (delivery: NewDelivery) =>
  server.database.forTenants([tenant.tenantId], async (tx) => {
    const { tenantId, deliveryId: id } = delivery;
    await updateDeliverySettled(tx, { tenantId, id, fence: 0 }, { state: 'delivered' });
    await freeNext(tx, [lineOf(delivery)]);
  });

/** Of the deliveries, those that can be claimed. */
async function listDue(deliveries: readonly NewDelivery[]): Promise<NewDelivery[]> {
  const due = await server.query<{ id: string }>(
    `select id from webhook_deliveries where id = any ($1) and state = 'pending' and next_attempt_at <= now()`,
    [deliveries.map(({ deliveryId }) => deliveryId)],
  );
  return deliveries.filter(({ deliveryId }) => due.some(({ id }) => id === deliveryId));
}

const makeLine = (count: number) => {
  const creditReportId = newId();
  return Array.from({ length: count }, () => newDelivery(creditReportId));
};

test('one after the other is due; the others say what they wait for', async () => {
  const line = makeLine(3);
  const [first, second, third] = line as [NewDelivery, NewDelivery, NewDelivery];
  // The order in which they are handed out decides nothing.
  await insert([third, first]);
  await insert([second]);
  expect(await listDue(line)).toEqual([first]);
  const shown = await tenant.deliveries(endpointId);
  expect(shown.find(({ id }) => id === first.deliveryId)).toMatchObject({ waitsFor: null });
  expect(shown.find(({ id }) => id === third.deliveryId)).toMatchObject({
    waitsFor: 'earlier-event',
    nextAttemptAt: null,
  });
  await settle(first);
  expect(await listDue(line)).toEqual([second]);
  await settle(second);
  expect(await listDue(line)).toEqual([third]);
});

test('an earlier event that is sent again comes first', async () => {
  const line = makeLine(2);
  const [first, second] = line as [NewDelivery, NewDelivery];
  await insert([first, second]);
  await settle(first);
  await tenant.call('POST', `/deliveries/${first.deliveryId}/resend`);
  expect(await listDue(line)).toEqual([first]);
  await server.query(`update webhook_deliveries set fence = 0 where id = $1`, [first.deliveryId]);
  await settle(first);
  await settle(second);
  await insert([second, first], true);
  expect(await listDue(line)).toEqual([first]);
});

test('an endpoint that is enabled again gets what was given up in order', async () => {
  const line = makeLine(3);
  await insert(line);
  await server.query(
    `update webhook_deliveries set state = 'failed', settled_at = now(), next_attempt_at = now() where id = any ($1)`,
    [line.map(({ deliveryId }) => deliveryId)],
  );
  await server.query(`update webhook_endpoints set failing_since = now() - interval '1 h' where id = $1`, [endpointId]);
  await tenant.call('PATCH', `/${endpointId}`, { status: 'disabled' });
  await tenant.call('PATCH', `/${endpointId}`, { status: 'enabled' });
  expect(await listDue(line)).toEqual(line.slice(0, 1));
});

test('an event that is handed out while the one before it is settled is left to nobody', async () => {
  const lines = Array.from({ length: 150 }, () => makeLine(3));
  for (const [first, second, third] of lines as [NewDelivery, NewDelivery, NewDelivery][]) {
    await insert([first]);
    await Promise.all([settle(first), insert([second, third])]);
    expect(await listDue([first, second, third])).toEqual([second]);
  }
});

test('a line whose first event has no time is found and goes on', async () => {
  const lines = Array.from({ length: 5 }, () => makeLine(2));
  await insert(lines.flat());
  const keep = createLineKeeper(server.database);
  expect(await keep()).toBe(0);
  // As a server does that does not know of lines.
  const firsts = lines.map(([first]) => first?.deliveryId);
  await server.query(`update webhook_deliveries set state = 'delivered', settled_at = now() where id = any ($1)`, [
    firsts,
  ]);
  expect(await keep()).toBe(5);
  expect(await listDue(lines.flat())).toHaveLength(5);
});

test('without the order, events that are handed out together are due in their order all the same', async () => {
  const deliveries = Array.from({ length: 50 }, () => ({ ...newDelivery(newId()), isOrdered: false }));
  await insert(deliveries.toReversed());
  const due = await server.query<{ id: string }>(
    'select id from webhook_deliveries where id = any ($1) order by next_attempt_at, gen_random_uuid()',
    [deliveries.map(({ deliveryId }) => deliveryId)],
  );
  expect(due.map(({ id }) => id)).toEqual(deliveries.map(({ deliveryId }) => deliveryId));
});
