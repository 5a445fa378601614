// What deliveries keep (docs/decisions/0274-what-deliveries-keep.md).
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../../../tools/testing/eventually.ts';
import { limitDeliveries } from '../../src/webhooks/budgets/limit-rows.ts';
import { webhookJobs } from '../../src/webhooks/jobs.ts';
import { BUDGETS } from '../../src/webhooks/rules/budgets.ts';
import type { TestServer } from '../harness.ts';
import {
  addWebhookTenant,
  makeDue,
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

const countAttempts = async ({ tenantId }: WebhookTenant) =>
  (await server.query('select from webhook_attempts where tenant_id = $1', [tenantId])).length;

test('a delivery that is sent again and again keeps its last ten attempts and the age of its event', async () => {
  const receiver = await openReceiver();
  const tenant = await addWebhookTenant(server);
  const { id } = await tenant.add({ url: receiver.url });
  await tenant.happen(1);
  await server.query(`update outbox set created_at = now() - interval '3 days' where tenant_id = $1`, [
    tenant.tenantId,
  ]);
  await tenant.settled(id, 'delivered', 1);
  const [delivery] = await tenant.deliveries(id);
  for (let count = 2; count <= 13; count += 1) {
    await tenant.call('POST', `/deliveries/${delivery?.id}/resend`);
    await eventually(async () => expect((await tenant.deliveries(id))[0]?.state).toBe('delivered'));
    expect(receiver.received).toHaveLength(count);
  }
  expect(await countAttempts(tenant)).toBe(10);
  const shown = (await tenant.deliveries(id))[0]?.attempts ?? [];
  expect(shown).toHaveLength(10);
  // Failing ones too.
  receiver.behave((response) => response.writeHead(500).end());
  await tenant.call('POST', `/deliveries/${delivery?.id}/resend`);
  await eventually(async () => expect((await tenant.deliveries(id))[0]?.attempts[0]?.status).toBe(500));
  await makeDue(server, id);
  await eventually(async () =>
    expect((await tenant.deliveries(id))[0]?.attempts.slice(0, 2).map(({ status }) => status)).toEqual([500, 500]),
  );
  expect(await countAttempts(tenant)).toBe(10);
  // Replayed, at an endpoint that was made later: as old as its event.
  const later = await tenant.add({ url: receiver.url });
  await tenant.call('POST', `/${later.id}/replay`, { since: '2026-01-01' });
  await eventually(async () => expect((await tenant.deliveries(later.id)).length).toBe(1));
  const [age] = await server.query(
    `select touched_at < now() - interval '2 days' as "isOld" from webhook_deliveries where endpoint_id = $1`,
    [later.id],
  );
  expect(age).toEqual({ isOld: true });
});

test('beyond its rows a company loses the oldest accepted ones first, then those given up, then what waits; others lose none', async () => {
  const [tenant, other] = [await addWebhookTenant(server), await addWebhookTenant(server)];
  const { id } = await tenant.add({ url: 'https://hooks.example.com/', ordered: true });
  const kept = await other.add({ url: 'https://hooks.example.com/' });
  await server.query(
    `update webhook_endpoints set status = 'disabled', disabled_reason = 'requested' where id = any ($1)`,
    [[id, kept.id]],
  );
  /** One after the other: their numbers rise with time. */
  const add = (endpointId: string, tenantId: string, states: readonly string[]) =>
    server.query(
      `insert into webhook_deliveries (tenant_id, id, endpoint_id, event_id, event_type, body, attempts_max, state, settled_at,
                                       credit_report_id, place_xact_id, place_event, next_attempt_at)
       select $1, ('00000000-0000-7000-8000-' || lpad(place::text, 12, '0'))::uuid, $2, place::text, '', '{}', 10, state,
              case when state <> 'pending' then now() end, $1, '1', place,
              case when state = 'pending' and place > 8 then 'infinity' else now() end::timestamptz
         from unnest($3::text[]) with ordinality as each (state, place)`,
      [tenantId, endpointId, states],
    );
  const states = [
    'failed',
    'delivered',
    'delivered',
    'failed',
    'delivered',
    'failed',
    'delivered',
    'pending',
    'pending',
  ];
  await add(id, tenant.tenantId, states);
  await add(kept.id, other.tenantId, ['delivered', 'failed', 'pending']);
  const left = async (tenantId: string) =>
    (
      await server.query<{ event_id: string }>(
        'select event_id from webhook_deliveries where tenant_id = $1 order by event_id::int',
        [tenantId],
      )
    ).map(({ event_id }) => Number(event_id));
  expect(await limitDeliveries(server.database.jobs, 7)).toBe(2);
  expect(await left(tenant.tenantId)).toEqual([1, 4, 5, 6, 7, 8, 9]);
  expect(await limitDeliveries(server.database.jobs, 4)).toBe(3);
  expect(await left(tenant.tenantId)).toEqual([4, 6, 8, 9]);
  expect(await limitDeliveries(server.database.jobs, 3)).toBe(1);
  expect(await left(tenant.tenantId)).toEqual([6, 8, 9]);
  expect(await left(other.tenantId)).toEqual([1, 2, 3]);
  await server.query('delete from webhook_deliveries where tenant_id <> $1', [tenant.tenantId]);
  expect(await limitDeliveries(server.database.jobs, 1)).toBe(2);
  // What waited behind the one that was given up is due now.
  expect(
    await server.query(
      'select event_id, next_attempt_at < now() as "isDue" from webhook_deliveries where tenant_id = $1',
      [tenant.tenantId],
    ),
  ).toEqual([{ event_id: '9', isDue: true }]);
  await tenant.call('DELETE', `/${id}`);
});

test('a job of the worker does it, with the number of its budgets', async () => {
  const { tenantId, add } = await addWebhookTenant(server);
  const { id } = await add({ url: 'https://hooks.example.com/' });
  await server.query(
    `insert into webhook_deliveries (tenant_id, id, endpoint_id, event_id, event_type, body, attempts_max, state, settled_at)
     select $1, gen_random_uuid(), $2, place::text, '', '{}', 10, 'delivered', now() from generate_series(1, 9) as place`,
    [tenantId, id],
  );
  // This job neither sends nor measures, and a worker rests a minute before it.
  const unused = undefined as never;
  const jobs = webhookJobs(server.database.jobs, unused, unused, { ...BUDGETS, deliveriesMax: 4 });
  try {
    await jobs.find(({ name }) => name === 'limit-deliveries')?.run();
    expect(await server.query('select from webhook_deliveries where tenant_id = $1', [tenantId])).toHaveLength(4);
  } finally {
    await server.query('delete from webhook_deliveries where tenant_id = $1', [tenantId]);
  }
});

test('a delivery that is sent again while the rows before it go is kept', async () => {
  const { tenantId, add } = await addWebhookTenant(server);
  const { id } = await add({ url: 'https://hooks.example.com/' });
  await server.query(
    `insert into webhook_deliveries (tenant_id, id, endpoint_id, event_id, event_type, body, attempts_max, state, settled_at)
     select $1, ('00000000-0000-7000-8000-' || lpad(place::text, 12, '0'))::uuid, $2, place::text, '', '{}', 10, 'delivered', now()
       from generate_series(1, 1500) as place`,
    [tenantId, id],
  );
  await server.query(
    `create function send_again() returns trigger language plpgsql as $$ begin
       update webhook_deliveries set state = 'pending', settled_at = null, next_attempt_at = 'infinity'
        where tenant_id = old.tenant_id and event_id = '1200';
       return old; end $$`,
  );
  await server.query(
    `create trigger send_again before delete on webhook_deliveries for each row
       when (old.tenant_id = '${tenantId}' and old.event_id = '1') execute function send_again()`,
  );
  try {
    expect(await limitDeliveries(server.database.jobs, 2)).toBe(1_497);
    const left = await server.query<{ event_id: string; state: string }>(
      'select event_id, state from webhook_deliveries where tenant_id = $1 order by event_id::int',
      [tenantId],
    );
    expect(left.map(({ event_id, state }) => `${event_id} ${state}`)).toEqual([
      ...['1200 pending', '1499 delivered', '1500 delivered'],
    ]);
  } finally {
    await server.query('drop function send_again() cascade');
    await server.query('delete from webhook_deliveries where tenant_id = $1', [tenantId]);
  }
});

test('of many times as many rows a run leaves the limit; a company at which it fails does not stop the others', async () => {
  const [failing, tenant] = [await addWebhookTenant(server), await addWebhookTenant(server)];
  const ROWS = 45_000;
  for (const { tenantId, add } of [failing, tenant]) {
    const { id } = await add({ url: 'https://hooks.example.com/' });
    await server.query(
      `insert into webhook_deliveries (tenant_id, id, endpoint_id, event_id, event_type, body, attempts_max, state, settled_at)
       select $1, ('00000000-0000-7000-8000-' || lpad(place::text, 12, '0'))::uuid, $2, place::text, '', '{}', 10, 'delivered', now()
         from generate_series(1, $3::int) as place`,
      [tenantId, id, tenantId === tenant.tenantId ? ROWS : 3],
    );
  }
  await server.query(
    `create function refuse() returns trigger language plpgsql as $$ begin raise 'refused by the test'; end $$`,
  );
  await server.query(
    `create trigger refuse before delete on webhook_deliveries for each row when (old.tenant_id = '${failing.tenantId}')
       execute function refuse()`,
  );
  try {
    await expect(limitDeliveries(server.database.jobs, 2)).rejects.toThrow('refused by the test');
  } finally {
    await server.query('drop trigger refuse on webhook_deliveries');
    await server.query('drop function refuse');
  }
  const left = await server.query('select event_id from webhook_deliveries where tenant_id = $1 order by id', [
    tenant.tenantId,
  ]);
  expect(left).toEqual([{ event_id: String(ROWS - 1) }, { event_id: String(ROWS) }]);
}, 60_000);
