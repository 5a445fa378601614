// A member leaves who made webhook endpoints and knows their secrets (docs/decisions/0151-what-a-member-made.md).
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../../../tools/testing/eventually.ts';
import type { TestServer } from '../harness.ts';
import { addPerson, auditOf, callAs, type TestPerson } from '../support/people.ts';
import { verify } from '../support/receiver.ts';
import {
  addWebhookTenant,
  type Endpoint,
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

async function addAs(person: TestPerson, { tenantId }: WebhookTenant, url: string): Promise<Endpoint> {
  const { status, data } = await callAs(server, person, 'POST', `/${tenantId}/v1/webhook-endpoints`, { url });
  expect(status).toBe(200);
  return data as unknown as Endpoint;
}

/** Two endpoints of a developer: one they made, one of the owner whose secret they replaced; and one that is none of theirs. */
async function leave() {
  const [tenant, receiver] = [await addWebhookTenant(server), await openReceiver()];
  const developer = await addPerson(server, tenant.tenantId, 'developer');
  const made = await addAs(developer, tenant, `${receiver.url}/made`);
  const replaced = await tenant.add({ url: `${receiver.url}/replaced` });
  const others = await tenant.add({ url: `${receiver.url}/others` });
  const base = `/${tenant.tenantId}/v1`;
  await callAs(server, developer, 'POST', `${base}/webhook-endpoints/${replaced.id}/rotate-secret`);
  const remove = (query = '') => callAs(server, tenant.owner, 'DELETE', `${base}/members/${developer.userId}${query}`);
  const endpoints = [made, replaced].map(({ id }) => ({ endpointId: id, host: '127.0.0.1' }));
  return { tenant, receiver, developer, made, replaced, others, remove, endpoints };
}

test('their endpoints are listed before, and disabled; others go on; enabled again, they get what they missed', async () => {
  const { tenant, receiver, developer, made, replaced, others, remove, endpoints } = await leave();
  expect(await tenant.read(made.id)).toMatchObject({ createdBy: developer.userId });
  expect(await tenant.read(others.id)).toMatchObject({ createdBy: tenant.owner.userId });
  const refused = await remove();
  expect(refused).toMatchObject({ status: 409, code: 'conflict' });
  expect(JSON.parse(refused.reply.text).wouldEnd.webhookEndpoints).toEqual(endpoints);
  expect((await tenant.read(made.id)).status).toBe('enabled');

  const removed = await remove('?confirm=true');
  expect(removed.data).toMatchObject({ disabledWebhookEndpoints: endpoints, rotatedWebhookSecrets: [] });
  for (const { id } of [made, replaced]) {
    expect(await tenant.read(id)).toMatchObject({ status: 'disabled', disabledReason: 'requested' });
  }
  await tenant.happen(1);
  await eventually(async () => expect((await tenant.deliveries(made.id)).length).toBe(1));
  await eventually(() => expect(receiver.received.map(({ path }) => path)).toEqual(['/hook/others']));
  expect((await auditOf(server, tenant.tenantId)).filter(({ action }) => action === 'webhook.disabled')).toMatchObject(
    endpoints.map(({ endpointId }) => ({
      ...{ actor: tenant.owner.userId, subject: endpointId },
      details: { reason: 'requested', makerRemoved: developer.userId },
    })),
  );
  await tenant.call('PATCH', `/${made.id}`, { status: 'enabled' });
  await eventually(() => expect(receiver.received.map(({ path }) => path)).toContain('/hook/made'));
});

test('kept, they go on with new secrets, which are in the answer alone', async () => {
  const { tenant, receiver, made, remove, endpoints } = await leave();
  const removed = await remove('?confirm=true&webhooks=keep');
  const rotated = removed.data['rotatedWebhookSecrets'] as { endpointId: string; host: string; secret: string }[];
  expect(rotated.map(({ endpointId, host }) => ({ endpointId, host }))).toEqual(endpoints);
  expect(removed.data).toMatchObject({ disabledWebhookEndpoints: [] });
  await tenant.happen(1);
  await eventually(() => expect(receiver.received.length).toBe(3));
  const message = receiver.received.find(({ path }) => path === '/hook/made');
  if (!message) throw new Error('nothing came');
  verify(rotated[0]?.secret ?? '', message);
  // For a day the old one signs too: the receiver still has it.
  verify(made.secret, message);
  expect(JSON.stringify(await auditOf(server, tenant.tenantId))).not.toContain(rotated[0]?.secret);
});

test('what a credential of theirs made counts as theirs', async () => {
  const { tenant, developer, remove, endpoints } = await leave();
  await server.query(
    `insert into credentials (tenant_id, id, name, owner_user_id, auth_method, scopes)
     values ($1, gen_random_uuid(), 'Portal', $2, 'client_secret', '{webhooks:write}')`,
    [tenant.tenantId, developer.userId],
  );
  const program = await tenant.add({ url: 'https://hooks.example.com/' });
  await server.query(
    `update webhook_endpoints set created_by = (select id from credentials where tenant_id = $1 and owner_user_id = $2)
      where id = $3`,
    [tenant.tenantId, developer.userId, program.id],
  );
  const refused = await remove();
  expect(JSON.parse(refused.reply.text).wouldEnd.webhookEndpoints).toEqual([
    ...endpoints,
    { endpointId: program.id, host: 'hooks.example.com' },
  ]);
});

test('one of the owner’s that they pointed at their own receiver counts as theirs, until another member chooses its address', async () => {
  const { tenant, developer, others, remove, endpoints } = await leave();
  const own = await openReceiver();
  const path = `/${tenant.tenantId}/v1/webhook-endpoints/${others.id}`;
  expect((await callAs(server, developer, 'PATCH', path, { url: own.url })).status).toBe(200);
  const listed = async () => JSON.parse((await remove()).reply.text).wouldEnd.webhookEndpoints;
  expect(await listed()).toEqual([...endpoints, { endpointId: others.id, host: '127.0.0.1' }]);
  // The same address once more changes nothing, whoever sends it.
  await tenant.call('PATCH', `/${others.id}`, { url: own.url });
  expect(await listed()).toHaveLength(3);
  await tenant.call('PATCH', `/${others.id}`, { url: `${own.url}/chosen` });
  expect(await listed()).toEqual(endpoints);
  await callAs(server, developer, 'PATCH', path, { url: own.url });
  expect((await remove('?confirm=true')).status).toBe(200);
  expect(await tenant.read(others.id)).toMatchObject({ status: 'disabled', disabledReason: 'requested' });
});

test('what an owner’s credential made counts as theirs if they made a secret or a key of it', async () => {
  const { tenant, developer, remove, endpoints } = await leave();
  const programs = await Promise.all([1, 2, 3].map(() => tenant.add({ url: 'https://hooks.example.com/' })));
  const ids = programs.map(({ id }) => id).toSorted();
  for (const id of ids) {
    await server.query(
      `with program as (
         insert into credentials (tenant_id, id, name, owner_user_id, auth_method, scopes)
         values ($1, gen_random_uuid(), 'Portal', $2, 'client_secret', '{webhooks:write}') returning id)
       update webhook_endpoints set created_by = program.id, secret_made_by = program.id from program
        where webhook_endpoints.id = $3`,
      [tenant.tenantId, tenant.owner.userId, id],
    );
  }
  const [withSecret, withKey] = ids;
  // A secret that has ended was one when the endpoint was made.
  await server.query(
    `insert into credential_secrets (tenant_id, credential_id, id, secret_hash, made_by, expires_at)
     select $1, created_by, gen_random_uuid(), decode(repeat('00', 32), 'hex'), $3, now() from webhook_endpoints where id = $2`,
    [tenant.tenantId, withSecret, developer.userId],
  );
  await server.query(
    `update credentials set auth_method = 'private_key_jwt', public_keys = jsonb_build_array(jsonb_build_object('made_by', $3::text))
      where tenant_id = $1 and id = (select created_by from webhook_endpoints where id = $2)`,
    [tenant.tenantId, withKey, developer.userId],
  );
  const refused = await remove();
  expect(JSON.parse(refused.reply.text).wouldEnd.webhookEndpoints).toEqual([
    ...endpoints,
    ...[withSecret, withKey].map((endpointId) => ({ endpointId, host: 'hooks.example.com' })),
  ]);
});

test('one of theirs that is disabled already is listed, and kept with a new secret; it stays disabled', async () => {
  const { tenant, receiver, made, remove, endpoints } = await leave();
  await tenant.call('PATCH', `/${made.id}`, { status: 'disabled' });
  expect(JSON.parse((await remove()).reply.text).wouldEnd.webhookEndpoints).toEqual(endpoints);
  const { data } = await remove('?confirm=true&webhooks=keep');
  const rotated = data['rotatedWebhookSecrets'] as { endpointId: string; secret: string }[];
  expect(rotated.map(({ endpointId }) => endpointId)).toEqual(endpoints.map(({ endpointId }) => endpointId));
  expect((await tenant.read(made.id)).status).toBe('disabled');
  await tenant.happen(1);
  await tenant.call('PATCH', `/${made.id}`, { status: 'enabled' });
  const came = () => receiver.received.find(({ path }) => path === '/hook/made');
  await eventually(() => expect(came()).toBeDefined());
  verify(
    rotated.find(({ endpointId }) => endpointId === made.id)?.secret ?? '',
    came() as NonNullable<ReturnType<typeof came>>,
  );
});

test('one of theirs that a test message may enable is disabled too, and the message is not sent', async () => {
  const { tenant, receiver, made, remove } = await leave();
  // It said that it was gone, and was asked again; its host is paused, so that the test waits.
  await server.query(
    `insert into webhook_hosts (tenant_id, host, paused_until, paused_by) values ($1, '127.0.0.1', now() + interval '1 h', 'receiver')`,
    [tenant.tenantId],
  );
  await server.query(`update webhook_endpoints set status = 'disabled', disabled_reason = 'gone' where id = $1`, [
    made.id,
  ]);
  expect((await tenant.call('PATCH', `/${made.id}`, { status: 'enabled' })).data['status']).toBe('confirming');
  expect((await remove('?confirm=true')).status).toBe(200);
  expect(await tenant.read(made.id)).toMatchObject({ status: 'disabled', disabledReason: 'gone' });
  expect(await tenant.deliveries(made.id)).toMatchObject([
    { eventType: 'webhook.test', state: 'failed', attempts: [] },
  ]);
  expect(receiver.received).toEqual([]);
});
