// What webhooks and the feed say of a report beside the outbox: why it failed, and its reference, as long as the report can be
// read (docs/decisions/0278-reasons-and-references.md).
import type { Event } from '@trefoil/sdk';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../../../tools/testing/eventually.ts';
import type { TestServer } from '../harness.ts';
import { addLiveReport } from '../support/money-states.ts';
import { addPerson, callAs } from '../support/people.ts';
import { addWebhookTenant, startWebhookServer, useReceivers, type WebhookTenant } from '../support/webhooks.ts';

let server: TestServer;
const openReceiver = useReceivers();
beforeAll(async () => {
  server = await startWebhookServer();
});
afterAll(() => server.close());

const REFERENCE = 'case of Mrs Canary-4711';

async function addFailed(tenant: WebhookTenant): Promise<string> {
  const state = { status: 'failed', failure: 'interrupted', reference: REFERENCE } as const;
  const id = await addLiveReport(server, tenant.tenantId, state);
  await tenant.happen(1, { type: 'report.failed', reportId: id });
  return id;
}

/** The reference of each report's event in the feed, as this role reads it. */
async function feedOf({ tenantId }: WebhookTenant, scope?: string): Promise<Record<string, string | undefined>> {
  const reader = await addPerson(server, tenantId, 'developer', scope === undefined ? {} : { scope });
  const { status, data } = await callAs(server, reader, 'GET', `/${tenantId}/v1/events`);
  expect(status).toBe(200);
  const items = data['items'] as Event[];
  for (const event of items) expect(event.data).toMatchObject({ status: 'failed', failureReason: 'interrupted' });
  return Object.fromEntries(items.map((event) => [event.data.creditReportId, event.data.externalReference]));
}

test('the reference is in the feed of readers of reports alone, never in a webhook; stored nowhere in clear; gone with the report', async () => {
  const tenant = await addWebhookTenant(server);
  const receiver = await openReceiver();
  const { id } = await tenant.add({ url: receiver.url });
  const [kept, purged, erased] = [await addFailed(tenant), await addFailed(tenant), await addFailed(tenant)];
  const told = (from = 0) =>
    Object.fromEntries(receiver.received.slice(from).map(({ event }) => [event.data['creditReportId'], event.data]));
  const said = { status: 'failed', cost: 0, failureReason: 'interrupted' };
  await eventually(() => expect(Object.keys(told())).toHaveLength(3));
  // An endpoint may be made by somebody who may not read reports.
  for (const report of [kept, purged, erased]) expect(told()[report]).toEqual({ creditReportId: report, ...said });
  await eventually(async () =>
    expect(await feedOf(tenant)).toEqual({ [kept]: REFERENCE, [purged]: REFERENCE, [erased]: REFERENCE }),
  );
  expect(await feedOf(tenant, 'events:read')).toEqual({ [kept]: undefined, [purged]: undefined, [erased]: undefined });
  const finance = await addPerson(server, tenant.tenantId, 'finance');
  expect((await callAs(server, finance, 'GET', `/${tenant.tenantId}/v1/events`)).status).toBe(403);
  const stored = await server.query(
    `select outbox::text from outbox where tenant_id = $1
      union all select webhook_deliveries::text from webhook_deliveries where tenant_id = $1`,
    [tenant.tenantId],
  );
  expect(stored).toHaveLength(6);
  expect(JSON.stringify(stored)).not.toContain('Canary');
  expect(server.logText()).not.toContain('Canary');

  // Its retention is over, and no job has emptied it yet.
  await server.query(`update credit_reports set settled_at = now() - interval '30 days' where id = $1`, [purged]);
  await server.query('delete from data_keys where credit_report_id = $1', [erased]);
  expect(await feedOf(tenant)).toEqual({ [kept]: REFERENCE, [purged]: undefined, [erased]: undefined });
  await tenant.call('POST', `/${id}/replay`, { since: '2026-01-01' });
  await eventually(() => expect(Object.keys(told(3))).toHaveLength(3));
  for (const report of [kept, purged, erased]) expect(told(3)[report]).toEqual({ creditReportId: report, ...said });
});

test('the audit log says how many references a page of events had; a page without one leaves no row', async () => {
  const tenant = await addWebhookTenant(server);
  await addFailed(tenant);
  const noted = () =>
    server.query('select details from audit_log where tenant_id = $1 and action = $2', [
      tenant.tenantId,
      'report.references-read',
    ]);
  await eventually(async () => expect(Object.values(await feedOf(tenant, 'events:read'))).toEqual([undefined]));
  expect(await noted()).toEqual([]);
  expect(Object.values(await feedOf(tenant))).toEqual([REFERENCE]);
  expect(await noted()).toEqual([{ details: { count: 1 } }]);
});
