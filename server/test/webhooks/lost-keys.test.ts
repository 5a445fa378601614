// An endpoint whose address or secret cannot be opened, because its key has left the ring: a plain state that its tenant can
// read and mend, and nothing is lost.
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../../../tools/testing/eventually.ts';
import { createSecretSeal } from '../../src/lib/crypto/secret-seal.ts';
import { sealText } from '../../src/webhooks/sealing/sealed-texts.ts';
import type { TestServer } from '../harness.ts';
import { type Receiver, startReceiver, verify } from '../support/receiver.ts';
import { addWebhookTenant, startWebhookServer, type WebhookTenant } from '../support/webhooks.ts';

const UNREADABLE = { status: 'disabled', disabledReason: 'unreadable' };
const ENABLED = { status: 'enabled', disabledReason: null };
const lost = createSecretSeal([{ id: 'lost', key: randomBytes(32) }]);

let server: TestServer;
let receiver: Receiver;
let tenant: WebhookTenant;
beforeAll(async () => {
  server = await startWebhookServer();
  receiver = await startReceiver();
  tenant = await addWebhookTenant(server);
});
afterAll(async () => {
  await server.close();
  await receiver.close();
});

async function lose(id: string, purpose: 'url' | 'secret'): Promise<void> {
  const sealed = sealText(lost, purpose, { tenantId: tenant.tenantId, id }, receiver.url);
  await server.query(`update webhook_endpoints set sealed_${purpose} = $2 where id = $1`, [id, sealed]);
}
const messagesAt = (path: string) => receiver.received.filter((message) => message.path.endsWith(path));

test('its address is lost: read and listed as disabled; a new address enables it, and what was given up arrives', async () => {
  const other = await tenant.add({ url: `${receiver.url}/other` });
  const { id, secret } = await tenant.add({ url: `${receiver.url}/before` });
  await lose(id, 'url');
  expect(await tenant.read(id)).toMatchObject({ url: '', ...UNREADABLE });
  const { items } = (await tenant.call('GET')).data as { items: object[] };
  expect(items).toMatchObject([
    { id, ...UNREADABLE },
    { id: other.id, url: other.url, ...ENABLED },
  ]);
  await tenant.happen(1);
  await eventually(async () =>
    expect((await tenant.deliveries(id))[0]?.attempts[0]?.error).toBe(
      "The endpoint's address or its secret cannot be read.",
    ),
  );
  // Three days later.
  await server.query(
    `update webhook_deliveries set state = 'failed', attempts = 10, settled_at = now() where endpoint_id = $1`,
    [id],
  );
  for (const path of [`/${id}/test`, `/deliveries/${(await tenant.deliveries(id))[0]?.id}/resend`]) {
    expect(await tenant.call('POST', path)).toMatchObject({ status: 409, code: 'conflict' });
  }
  expect((await tenant.call('PATCH', `/${id}`, { status: 'enabled' })).data).toMatchObject(UNREADABLE);

  const changed = await tenant.call('PATCH', `/${id}`, { url: `${receiver.url}/after` });
  expect(changed.data).toMatchObject({ url: `${receiver.url}/after`, ...ENABLED });
  await eventually(() => expect(messagesAt('/after').length).toBe(1));
  for (const message of messagesAt('/after')) verify(secret, message);
});

test('its address and its secret are lost: both must be new', async () => {
  const { id } = await tenant.add({ url: `${receiver.url}/lost` });
  await lose(id, 'url');
  await lose(id, 'secret');
  await tenant.happen(1);
  await eventually(async () => expect((await tenant.deliveries(id))[0]?.attempts.length).toBe(1));
  expect((await tenant.call('PATCH', `/${id}`, { url: `${receiver.url}/both` })).data).toMatchObject(UNREADABLE);
  const { secret, ...rotated } = (await tenant.call('POST', `/${id}/rotate-secret`)).data as { secret: string };
  expect(rotated).toMatchObject(ENABLED);
  await eventually(() => expect(messagesAt('/both').length).toBe(1));
  // The old secret cannot be opened and signs no more.
  for (const message of messagesAt('/both')) {
    verify(secret, message);
    expect(message.headers['webhook-signature']?.split(' ')).toHaveLength(1);
  }
});

test.each([
  ['failing', 'url'],
  ['failing', 'secret'],
  ['gone', 'url'],
] as const)('it was disabled as %s meanwhile, and its %s is lost: a new one enables it', async (reason, purpose) => {
  const path = `/${reason}-${purpose}`;
  const { id } = await tenant.add({ url: `${receiver.url}${path}` });
  await lose(id, purpose);
  await tenant.happen(1);
  await eventually(async () => expect((await tenant.deliveries(id))[0]?.attempts.length).toBe(1));
  // Five days later; the first delivery was given up after three.
  await server.query(
    `update webhook_endpoints set status = 'disabled', disabled_reason = $2, failing_since = now() - interval '5 days'
      where id = $1`,
    [id, reason],
  );
  await server.query(
    `update webhook_deliveries set state = 'failed', attempts = 10, settled_at = now() - interval '2 days'
      where endpoint_id = $1`,
    [id],
  );
  expect(await tenant.read(id)).toMatchObject(UNREADABLE);
  const mended = await (purpose === 'url'
    ? tenant.call('PATCH', `/${id}`, { url: `${receiver.url}${path}` })
    : tenant.call('POST', `/${id}/rotate-secret`));
  // One that said it was gone has to accept a test message first.
  expect(mended.data).toMatchObject(reason === 'gone' ? { status: 'confirming' } : ENABLED);
  await eventually(() => expect(messagesAt(path).length).toBe(reason === 'gone' ? 2 : 1));
  expect(await tenant.read(id)).toMatchObject(ENABLED);
});

test('one that can be read and is disabled as failing stays so with a new address, until it is enabled', async () => {
  const { id } = await tenant.add({ url: `${receiver.url}/moved` });
  await server.query(`update webhook_endpoints set status = 'disabled', disabled_reason = 'failing' where id = $1`, [
    id,
  ]);
  const changed = await tenant.call('PATCH', `/${id}`, { url: `${receiver.url}/moved-again` });
  expect(changed.data).toMatchObject({ status: 'disabled', disabledReason: 'failing' });
});

test('its tenant had disabled it: with a new address it is as it was, and deleting needs no key', async () => {
  const { id } = await tenant.add({ url: `${receiver.url}/quiet` });
  await tenant.call('PATCH', `/${id}`, { status: 'disabled' });
  await lose(id, 'url');
  expect(await tenant.read(id)).toMatchObject({ url: '', ...UNREADABLE });
  const changed = await tenant.call('PATCH', `/${id}`, { url: `${receiver.url}/quiet` });
  expect(changed.data).toMatchObject({ status: 'disabled', disabledReason: 'requested' });
  await lose(id, 'url');
  expect((await tenant.call('DELETE', `/${id}`)).status).toBe(200);
});
