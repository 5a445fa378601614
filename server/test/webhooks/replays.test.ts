// Replays end, and one does not get in the way of another.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../../../tools/testing/eventually.ts';
import { type EventCursor, FIRST_CURSOR, getAgeAfter } from '../../src/events/read-events.ts';
import type { Database } from '../../src/lib/postgres/database.ts';
import { replayEvents } from '../../src/webhooks/handing-out/hand-out-events.ts';
import type { TestServer } from '../harness.ts';
import { addWebhookTenant, startWebhookServer, type WebhookTenant } from '../support/webhooks.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startWebhookServer({ environment: { TREFOIL_JOBS: 'off' } });
});
afterAll(() => server.close());

const SINCE = { since: '2026-01-01' };
const replaying = (ids: readonly string[]) =>
  server.query('select id from webhook_endpoints where replay_since is not null and id = any ($1)', [ids]);

/** Transactions of other tests on the same cluster hold events back until they end. */
const readable = () =>
  eventually(async () =>
    expect(await server.query('select from outbox where xact_id >= pg_snapshot_xmin(pg_current_snapshot())')).toEqual(
      [],
    ),
  );

async function addReplay(tenant: WebhookTenant): Promise<string> {
  const { id } = await tenant.add({ url: 'http://127.0.0.1:1024/' });
  expect((await tenant.call('POST', `/${id}/replay`, SINCE)).status).toBe(200);
  await readable();
  return id;
}

test('a replay that cannot be read does not stop those of other tenants', async () => {
  const tenants = [await addWebhookTenant(server), await addWebhookTenant(server), await addWebhookTenant(server)];
  const ids: string[] = [];
  for (const tenant of tenants) {
    await tenant.happen(2);
    ids.push(await addReplay(tenant));
  }
  const [broken] = tenants;
  const partly: Database = {
    asSystem: (work, options) => server.database.asSystem(work, options),
    forTenants: (tenantIds, work) =>
      broken && tenantIds.includes(broken.tenantId)
        ? Promise.reject(new Error('not readable'))
        : server.database.forTenants(tenantIds, work),
  };
  await expect(replayEvents(partly)).rejects.toThrow('not readable');
  expect(await replaying(ids)).toEqual([{ id: ids[0] }]);
  expect(await replayEvents(server.database)).toBe(2);
  expect(await replaying(ids)).toEqual([]);
});

test('a replay since a moment ago does not read the events of weeks', async () => {
  const tenant = await addWebhookTenant(server);
  await tenant.happen(1_200);
  await server.query(`update outbox set created_at = now() - interval '2 hours' where tenant_id = $1`, [
    tenant.tenantId,
  ]);
  await tenant.happen(2);
  const { id } = await tenant.add({ url: 'http://127.0.0.1:1024/' });
  const since = new Date(Date.now() - 60_000).toISOString();
  expect((await tenant.call('POST', `/${id}/replay`, { since })).status).toBe(200);
  await readable();
  let reads = 0;
  const counted: Database = {
    asSystem: (work, options) => server.database.asSystem(work, options),
    forTenants(tenantIds, work) {
      reads += 1;
      return server.database.forTenants(tenantIds, work);
    },
  };
  expect(await replayEvents(counted)).toBe(2);
  // One for the place, one for the page.
  expect(reads).toBe(2);
  expect(await replaying([id])).toEqual([]);
});

test('a tenant whose events never cease: its replay ends all the same', async () => {
  const tenant = await addWebhookTenant(server);
  await tenant.happen(3);
  const id = await addReplay(tenant);
  const stop = new AbortController();
  let reads = 0;
  const busy: Database = {
    asSystem: (work, options) => server.database.asSystem(work, options),
    async forTenants(tenantIds, work) {
      reads += 1;
      if (reads >= 8) stop.abort();
      await tenant.happen(1);
      return server.database.forTenants(tenantIds, work);
    },
  };
  expect(await replayEvents(busy, stop.signal)).toBeGreaterThanOrEqual(3);
  expect(await replaying([id])).toEqual([]);
});

test('the gauge of events that are not handed out: the age of the first after the cursor, and 0 at the end', async () => {
  const tenant = await addWebhookTenant(server);
  const [newest = FIRST_CURSOR] = await server.query<EventCursor>(
    'select xact_id::text as "xactId", id::int from outbox order by xact_id desc, id desc limit 1',
  );
  const age = () => server.database.asSystem((tx) => getAgeAfter(tx, newest));
  expect(await age()).toBe(0);
  await tenant.happen(1);
  await server.query(`update outbox set created_at = now() - interval '100 s' where tenant_id = $1`, [tenant.tenantId]);
  expect(await age()).toBeGreaterThan(99);
  expect(await age()).toBeLessThan(130);
});
