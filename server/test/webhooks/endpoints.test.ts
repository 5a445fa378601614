// Webhook endpoints over HTTP: what may be made and changed, by whom, and how everything else is refused.
import { SCOPES } from '@trefoil/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createCredential } from '../../src/identity/credentials/change-credential.ts';
import { forgetNow } from '../../src/lib/postgres/retention.ts';
import { WEBHOOK_DELIVERIES, WEBHOOK_ENDPOINTS } from '../../src/webhooks/jobs.ts';
import { startServer, type TestServer } from '../harness.ts';
import { LITERAL_TRICKS } from '../support/inside-tricks.ts';
import { addPerson, auditOf, callAs } from '../support/people.ts';
import { goodClaims, signToken } from '../support/tokens.ts';
import { addWebhook, addWebhookTenant, type WebhookTenant } from '../support/webhooks.ts';

let server: TestServer;
let tenant: WebhookTenant;
beforeAll(async () => {
  // As in production: no network inside is allowed. Jobs are off, so that nothing is sent.
  server = await startServer({ environment: { TREFOIL_JOBS: 'off' } });
  tenant = await addWebhookTenant(server);
});
afterAll(() => server.close());

const URL_GOOD = 'https://hooks.example.com/trefoil';
type Refusal = { readonly code: string; readonly details?: { path: string; message: string }[] };
const refusalOf = (reply: { text: string }) => JSON.parse(reply.text) as Refusal;

test('an endpoint is made, read, listed, changed and deleted; only create and rotate show a secret', async () => {
  const made = await tenant.call('POST', '', {
    url: URL_GOOD,
    description: 'Claims portal',
    eventTypes: ['credit-report.completed'],
    ordered: true,
  });
  expect(made.status).toBe(200);
  const { secret, ...endpoint } = made.data as Record<string, unknown> & { secret: string; id: string };
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(endpoint).toEqual({
    id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    url: URL_GOOD,
    description: 'Claims portal',
    eventTypes: ['credit-report.completed'],
    test: false,
    ordered: true,
    status: 'enabled',
    disabledReason: null,
    retrying: 0,
    createdBy: tenant.owner.userId,
    createdAt: expect.stringMatching(/Z$/),
    replay: null,
  });
  const path = `/${endpoint.id}`;
  expect((await tenant.call('GET', path)).data).toEqual(endpoint);
  expect((await tenant.call('GET', path.toUpperCase())).data).toEqual(endpoint);
  expect((await tenant.call('GET')).data['items']).toEqual([endpoint]);
  const changes = { url: `${URL_GOOD}/2`, description: '', eventTypes: null, ordered: false, status: 'disabled' };
  const changed = { ...endpoint, ...changes, disabledReason: 'requested' };
  expect((await tenant.call('PATCH', path, changes)).data).toEqual(changed);
  expect((await tenant.call('PATCH', path, { status: 'enabled' })).data).toMatchObject({ status: 'enabled' });
  const rotated = await tenant.call('POST', `${path}/rotate-secret`);
  expect(rotated.data['secret']).toMatch(/^whsec_/);
  expect(rotated.data['secret']).not.toBe(secret);
  expect((await tenant.call('GET', path)).reply.text).not.toContain('whsec_');
  expect((await tenant.call('DELETE', path)).data).toEqual({ id: endpoint.id });
  for (const [method, rest, body] of [
    ['GET', '', undefined],
    ['PATCH', '', { description: 'x' }],
    ['DELETE', '', undefined],
    ['POST', '/rotate-secret', undefined],
    ['POST', '/test', undefined],
    ['POST', '/replay', { since: '2026-01-01' }],
    ['GET', '/deliveries', undefined],
  ] as const) {
    expect([method, rest, (await tenant.call(method, path + rest, body)).status]).toEqual([method, rest, 404]);
  }
  expect((await tenant.call('GET')).data['items']).toEqual([]);
  const [row] = await server.query<{ secrets: string }>(
    'select sealed_url::text || sealed_secret::text || coalesce(sealed_old_secret::text, $2) as secrets from webhook_endpoints where id = $1',
    [endpoint.id, ''],
  );
  expect(row?.secrets).toBe('\\x\\x');
  const audit = await auditOf(server, tenant.tenantId);
  expect(audit.map(({ action }) => action)).toEqual([
    'webhook.created',
    'webhook.changed',
    'webhook.changed',
    'webhook.secret-rotated',
    'webhook.deleted',
  ]);
  expect(JSON.stringify(audit)).not.toMatch(/whsec_|trefoil\/2|\/trefoil/);
});

test('retrying counts what was attempted in vain, however many fresh deliveries wait behind it', async () => {
  const { id } = await tenant.add({ url: URL_GOOD });
  const insert = (count: number, attempts: number, leasedSeconds: number | null = null) =>
    server.query(
      `insert into webhook_deliveries (tenant_id, id, endpoint_id, event_id, event_type, body, attempts_max, attempts, leased_until,
                                       place_xact_id, place_event)
       select $1, gen_random_uuid(), $2, gen_random_uuid()::text, 'credit-report.completed', '', 10, $4,
              now() + make_interval(secs => $5::int), '1', 1
         from generate_series(1, $3::int)`,
      [tenant.tenantId, id, count, attempts, leasedSeconds],
    );
  const retrying = async () => (await tenant.read(id)).retrying;
  await insert(25, 0);
  // The first attempt is under way: it has not failed.
  await insert(2, 1, 45);
  expect(await retrying()).toBe(0);
  await insert(1, 1);
  await insert(1, 2, 45);
  await insert(25, 0);
  expect(await retrying()).toBe(2);
  await insert(150, 3);
  expect(await retrying()).toBe(100);
  expect((await tenant.call('GET')).data['items']).toMatchObject([{ id, retrying: 100 }]);
  await tenant.call('DELETE', `/${id}`);
});

describe('400 validation-error', () => {
  test.each(LITERAL_TRICKS)('%s (%s): refused when it is given, at /url', async (url) => {
    const given = url.replaceAll('PORT', '8443');
    for (const reply of [
      await tenant.call('POST', '', { url: given }),
      await tenant.call('PATCH', `/${'0'.repeat(8)}-0000-7000-8000-000000000000`, { url: given }),
    ]) {
      expect(reply.status).toBe(400);
      const { code, details } = refusalOf(reply.reply);
      expect([code, details?.map(({ path }) => path)]).toEqual(['validation-error', ['/url']]);
      // Nothing of the address is repeated.
      expect(JSON.stringify(details)).not.toMatch(/127|8\.8|passwd/);
    }
  });

  test.each([
    ['no url', {}, '/url'],
    ['an empty url', { url: '' }, '/url'],
    ['a long url', { url: `https://hooks.example.com/${'x'.repeat(2_048)}` }, '/url'],
    ['a long description', { url: URL_GOOD, description: 'x'.repeat(201) }, '/description'],
    ['a control character', { url: URL_GOOD, description: 'a\u0000b' }, '/description'],
    ['an unknown type', { url: URL_GOOD, eventTypes: ['report.completed'] }, '/eventTypes/0'],
    ['no type', { url: URL_GOOD, eventTypes: [] }, '/eventTypes'],
    ['a type twice', { url: URL_GOOD, eventTypes: ['wallet.low', 'wallet.low'] }, '/eventTypes'],
    ['test as a text', { url: URL_GOOD, test: 'true' }, '/test'],
    ['ordered as a number', { url: URL_GOOD, ordered: 1 }, '/ordered'],
  ])('%s', async (_what, body, path) => {
    const reply = await tenant.call('POST', '', body);
    expect(reply.status).toBe(400);
    expect(refusalOf(reply.reply).details?.map((each) => each.path)).toEqual([path]);
  });

  test('a change of nothing, to an unknown status; a replay since no instant', async () => {
    const { id } = await tenant.add({ url: URL_GOOD });
    for (const body of [{}, { status: 'deleted' }, { status: null }]) {
      expect((await tenant.call('PATCH', `/${id}`, body)).status).toBe(400);
    }
    for (const since of [undefined, '', 'yesterday', '2026-02-30', '2026-01-01T00:00:00']) {
      expect((await tenant.call('POST', `/${id}/replay`, { since })).status).toBe(400);
    }
    await tenant.call('DELETE', `/${id}`);
  });

  test('a field that a body does not know, in every body about endpoints: nothing is done', async () => {
    const { id } = await tenant.add({ url: URL_GOOD });
    for (const [method, path, body, name] of [
      ['POST', '', { url: URL_GOOD, event_types: null }, 'event_types'],
      // The mode of an endpoint is fixed.
      ['PATCH', `/${id}`, { description: 'x', test: true }, 'test'],
      ['PATCH', `/${id}`, { enabled: true }, 'enabled'],
      ['POST', `/${id}/replay`, { since: '2026-01-01', failedOnly: true }, 'failedOnly'],
      ['POST', `/${id}/test`, { eventType: 'wallet.low' }, 'eventType'],
    ] as const) {
      const { status, reply } = await tenant.call(method, path, body);
      expect([status, refusalOf(reply).details?.map((each) => each.path)]).toEqual([400, [`/${name}`]]);
    }
    expect(await tenant.read(id)).toMatchObject({ description: '', test: false, replay: null });
    expect(await tenant.deliveries(id)).toEqual([]);
    await tenant.call('DELETE', `/${id}`);
  });

  test('a replay from the future, to the future or to before its begin', async () => {
    const { id } = await tenant.add({ url: URL_GOOD });
    const ahead = new Date(Date.now() + 3_600_000).toISOString();
    for (const [body, ...paths] of [
      [{ since: ahead }, '/since'],
      [{ since: '2026-01-01', until: ahead }, '/until'],
      [{ since: '2026-01-02', until: '2026-01-01' }, '/until'],
      [{ since: '2026-01-01', until: 'later', onlyFailed: 'yes' }, '/until', '/onlyFailed'],
    ] as const) {
      const { status, reply } = await tenant.call('POST', `/${id}/replay`, body);
      expect([status, refusalOf(reply).details?.map((each) => each.path)]).toEqual([400, paths]);
    }
    expect((await tenant.read(id)).replay).toBeNull();
    await tenant.call('DELETE', `/${id}`);
  });
});

test('200: a Content-Type without a body, where none is needed; 400 where one is', async () => {
  const { id } = await tenant.add({ url: URL_GOOD });
  const call = (path: string, headers: Readonly<Record<string, string>>) =>
    callAs(server, tenant.owner, 'POST', `/${tenant.tenantId}/v1/webhook-endpoints/${id}${path}`, undefined, headers);
  for (const type of ['application/json', 'application/x-www-form-urlencoded', 'text/plain']) {
    for (const path of ['/test', '/rotate-secret']) {
      expect([type, path, (await call(path, { 'content-type': type })).status]).toEqual([type, path, 200]);
    }
  }
  expect((await call('/test', { 'content-type': 'application/json', 'transfer-encoding': 'chunked' })).status).toBe(
    200,
  );
  const missing = await call('/replay', { 'content-type': 'application/json' });
  expect([missing.status, missing.code]).toEqual([400, 'validation-error']);
  expect((await call('/replay', { 'content-type': 'text/plain' })).status).toBe(415);
  await tenant.call('DELETE', `/${id}`);
});

test('409 conflict: a 21st endpoint, also when 30 requests come at once; a deleted one makes room', async () => {
  const busy = await addWebhookTenant(server);
  const replies = await Promise.all(Array.from({ length: 30 }, () => busy.call('POST', '', { url: URL_GOOD })));
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(20);
  expect(replies.filter(({ code }) => code === 'conflict')).toHaveLength(10);
  const [first] = (await busy.call('GET')).data['items'] as { id: string }[];
  await busy.call('DELETE', `/${first?.id}`);
  expect((await busy.call('POST', '', { url: URL_GOOD })).status).toBe(200);
});

test('one key makes one endpoint, also when ten requests come at once; a repeat answers it without its secret', async () => {
  const careful = await addWebhookTenant(server);
  const path = `/${careful.tenantId}/v1/webhook-endpoints`;
  const create = (key: string, url = URL_GOOD) =>
    callAs(server, careful.owner, 'POST', path, { url }, { 'idempotency-key': key });
  const replies = await Promise.all(Array.from({ length: 10 }, () => create('one')));
  const secrets = replies.flatMap(({ data }) => (data['secret'] === undefined ? [] : [data['secret']]));
  expect(secrets).toHaveLength(1);
  expect(new Set(replies.map(({ status, code }) => code ?? status))).not.toContain(500);
  const [made] = (await careful.call('GET')).data['items'] as [{ id: string }];
  const repeat = await create('one');
  expect(repeat.data).toEqual({ ...made, notice: expect.stringMatching(/rotate the secret/) });
  expect(repeat.reply.headers['idempotent-replayed']).toBe('true');
  expect((await careful.call('GET')).data['items']).toHaveLength(1);
  expect((await create('one', `${URL_GOOD}/2`)).code).toBe('idempotency-key-reused');
  await careful.call('DELETE', `/${made.id}`);
  expect((await create('one')).code).toBe('not-found');
  expect((await create('two')).data['secret']).toMatch(/^whsec_/);
});

test('one key sends one test message, one resend and one replay; a repeat gets its answer and counts nothing', async () => {
  const careful = await addWebhookTenant(server);
  const { id } = await careful.add({ url: URL_GOOD });
  const base = `/${careful.tenantId}/v1/webhook-endpoints`;
  const post = (path: string, body: object | undefined, key: string) =>
    callAs(server, careful.owner, 'POST', `${base}/${path}`, body, { 'idempotency-key': key });
  const deliveries = () => careful.deliveries(id);
  const stored = () =>
    server.query<{ fence: number }>('select fence from webhook_deliveries where endpoint_id = $1 order by id', [id]);
  const replays = () =>
    server.query(`select cardinality(used_at) as count from webhook_uses where target = $1`, [
      `replay ${careful.tenantId}`,
    ]);

  const tests = await Promise.all(Array.from({ length: 5 }, () => post(`${id}/test`, undefined, 'one')));
  expect(new Set(tests.map(({ status, code }) => code ?? status))).not.toContain(500);
  const [message] = await deliveries();
  expect(await deliveries()).toHaveLength(1);
  const deliveryId = message?.id ?? '';
  const since = { since: '2026-01-01' };
  const calls: [path: string, body: object | undefined][] = [
    [`${id}/test`, undefined],
    [`deliveries/${deliveryId}/resend`, undefined],
    [`${id}/replay`, since],
  ];
  for (const [path, body] of calls) {
    const first = await post(path, body, 'one');
    const before = await stored();
    const again = await post(path, body, 'one');
    expect([again.status, again.reply.headers['idempotent-replayed'], again.data]).toEqual([200, 'true', first.data]);
    expect(await stored()).toEqual(before);
  }
  expect(await replays()).toEqual([{ count: 1 }]);
  expect((await post(`${id}/replay`, { since: '2026-01-02' }, 'one')).code).toBe('idempotency-key-reused');
  expect((await post(`${id}/test`, undefined, 'two')).data['id']).not.toBe(deliveryId);
  expect(await deliveries()).toHaveLength(2);
  await careful.call('DELETE', `/${id}`);
  expect((await post(`${id}/test`, undefined, 'one')).code).toBe('not-found');
});

test('pages: newest first, and the cursor continues', async () => {
  const own = await addWebhookTenant(server);
  for (let count = 0; count < 5; count += 1) await own.add({ url: URL_GOOD, description: String(count) });
  const seen: string[] = [];
  for (let query = '?limit=2', pages = 0; pages < 3; pages += 1) {
    const { items, nextCursor } = (await own.call('GET', query)).data as {
      items: { description: string }[];
      nextCursor: string | null;
    };
    seen.push(...items.map(({ description }) => description));
    query = `?limit=2&cursor=${nextCursor}`;
    expect(nextCursor === null).toBe(pages === 2);
  }
  expect(seen).toEqual(['4', '3', '2', '1', '0']);
  expect((await own.call('GET', '?cursor=x')).status).toBe(400);
});

test('409 conflict: a test or a resend while the endpoint is disabled; a replay waits', async () => {
  const own = await addWebhookTenant(server);
  const { id } = await own.add({ url: URL_GOOD });
  const { data } = await own.call('POST', `/${id}/test`);
  await own.call('PATCH', `/${id}`, { status: 'disabled' });
  expect((await own.call('POST', `/${id}/test`)).code).toBe('conflict');
  expect((await own.call('POST', `/deliveries/${data['id']}/resend`)).code).toBe('conflict');
  expect((await own.call('POST', `/${id}/replay`, { since: '2026-01-01' })).status).toBe(200);
});

test('404 not-found: nothing of another tenant can be seen, changed or sent again', async () => {
  const [own, other] = [await addWebhookTenant(server), await addWebhookTenant(server)];
  const { id } = await other.add({ url: URL_GOOD });
  const { data } = await other.call('POST', `/${id}/test`);
  for (const [method, path, body] of [
    ['GET', `/${id}`, undefined],
    ['PATCH', `/${id}`, { status: 'disabled' }],
    ['DELETE', `/${id}`, undefined],
    ['POST', `/${id}/rotate-secret`, undefined],
    ['POST', `/${id}/test`, undefined],
    ['POST', `/${id}/replay`, { since: '2026-01-01' }],
    ['GET', `/${id}/deliveries`, undefined],
    ['GET', `/deliveries/${data['id']}`, undefined],
    ['POST', `/deliveries/${data['id']}/resend`, undefined],
  ] as const) {
    expect([method, path, (await own.call(method, path, body)).code]).toEqual([method, path, 'not-found']);
  }
  expect((await own.call('GET')).data['items']).toEqual([]);
  expect((await other.read(id)).status).toBe('enabled');
});

test('a credential for test mode sees and makes test endpoints alone; an analyst none', async () => {
  const own = await addWebhookTenant(server);
  const live = await own.add({ url: URL_GOOD });
  const { data: sent } = await own.call('POST', `/${live.id}/test`);
  const credential = await server.database.asSystem((tx) =>
    createCredential(tx, {
      ...{ tenantId: own.tenantId, name: 'Bench', ownerUserId: own.owner.userId },
      ...{ scopes: ['webhooks:write'], isTestOnly: true },
    }),
  );
  const token = await signToken(server, {
    ...goodClaims(server, { ...server.demo, tenantId: own.tenantId, clientId: credential.clientId }),
    scope: SCOPES.join(' '),
  });
  const base = `/${own.tenantId}/v1/webhook-endpoints`;
  const bench = (method: string, path: string, body?: object) =>
    callAs(server, { token }, method, `${base}${path}`, body);
  expect((await bench('POST', '', { url: URL_GOOD })).code).toBe('forbidden');
  const made = await bench('POST', '', { url: URL_GOOD, test: true });
  expect(made.status).toBe(200);
  expect((await bench('GET', '')).data['items']).toHaveLength(1);
  for (const [method, path] of [
    ['GET', `/${live.id}`],
    ['DELETE', `/${live.id}`],
    ['POST', `/${live.id}/rotate-secret`],
    ['GET', `/${live.id}/deliveries`],
    ['GET', `/deliveries/${sent['id']}`],
  ] as const) {
    expect((await bench(method, path)).code).toBe('not-found');
  }
  const analyst = await addPerson(server, own.tenantId, 'analyst');
  expect((await callAs(server, analyst, 'GET', base)).code).toBe('forbidden');
});

test('deliveries go 30 days after their event, with their attempts; deleted endpoints a day later', async () => {
  const own = await addWebhookTenant(server);
  const [old, young] = [await addWebhook(server, own.tenantId), await addWebhook(server, own.tenantId)];
  const age = (id: string, days: number) =>
    server.query(
      `update webhook_deliveries set touched_at = now() - make_interval(days => $2), created_at = now() - interval '60 days'
        where id = $1`,
      [id, days],
    );
  await age(old.deliveryId, 31);
  await age(young.deliveryId, 29);
  await server.query(`update webhook_endpoints set deleted_at = now() - interval '32 days' where id = $1`, [
    old.endpointId,
  ]);
  expect(await forgetNow(server.database, [WEBHOOK_DELIVERIES, WEBHOOK_ENDPOINTS])).toBe(2);
  const left = await server.query(
    `select (select count(*)::int from webhook_deliveries where tenant_id = $1) as deliveries,
            (select count(*)::int from webhook_attempts where tenant_id = $1) as attempts,
            (select count(*)::int from webhook_endpoints where tenant_id = $1) as endpoints`,
    [own.tenantId],
  );
  expect(left).toEqual([{ deliveries: 1, attempts: 1, endpoints: 1 }]);
});
