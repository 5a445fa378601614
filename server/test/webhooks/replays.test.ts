// Replays end, and one does not get in the way of another.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../../../tools/testing/eventually.ts';
import { type EventCursor, FIRST_CURSOR, getAgeAfter } from '../../src/events/read-events.ts';
import type { Database } from '../../src/lib/postgres/database.ts';
import { handOutEvents, replayEvents } from '../../src/webhooks/handing-out/hand-out-events.ts';
import type { TestServer } from '../harness.ts';
import { auditOf } from '../support/people.ts';
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

/** When events happened, oldest first. */
const happenAt = (tenant: WebhookTenant, ...times: string[]) =>
  server.query(
    `insert into outbox (tenant_id, type, subject_id, credit_report_id, amount, created_at)
     select $1, 'report.completed', id, id, 0, at
       from (select gen_random_uuid() as id, at from unnest($2::timestamptz[]) with ordinality as each (at, place) order by place) as made`,
    [tenant.tenantId, times],
  );
const dueOf = (id: string) =>
  server.query<{ at: string }>(
    `select to_char(touched_at at time zone 'UTC', 'HH24:MI') as at from webhook_deliveries
      where endpoint_id = $1 and state = 'pending' order by place_event`,
    [id],
  );

test('until ends it: events from since on and before until, and it says how far it is and that it is over', async () => {
  const tenant = await addWebhookTenant(server);
  const day = new Date(Date.now() - 2 * 86_400_000).toISOString().slice(0, 10);
  await happenAt(tenant, ...['09:59', '10:00', '11:00', '12:00'].map((time) => `${day}T${time}:00Z`));
  const { id } = await tenant.add({ url: 'http://127.0.0.1:1024/' });
  const asked = { since: `${day}T10:00:00.000Z`, until: `${day}T12:00:00.000Z` };
  const begun = await tenant.call('POST', `/${id}/replay`, asked);
  const running = { status: 'running', ...asked, onlyFailed: false, reachedAt: null, queued: 0 };
  expect(begun.data).toEqual({ id, ...running, startedAt: expect.stringMatching(/Z$/) });
  expect((await tenant.read(id)).replay).toEqual({ ...running, startedAt: begun.data['startedAt'] });
  await readable();
  expect(await replayEvents(server.database)).toBe(2);
  expect(await dueOf(id)).toEqual([{ at: '10:00' }, { at: '11:00' }]);
  expect((await tenant.read(id)).replay).toMatchObject({
    status: 'ended',
    ...asked,
    reachedAt: asked.until,
    queued: 2,
  });
});

test('until long ago: what happened since is not read', async () => {
  const tenant = await addWebhookTenant(server);
  const day = new Date(Date.now() - 2 * 86_400_000).toISOString().slice(0, 10);
  await happenAt(tenant, `${day}T10:00:00Z`);
  await tenant.happen(1_200);
  const { id } = await tenant.add({ url: 'http://127.0.0.1:1024/' });
  await tenant.call('POST', `/${id}/replay`, { since: day, until: `${day}T11:00:00Z` });
  await readable();
  let reads = 0;
  const counted: Database = {
    asSystem: (work, options) => server.database.asSystem(work, options),
    forTenants(tenantIds, work) {
      reads += 1;
      return server.database.forTenants(tenantIds, work);
    },
  };
  expect(await replayEvents(counted)).toBe(1);
  // One for the place, one for the first of three pages.
  expect(reads).toBe(2);
});

test('onlyFailed: what was given up here, and neither what arrived, nor what waits, nor what it never had', async () => {
  const tenant = await addWebhookTenant(server);
  const { id } = await tenant.add({ url: 'http://127.0.0.1:1024/' });
  const day = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
  const times = ['08:00', '09:00', '10:00', '11:00', '12:00'];
  await happenAt(tenant, ...times.map((time) => `${day}T${time}:00Z`));
  await readable();
  await handOutEvents(server.database);
  await server.query(
    `update webhook_deliveries
        set state = case to_char(touched_at at time zone 'UTC', 'HH24:MI') when '08:00' then 'delivered' when '09:00' then 'pending' else 'failed' end,
            attempts = 10, settled_at = case when to_char(touched_at at time zone 'UTC', 'HH24:MI') <> '09:00' then now() end
      where endpoint_id = $1`,
    [id],
  );
  // One that it does not have any more.
  await server.query(
    `delete from webhook_deliveries where endpoint_id = $1 and to_char(touched_at at time zone 'UTC', 'HH24:MI') = '10:00'`,
    [id],
  );
  const asked = { since: day, until: `${day}T12:00:00Z`, onlyFailed: true };
  expect((await tenant.call('POST', `/${id}/replay`, asked)).data).toMatchObject({ onlyFailed: true });
  expect(await replayEvents(server.database)).toBe(1);
  expect(await dueOf(id)).toEqual([{ at: '09:00' }, { at: '11:00' }]);
  const [revived] = await server.query(
    `select attempts, settled_at, next_attempt_at <= now() as "isDue" from webhook_deliveries
      where endpoint_id = $1 and to_char(touched_at at time zone 'UTC', 'HH24:MI') = '11:00'`,
    [id],
  );
  expect(revived).toEqual({ attempts: 0, settled_at: null, isDue: true });
  expect((await tenant.read(id)).replay).toMatchObject({ status: 'ended', onlyFailed: true, queued: 1 });
  const audit = await auditOf(server, tenant.tenantId);
  expect(audit.at(-1)).toMatchObject({ action: 'webhook.replayed', details: { onlyFailed: true } });
});

test('begun anew while a worker reads a page of it: that page is not handed out', async () => {
  const tenant = await addWebhookTenant(server);
  await tenant.happen(3);
  const id = await addReplay(tenant);
  let isFirst = true;
  const again: Database = {
    forTenants: (tenantIds, work) => server.database.forTenants(tenantIds, work),
    async asSystem(work, options) {
      const found = await server.database.asSystem(work, options);
      // After the list of replays: the same since, and only what failed.
      if (isFirst) {
        isFirst = false;
        expect((await tenant.call('POST', `/${id}/replay`, { ...SINCE, onlyFailed: true })).status).toBe(200);
      }
      return found;
    },
  };
  expect(await replayEvents(again)).toBe(0);
  expect(await replayEvents(server.database)).toBe(0);
  expect((await tenant.read(id)).replay).toMatchObject({ status: 'ended', onlyFailed: true, queued: 0 });
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
