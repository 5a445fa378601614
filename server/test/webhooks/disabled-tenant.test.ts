// An operator stops a tenant or one of its endpoints under load: nothing more is sent, nothing is lost, and others go on.
import type { ServerResponse } from 'node:http';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../../../tools/testing/eventually.ts';
import { replayEvents } from '../../src/webhooks/handing-out/hand-out-events.ts';
import { findDeliveryQueue } from '../../src/webhooks/jobs.ts';
import type { TestServer } from '../harness.ts';
import { jsonHere, runHere, sayHere } from '../support/command-line.ts';
import { auditOf } from '../support/people.ts';
import { answer, type Receiver } from '../support/receiver.ts';
import { addWebhookTenant, countNotHandedOut, startWebhookServer, useReceivers } from '../support/webhooks.ts';

const MANY = 40;
const AT_ONCE = 5;

let server: TestServer;
const openReceiver = useReceivers();
beforeAll(async () => {
  server = await startWebhookServer();
});
afterAll(() => server.close());

const count = async (text: string, id: string) => (await server.query(text, [id])).length;
const countPending = (id: string) =>
  count(`select from webhook_deliveries where endpoint_id = $1 and state = 'pending'`, id);
const countUnderWay = (id: string) =>
  count(
    `select from webhook_deliveries where endpoint_id = $1 and state = 'pending' and leased_until > clock_timestamp()`,
    id,
  );

/** A tenant of which many deliveries wait while some are being sent; those are answered when `release` is called. */
async function loadTenant() {
  const [tenant, receiver] = [await addWebhookTenant(server), await openReceiver()];
  const held: ServerResponse[] = [];
  receiver.behave((response, _received, before) => {
    if (before < AT_ONCE) response.writeHead(204).end();
    else held.push(response);
  });
  const { id } = await tenant.add({ url: receiver.url });
  await tenant.happen(MANY);
  await eventually(() => expect(held.length).toBeGreaterThan(0));
  const release = () => {
    receiver.behave(answer(204));
    for (const response of held) response.writeHead(204).end();
  };
  return { tenant, receiver, id, release };
}

/** Attempts under way have ended, and an event of another tenant that happens afterwards has arrived. */
async function quiet(endpointId: string): Promise<void> {
  await eventually(async () => expect(await countUnderWay(endpointId)).toBe(0));
  const [other, receiver] = [await addWebhookTenant(server), await openReceiver()];
  await other.add({ url: receiver.url });
  await other.happen(1);
  await eventually(() => expect(receiver.received.length).toBe(1));
}

const arrived = ({ received }: Receiver) => new Set(received.map(({ webhookId }) => webhookId)).size;

test('tenant disable under load: no delivery begins any more, and what waited is sent after enabling', async () => {
  const { tenant, receiver, id, release } = await loadTenant();
  const said = await jsonHere(server, 'tenant', 'disable', '--tenant', tenant.tenantId);
  release();
  expect(said).toMatchObject({ isEnabled: false, webhooks: { endpoints: 1, deliveriesWaiting: expect.any(Number) } });
  await quiet(id);
  const sent = receiver.received.length;
  // What happens meanwhile waits too.
  await tenant.happen(3);
  await eventually(async () => expect(await countPending(id)).toBe(MANY + 3 - sent));
  await quiet(id);
  expect([receiver.received.length, sent < MANY]).toEqual([sent, true]);
  // It is not our delay: neither an alert nor the doctor counts it.
  expect(await findDeliveryQueue(server.database)).toMatchObject({ waiting: 0 });
  expect(await sayHere(server, 'webhook', 'list', '--tenant', tenant.tenantId)).toMatch(
    new RegExp(`^${id}  127\\.0\\.0\\.1\\S* +live +tenant disabled +${MANY + 3 - sent} `, 'm'),
  );
  expect(await sayHere(server, 'tenant', 'enable', '--tenant', tenant.tenantId)).toContain(
    `Webhook endpoints: 1; deliveries that wait: ${MANY + 3 - sent}.`,
  );
  await eventually(() => expect(arrived(receiver)).toBe(MANY + 3));
});

test('a delivery that takes long to begin is not sent once its tenant is disabled, and is sent after enabling', async () => {
  const [tenant, receiver] = [await addWebhookTenant(server), await openReceiver()];
  const { id } = await tenant.add({ url: receiver.url });
  const session = new Client({ connectionString: server.config.database.ownerUrl });
  await session.connect();
  try {
    // Its receiver has accepted nothing yet, so it waits to be counted. Events would wait for the end of a stronger lock.
    await session.query('begin');
    await session.query('lock table webhook_uses in exclusive mode');
    await tenant.happen(1);
    await eventually(async () => expect(await countUnderWay(id)).toBe(1));
    await sayHere(server, 'tenant', 'disable', '--tenant', tenant.tenantId);
    const claimedBefore = `select from webhook_deliveries where endpoint_id = $1 and leased_until < clock_timestamp() + interval '43 s'`;
    await eventually(async () => expect(await count(claimedBefore, id)).toBe(1));
    await session.query('commit');
  } finally {
    await session.end();
  }
  await quiet(id);
  expect([receiver.received.length, await countPending(id)]).toEqual([0, 1]);
  await sayHere(server, 'tenant', 'enable', '--tenant', tenant.tenantId);
  await eventually(() => expect(arrived(receiver)).toBe(1));
  // Nothing was counted as an attempt but the one that was made.
  await tenant.settled(id, 'delivered', 1);
});

test('a replay of a disabled tenant stands still, and goes on after enabling', async () => {
  const [tenant, receiver] = [await addWebhookTenant(server), await openReceiver()];
  await tenant.happen(2);
  // Until transactions of other tests on the same cluster have ended, the events cannot be read.
  const unread = 'select from outbox where tenant_id = $1 and xact_id >= pg_snapshot_xmin(pg_current_snapshot())';
  await eventually(async () => expect(await count(unread, tenant.tenantId)).toBe(0));
  await eventually(async () => expect(await countNotHandedOut(server)).toBe(0));
  const { id } = await tenant.add({ url: receiver.url });
  await sayHere(server, 'tenant', 'disable', '--tenant', tenant.tenantId);
  await server.query(
    `update webhook_endpoints set replay_since = '2026-01-01', replay_xact_id = '0', replay_event = 0 where id = $1`,
    [id],
  );
  const replaying = 'select from webhook_endpoints where id = $1 and replay_since is not null';
  expect(await replayEvents(server.database)).toBe(0);
  expect(await count(replaying, id)).toBe(1);
  await sayHere(server, 'tenant', 'enable', '--tenant', tenant.tenantId);
  await eventually(async () => expect(await count(replaying, id)).toBe(0));
  await eventually(() => expect(arrived(receiver)).toBe(2));
});

test('webhook disable stops one endpoint; its tenant sees that, enables it, and gets what waited', async () => {
  const { tenant, receiver, id, release } = await loadTenant();
  const said = await sayHere(server, 'webhook', 'disable', '--endpoint', id);
  release();
  expect(said).toBe(`Webhook endpoint ${id} of tenant ${tenant.tenantId} is disabled. Nothing more is sent to it.`);
  await quiet(id);
  const sent = receiver.received.length;
  await quiet(id);
  expect([receiver.received.length, sent < MANY]).toEqual([sent, true]);
  expect(await tenant.read(id)).toMatchObject({ status: 'disabled', disabledReason: 'requested' });
  const audit = await auditOf(server, tenant.tenantId);
  expect(audit.at(-1)).toMatchObject({ actor: 'operator', action: 'webhook.disabled', subject: id });
  // Once more changes nothing, and is not in the log.
  expect(await sayHere(server, 'webhook', 'disable', '--endpoint', id)).toBe(said);
  expect(await auditOf(server, tenant.tenantId)).toHaveLength(audit.length);
  expect(await jsonHere(server, 'webhook', 'list', '--tenant', tenant.tenantId)).toMatchObject({
    endpoints: [{ id, status: 'disabled', disabledReason: 'requested', waiting: MANY - sent }],
  });
  await tenant.call('PATCH', `/${id}`, { status: 'enabled' });
  await eventually(() => expect(arrived(receiver)).toBe(MANY));
});

test('exit 1: an endpoint that there is not, and one that was deleted', async () => {
  const tenant = await addWebhookTenant(server);
  const { id } = await tenant.add({ url: 'http://127.0.0.1:1024/' });
  await tenant.call('DELETE', `/${id}`);
  for (const each of [id, tenant.tenantId]) {
    const { code, stderr } = await runHere(server, 'webhook', 'disable', '--endpoint', each);
    expect([code, stderr]).toEqual([1, expect.stringContaining(`There is no webhook endpoint ${each};`)]);
  }
  expect(await sayHere(server, 'webhook', 'list', '--tenant', tenant.tenantId)).toContain('no webhook endpoints');
});
