// Many events at once, several nodes, and a worker that dies: each event is handed out once, in order, and arrives.
import { expect, test } from 'vitest';
import { eventually } from '../../../tools/testing/eventually.ts';
import type { TestServer } from '../harness.ts';
import { grave } from '../support/grave.ts';
import { seededRandom, tellSeed } from '../support/seed.ts';
import { countNotHandedOut, makeDue, useWebhookServer } from '../support/webhooks.ts';

const { receive } = useWebhookServer();

/** What has still to arrive. */
const countUnderWay = async (server: TestServer, endpointId: string) =>
  (await countNotHandedOut(server)) +
  (await server.query(`select from webhook_deliveries where endpoint_id = $1 and state <> 'delivered'`, [endpointId]))
    .length;

test('in order under load: 40 reports with 5 events each, with failures, in order and each at least once', async () => {
  tellSeed();
  const random = seededRandom();
  const seen = new Map<string, string[]>();
  const { server, tenant, receiver } = await receive((response, { event }) => {
    const isGood = random() > 0.2;
    const report = String(event.data['creditReportId']);
    if (isGood) seen.set(report, [...(seen.get(report) ?? []), event.type]);
    response.writeHead(isGood ? 200 : 500).end();
  });
  const { id } = await tenant.add({ url: receiver.url });
  const types = [
    'report.challenged',
    'challenge.sent',
    'challenge.delivered',
    'challenge.verified',
    'report.completed',
  ];
  const reports = await tenant.happen(40, { type: types[0] ?? '' });
  for (const type of types.slice(1)) for (const reportId of reports) await tenant.happen(1, { type, reportId });
  await eventually(async () => {
    await makeDue(server, id);
    expect(await countUnderWay(server, id)).toBe(0);
  });
  const told = types.map((type) => type.replace(/^report/, 'credit-report'));
  await grave('events', () => {
    expect(seen.size).toBe(40);
    for (const order of seen.values()) expect(new Set(order)).toEqual(new Set(told));
  });
  for (const order of seen.values()) expect(order).toEqual(told);
}, 90_000);

test('three nodes at once: every event is handed out and accepted exactly once', async () => {
  const { server, tenant, receiver } = await receive();
  const { id } = await tenant.add({ url: receiver.url });
  const nodes = [await server.startNode(), await server.startNode()];
  try {
    for (let batch = 0; batch < 6; batch += 1) await tenant.happen(50);
    await eventually(async () => expect(await countUnderWay(server, id)).toBe(0));
    const handedOut = await server.query(
      'select count(*)::int, count(distinct event_id)::int as events from webhook_deliveries where endpoint_id = $1',
      [id],
    );
    await grave('events', () => {
      expect(handedOut).toEqual([{ count: 300, events: 300 }]);
      expect(new Set(receiver.received.map(({ webhookId }) => webhookId)).size).toBe(300);
    });
    expect(receiver.received).toHaveLength(300);
  } finally {
    for (const node of nodes) await node.close();
  }
}, 60_000);

test('a worker that dies with an attempt under way: another sends it after the lease, with the same id', async () => {
  const { server, tenant, receiver } = await receive();
  const { id } = await tenant.add({ url: receiver.url });
  await tenant.happen(1);
  await tenant.settled(id, 'delivered', 1);
  await server.query(
    `update webhook_deliveries set state = 'pending', fence = fence + 1, leased_until = now() + interval '1 s',
            next_attempt_at = now() + interval '1 s' where endpoint_id = $1`,
    [id],
  );
  await server.query(`update webhook_turns set look_at = now() + interval '1 s' where endpoint_id = $1`, [id]);
  await tenant.settled(id, 'delivered', 2);
  expect(new Set(receiver.received.map(({ webhookId }) => webhookId)).size).toBe(1);
});
