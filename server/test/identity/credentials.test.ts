// API credentials as a tenant's own people run them, over HTTP: secrets, keys, networks, test mode alone, and that
// nobody gets through a credential what they do not hold themselves.
import type { CredentialItem, Limit, Role } from '@trefoil/contract';
import { createTrefoil } from '@trefoil/sdk';
import { exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../../../tools/testing/eventually.ts';
import { expectSince } from '../../../tools/testing/expect-since.ts';
import { CLIENT_AGE_MS } from '../../src/identity/credentials/find-client.ts';
import { generateBody } from '../harness.ts';
import { dumpDatabase } from '../support/dump.ts';
import { type LiveServer, liveBody, startLiveServer } from '../support/live.ts';
import { addLiveReport } from '../support/money-states.ts';
import { addPerson, addTenantWithOwner, auditOf, callAs, letPasswordsIn, type TestPerson } from '../support/people.ts';
import { SHORT_LOOK_UPS } from '../support/rests.ts';
import { type Reply, send } from '../support/wire.ts';

let server: LiveServer;
beforeAll(async () => {
  // This machine counts as a proxy, so that a test can come from any address.
  server = await startLiveServer({
    environment: { TREFOIL_TRUSTED_PROXIES: '127.0.0.1' },
    overrides: { rests: SHORT_LOOK_UPS },
  });
});
afterAll(() => server.close());

type Made = CredentialItem & { clientSecret: string };
const SCOPES = ['reports:write', 'reports:read'];
const pathOf = (tenantId: string, ...rest: string[]) => [`/${tenantId}/v1/credentials`, ...rest].join('/');

async function make(person: TestPerson, tenantId: string, order: object = {}): Promise<Made> {
  const body = { name: 'Portal', scopes: SCOPES, ...order };
  const { status, data, reply } = await callAs(server, person, 'POST', pathOf(tenantId), body);
  expect(status, reply.text).toBe(200);
  return data as unknown as Made;
}

function tokenReply(form: Record<string, string>, from = '127.0.0.1'): Promise<Reply> {
  return send(server.baseUrl, {
    method: 'POST',
    path: '/v1/oauth/token',
    headers: { 'content-type': 'application/x-www-form-urlencoded', 'x-forwarded-for': from },
    body: new URLSearchParams({ grant_type: 'client_credentials', ...form }).toString(),
  });
}

const askToken = (id: string, secret: string, from?: string) =>
  tokenReply({ client_id: id, client_secret: secret }, from);
const tokenStatus = async (id: string, secret: string, from?: string) => (await askToken(id, secret, from)).status;

async function tokenOf({ id, clientSecret }: Made, from?: string): Promise<{ token: string }> {
  const reply = await askToken(id, clientSecret, from);
  expect(reply.status, reply.text).toBe(200);
  return { token: JSON.parse(reply.text).access_token };
}

const actionsOf = async (tenantId: string) => (await auditOf(server, tenantId)).map(({ action }) => action);

test('through the client library: make, use, rotate, end, and find it all in the audit log', async () => {
  const { tenantId, owner } = await addTenantWithOwner(server);
  const { baseUrl } = server;
  const mine = createTrefoil({ baseUrl, tenantId, getToken: async () => owner.token });
  const { data: made } = await mine.createCredential({ name: 'Portal', scopes: ['reports:write', 'reports:read'] });
  const machine = createTrefoil({ baseUrl, tenantId, clientId: made.id, clientSecret: made.clientSecret ?? '' });
  const { data: report } = await machine.generate(generateBody());
  expect((await machine.getReport(report.creditReportId)).data.status).toBe('complete');
  const { data: rotated } = await mine.addCredentialSecret(made.id, { graceSeconds: 60 });
  expect(rotated.clientSecret).not.toBe(made.clientSecret);
  await mine.endCredentialSecret(made.id, made.secrets[0]?.id ?? '');
  await mine.changeCredential(made.id, { name: 'Gateway' });
  expect((await mine.getCredential(made.id)).data).toMatchObject({ name: 'Gateway', secrets: [{ endsAt: null }] });
  expect((await mine.listCredentials({ limit: 1 })).data.items).toHaveLength(1);
  await expect(mine.replaceCredentialKeys(made.id, { publicKeys: { keys: [] } })).rejects.toMatchObject({
    status: 400,
  });
  const { data: log } = await mine.listAudit({ subjectId: made.id });
  expect(log.items.map(({ action }) => action)).toEqual([
    'credential.changed',
    'credential.secret-ended',
    'credential.secret-added',
    'token.issued',
    'credential.created',
  ]);
});

describe('making and listing', () => {
  test('200: the secret is in this one answer, works at once, and stands nowhere else', async () => {
    const { tenantId, owner } = await addTenantWithOwner(server);
    const made = await make(owner, tenantId, { name: '  Claims portal ' });
    expect(made).toMatchObject({
      name: 'Claims portal',
      authMethod: 'client_secret',
      scopes: SCOPES,
      ownerUserId: owner.userId,
      isOwnerActive: true,
      isEnabled: true,
      isTestOnly: false,
      allowedNetworks: null,
      lastUsedAt: null,
      keyIds: [],
    });
    expect(made.clientSecret).toMatch(/^tfs_[\w-]{43}$/);
    expect(made.secrets).toEqual([
      { id: expect.any(String), createdAt: expect.any(String), endsAt: null, madeBy: owner.userId },
    ]);
    const { clientSecret, ...shown } = made;
    const list = await callAs(server, owner, 'GET', pathOf(tenantId));
    expect(list.data).toEqual({ items: [shown], nextCursor: null });
    expect(await tokenStatus(made.id, clientSecret)).toBe(200);
    const [dump, log] = [await dumpDatabase(server), server.logText()];
    for (const text of [list.reply.text, dump, log]) expect(text).not.toContain(clientSecret);
    expect(await auditOf(server, tenantId)).toEqual([
      {
        actor: owner.userId,
        action: 'credential.created',
        subject: made.id,
        details: { ownerUserId: owner.userId, scopes: SCOPES, isTestOnly: false, networks: 0 },
      },
      expect.objectContaining({ action: 'token.issued', actor: made.id }),
    ]);
  });

  test('200: pages meet, newest first, and show nobody else’s', async () => {
    const { tenantId, owner } = await addTenantWithOwner(server);
    const made: string[] = [];
    for (let count = 0; count < 5; count += 1) made.unshift((await make(owner, tenantId)).id);
    const seen: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const page = await callAs(server, owner, 'GET', `${pathOf(tenantId)}?limit=2${cursor && `&cursor=${cursor}`}`);
      const { items, nextCursor } = page.data as unknown as { items: { id: string }[]; nextCursor: string | null };
      seen.push(...items.map(({ id }) => id));
      cursor = nextCursor;
    }
    expect(seen).toEqual(made);
  });

  test('lastUsedAt is written after use, once a minute', async () => {
    const { tenantId, owner } = await addTenantWithOwner(server);
    const made = await make(owner, tenantId);
    const lastUsed = async () => (await callAs(server, owner, 'GET', pathOf(tenantId, made.id))).data['lastUsedAt'];
    expect(await lastUsed()).toBeNull();
    await tokenOf(made);
    await eventually(async () => expect(await lastUsed()).not.toBeNull());
    const first = await lastUsed();
    // Within the minute nothing more is written.
    await tokenOf(made);
    expect(await lastUsed()).toBe(first);
  });

  test.each([
    ['no name', { name: ' ' }, '/name'],
    ['a name that cannot be kept', { name: 'a\u0000b' }, '/name'],
    ['no scope', { scopes: [] }, '/scopes'],
    ['an unknown scope', { scopes: ['all'] }, '/scopes/0'],
    ['no network in the list', { allowedNetworks: [] }, '/allowedNetworks'],
    ['a network that is none', { allowedNetworks: ['192.0.2.0/33'] }, '/allowedNetworks/0'],
    ['a host name', { allowedNetworks: ['example.com'] }, '/allowedNetworks/0'],
    ['a key set without keys', { publicKeys: {} }, '/publicKeys/keys'],
    ['a private key', { publicKeys: { keys: [{ kty: 'EC', crv: 'P-256', x: 'x', y: 'y', d: 'd' }] } }, '/publicKeys'],
  ])('400 validation-error: %s', async (_name, change, path) => {
    const { tenantId, owner } = await addTenantWithOwner(server);
    const body = { name: 'x', scopes: SCOPES, ...change };
    const { status, reply } = await callAs(server, owner, 'POST', pathOf(tenantId), body);
    expect(status).toBe(400);
    expect(JSON.parse(reply.text).details.map((each: { path: string }) => each.path)).toContain(path);
    expect(await auditOf(server, tenantId)).toEqual([]);
  });
});

describe('nobody gives or takes what they do not hold', () => {
  test('403 forbidden: scopes beyond the role, and beyond the token', async () => {
    const { tenantId } = await addTenantWithOwner(server);
    const developer = await addPerson(server, tenantId, 'developer');
    const narrow = await addPerson(server, tenantId, 'owner', { scope: 'credentials:write reports:read' });
    for (const [person, scope] of [
      [developer, 'members:write'],
      [developer, 'wallet:write'],
      [narrow, 'reports:write'],
    ] as const) {
      const body = { name: 'x', scopes: ['reports:read', scope] };
      const { status, code, reply } = await callAs(server, person, 'POST', pathOf(tenantId), body);
      expect({ status, code }).toEqual({ status: 403, code: 'forbidden' });
      expect(reply.text).toContain(scope);
    }
  });

  test('409 conflict: an owner who is no member, is disabled, or whose role holds less', async () => {
    const { tenantId, owner } = await addTenantWithOwner(server);
    const stranger = await addPerson(server, server.other.tenantId, 'owner');
    const [left, disabled] = [await addPerson(server, tenantId, 'owner'), await addPerson(server, tenantId, 'owner')];
    const analyst = await addPerson(server, tenantId, 'analyst');
    await server.query('update memberships set removed_at = now() where user_id = $1', [left.userId]);
    await server.query('update users set is_enabled = false where id = $1', [disabled.userId]);
    const made = await make(owner, tenantId);
    for (const { userId: ownerUserId } of [stranger, left, disabled, analyst]) {
      const body = { name: 'x', scopes: SCOPES, ownerUserId };
      expect(await callAs(server, owner, 'POST', pathOf(tenantId), body)).toMatchObject({ status: 409 });
      const change = await callAs(server, owner, 'PATCH', pathOf(tenantId, made.id), { ownerUserId });
      expect(change).toMatchObject({ status: 409, code: 'conflict' });
    }
  });

  test('403 forbidden: a developer takes over no stronger credential, but may stop it', async () => {
    const { tenantId, owner } = await addTenantWithOwner(server);
    const developer = await addPerson(server, tenantId, 'developer');
    const strong = await make(owner, tenantId, { scopes: ['reports:read', 'audit:read'] });
    const path = pathOf(tenantId, strong.id);
    for (const attempt of [
      await callAs(server, developer, 'POST', `${path}/secrets`, {}),
      await callAs(server, developer, 'PATCH', path, { allowedNetworks: null }),
      await callAs(server, developer, 'PATCH', path, { isEnabled: true }),
      await callAs(server, developer, 'PATCH', path, { isEnabled: false, name: 'x' }),
      await callAs(server, developer, 'PATCH', path, { ownerUserId: developer.userId }),
    ]) {
      expect([403, 409]).toContain(attempt.status);
    }
    expect(await actionsOf(tenantId)).toEqual(['credential.created']);
    expect((await callAs(server, developer, 'PATCH', path, { isEnabled: false })).status).toBe(200);
    expect(await tokenStatus(strong.id, strong.clientSecret)).toBe(401);
  });

  test('whoever lost their role or membership changes nothing, although their token still says otherwise', async () => {
    const { tenantId, owner } = await addTenantWithOwner(server);
    const made = await make(owner, tenantId);
    const path = pathOf(tenantId, made.id);
    const attempts: [string, string, object?][] = [
      // In somebody else's name it would outlive whoever made it.
      ['POST', pathOf(tenantId), { name: 'x', scopes: SCOPES, ownerUserId: owner.userId }],
      ['PATCH', path, { ownerUserId: owner.userId, allowedNetworks: null }],
      ['PATCH', path, { isEnabled: false }],
      ['POST', `${path}/secrets`, {}],
      ['DELETE', `${path}/secrets/${made.secrets[0]?.id}`],
    ];
    for (const change of ["role = 'analyst'", 'removed_at = now()']) {
      const person = await addPerson(server, tenantId, 'developer');
      // The look-up of the token is fresh for some seconds.
      expect((await callAs(server, person, 'GET', path)).status).toBe(200);
      await server.query(`update memberships set ${change} where user_id = $1`, [person.userId]);
      for (const [method, where, body] of attempts) {
        const { status, code } = await callAs(server, person, method, where, body);
        expect({ method, status, code }).toEqual({ method, status: 403, code: 'forbidden' });
      }
    }
    expect(await actionsOf(tenantId)).toEqual(['credential.created']);
  });

  test('a credential loses with its owner’s role, and ends with their membership or account', async () => {
    const { tenantId } = await addTenantWithOwner(server);
    const person = await addPerson(server, tenantId, 'developer');
    const made = await make(person, tenantId);
    const setRole = (role: Role) =>
      server.query('update memberships set role = $2 where user_id = $1', [person.userId, role]);
    await setRole('analyst');
    const reply = await askToken(made.id, made.clientSecret);
    expect(JSON.parse(reply.text).scope).toBe('reports:read');
    await setRole('developer');
    await server.query('update memberships set removed_at = now() where user_id = $1', [person.userId]);
    expect(await tokenStatus(made.id, made.clientSecret)).toBe(401);
    await server.query('update memberships set removed_at = null where user_id = $1', [person.userId]);
    await server.query('update users set is_enabled = false where id = $1', [person.userId]);
    expect(await tokenStatus(made.id, made.clientSecret)).toBe(401);
  });

  test('403: every change needs a second factor just proved; reading does not; no credential may at all', async () => {
    const { tenantId, owner } = await addTenantWithOwner(server);
    const made = await make(owner, tenantId, { scopes: ['credentials:write'] });
    const path = pathOf(tenantId, made.id);
    const [secret] = made.secrets;
    const changes: [string, string, object?][] = [
      ['POST', pathOf(tenantId), { name: 'x', scopes: SCOPES }],
      ['PATCH', path, { name: 'x' }],
      ['POST', `${path}/secrets`, {}],
      ['DELETE', `${path}/secrets/${secret?.id}`],
      ['POST', `${path}/public-keys`, { publicKeys: { keys: [{}] } }],
    ];
    const machine = await tokenOf(made);
    await letPasswordsIn(server, tenantId);
    for (const secondFactorAgoMs of [null, 601_000]) {
      const stale = await addPerson(server, tenantId, 'owner', { secondFactorAgoMs });
      expect((await callAs(server, stale, 'GET', path)).status).toBe(200);
      for (const [method, at, body] of changes) {
        expect((await callAs(server, stale, method, at, body)).code).toBe('step-up-required');
      }
    }
    expect((await callAs(server, machine, 'GET', path)).status).toBe(200);
    for (const [method, at, body] of changes) {
      expect((await callAs(server, machine, method, at, body)).code).toBe('forbidden');
    }
    expect((await callAs(server, owner, 'GET', path)).data).toMatchObject({ name: 'Portal', secrets: [secret] });
  });

  test('404 not-found alike: another tenant’s credential, an unknown and a malformed id', async () => {
    const [mine, theirs] = [await addTenantWithOwner(server), await addTenantWithOwner(server)];
    const foreign = await make(theirs.owner, theirs.tenantId);
    const texts = new Set<string>();
    for (const id of [foreign.id, '01890000-0000-7000-8000-000000000000', 'x', foreign.id.toUpperCase()]) {
      const path = pathOf(mine.tenantId, id);
      for (const [method, at, body] of [
        ['GET', path],
        ['PATCH', path, { name: 'x' }],
        ['POST', `${path}/secrets`, {}],
        ['DELETE', `${path}/secrets/${foreign.secrets[0]?.id}`],
      ] as [string, string, object?][]) {
        const { status, code, reply } = await callAs(server, mine.owner, method, at, body);
        expect({ status, code }).toEqual({ status: 404, code: 'not-found' });
        texts.add(reply.text.replace(/"requestId":"[^"]*"/, ''));
      }
    }
    expect(texts.size).toBe(1);
    expect(await actionsOf(theirs.tenantId)).toEqual(['credential.created']);
  });
});

describe('secrets', () => {
  test('200: two live at a time, the older with an end; a third is 409 until one ends', async () => {
    const { tenantId, owner } = await addTenantWithOwner(server);
    const made = await make(owner, tenantId);
    const path = `${pathOf(tenantId, made.id)}/secrets`;
    const beforeMs = Date.now();
    const second = (await callAs(server, owner, 'POST', path, { graceSeconds: 3_600 })).data as unknown as Made;
    const [newer, older] = second.secrets;
    expect(second.secrets).toHaveLength(2);
    expect(newer?.endsAt).toBeNull();
    expectSince(beforeMs, Date.parse(older?.endsAt ?? '') - 3_600_000);
    for (const secret of [made.clientSecret, second.clientSecret]) expect(await tokenStatus(made.id, secret)).toBe(200);
    expect(await callAs(server, owner, 'POST', path, {})).toMatchObject({ status: 409, code: 'conflict' });
    expect((await callAs(server, owner, 'DELETE', `${path}/${older?.id}`)).data['secrets']).toHaveLength(1);
    expect(await tokenStatus(made.id, made.clientSecret)).toBe(401);
    expect((await callAs(server, owner, 'DELETE', `${path}/${older?.id}`)).status).toBe(404);
    const third = (await callAs(server, owner, 'POST', path, { graceSeconds: 0 })).data as unknown as Made;
    expect(third.secrets).toHaveLength(1);
    expect(await tokenStatus(made.id, second.clientSecret)).toBe(401);
    expect(await tokenStatus(made.id, third.clientSecret)).toBe(200);
    const changes = (await actionsOf(tenantId)).filter((action) => action.startsWith('credential.'));
    expect(changes).toEqual([
      'credential.created',
      'credential.secret-added',
      'credential.secret-ended',
      'credential.secret-added',
    ]);
  });

  test('the older secret ends by itself, by the clock of the database', async () => {
    const { tenantId, owner } = await addTenantWithOwner(server);
    const made = await make(owner, tenantId);
    await callAs(server, owner, 'POST', `${pathOf(tenantId, made.id)}/secrets`, {});
    await server.query(
      `update credential_secrets set expires_at = clock_timestamp() where credential_id = $1 and expires_at is not null`,
      [made.id],
    );
    expect(await tokenStatus(made.id, made.clientSecret)).toBe(401);
  });

  test('of 20 secrets asked for at once exactly one is added', async () => {
    const { tenantId, owner } = await addTenantWithOwner(server);
    const made = await make(owner, tenantId);
    const path = `${pathOf(tenantId, made.id)}/secrets`;
    const replies = await Promise.all(Array.from({ length: 20 }, () => callAs(server, owner, 'POST', path, {})));
    expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, ...Array(19).fill(409)]);
    expect((await callAs(server, owner, 'GET', pathOf(tenantId, made.id))).data['secrets']).toHaveLength(2);
    expect((await actionsOf(tenantId)).filter((action) => action === 'credential.secret-added')).toHaveLength(1);
  });

  test('an answer with a secret is never kept: the same Idempotency-Key gives another credential', async () => {
    const { tenantId, owner } = await addTenantWithOwner(server);
    const ask = () =>
      send(server.baseUrl, {
        method: 'POST',
        path: pathOf(tenantId),
        body: JSON.stringify({ name: 'x', scopes: SCOPES }),
        headers: {
          authorization: `Bearer ${owner.token}`,
          'content-type': 'application/json',
          'idempotency-key': 'same',
        },
      });
    const secrets = new Set([await ask(), await ask()].map(({ text }) => JSON.parse(text).data.clientSecret));
    expect(secrets.size).toBe(2);
    expect(await server.query('select from idempotency_keys where tenant_id = $1', [tenantId])).toEqual([]);
  });
});

describe('keys of its own', () => {
  async function newKey(
    kid: string,
  ): Promise<{ privateKey: Awaited<ReturnType<typeof generateKeyPair>>['privateKey']; jwk: JWK }> {
    const { privateKey, publicKey } = await generateKeyPair('ES256');
    return { privateKey, jwk: { ...(await exportJWK(publicKey)), kid } };
  }
  async function assertion(clientId: string, { privateKey, jwk }: Awaited<ReturnType<typeof newKey>>): Promise<number> {
    const signed = await new SignJWT({})
      .setProtectedHeader({ alg: 'ES256', kid: jwk.kid ?? '' })
      .setIssuer(clientId)
      .setSubject(clientId)
      .setAudience(server.baseUrl)
      .setJti(crypto.randomUUID())
      .setIssuedAt()
      .setExpirationTime('1m')
      .sign(privateKey);
    const type = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';
    return (await tokenReply({ client_id: clientId, client_assertion_type: type, client_assertion: signed })).status;
  }

  test('200: no secret; replacing the keys ends the old ones', async () => {
    const { tenantId, owner } = await addTenantWithOwner(server);
    const [old, fresh] = [await newKey('old'), await newKey('fresh')];
    const made = await make(owner, tenantId, { publicKeys: { keys: [old.jwk] } });
    expect(made).toMatchObject({ authMethod: 'private_key_jwt', secrets: [], keyIds: ['old'] });
    expect(made).not.toHaveProperty('clientSecret');
    expect(await assertion(made.id, old)).toBe(200);
    const path = `${pathOf(tenantId, made.id)}/public-keys`;
    const both = await callAs(server, owner, 'POST', path, { publicKeys: { keys: [old.jwk, fresh.jwk] } });
    expect(both.data['keyIds']).toEqual(['old', 'fresh']);
    expect([await assertion(made.id, old), await assertion(made.id, fresh)]).toEqual([200, 200]);
    await callAs(server, owner, 'POST', path, { publicKeys: { keys: [fresh.jwk] } });
    expect([await assertion(made.id, old), await assertion(made.id, fresh)]).toEqual([401, 200]);
    const secrets = `${pathOf(tenantId, made.id)}/secrets`;
    expect((await callAs(server, owner, 'POST', secrets, {})).code).toBe('conflict');
    const other = await make(owner, tenantId);
    const wrong = await callAs(server, owner, 'POST', `${pathOf(tenantId, other.id)}/public-keys`, {
      publicKeys: { keys: [fresh.jwk] },
    });
    expect(wrong.code).toBe('conflict');
  });
});

describe('networks', () => {
  const NETWORKS = ['192.0.2.7/24', '198.51.100.9', '2001:DB8:7::1/48', '192.0.2.0/24'];
  const inside = ['192.0.2.200', '198.51.100.9', '2001:db8:7:ffff::1', '::ffff:192.0.2.9'];
  const outside = ['192.0.3.1', '198.51.100.8', '2001:db8:8::1', '127.0.0.1'];

  const callFrom = (token: string, from: string, tenantId: string) =>
    send(server.baseUrl, {
      method: 'GET',
      path: `/${tenantId}/v1/credit-reports`,
      headers: { authorization: `Bearer ${token}`, 'x-forwarded-for': from },
    });

  test('the list is kept in its shortest form, and decides at the token endpoint and in the API', async () => {
    const { tenantId, owner } = await addTenantWithOwner(server);
    const made = await make(owner, tenantId, { allowedNetworks: NETWORKS });
    expect(made.allowedNetworks?.toSorted()).toEqual(['192.0.2.0/24', '198.51.100.9/32', '2001:db8:7::/48']);
    const { token } = await tokenOf(made, '192.0.2.1');
    for (const from of inside) {
      expect(await tokenStatus(made.id, made.clientSecret, from), from).toBe(200);
      expect((await callFrom(token, from, tenantId)).status, from).toBe(200);
    }
    for (const from of outside) {
      const refused = await askToken(made.id, made.clientSecret, from);
      expect(refused.status, from).toBe(401);
      expect(JSON.parse(refused.text)).toMatchObject({ error: 'invalid_client', code: 'unauthorized' });
      const reply = await callFrom(token, from, tenantId);
      expect({ status: reply.status, code: JSON.parse(reply.text).code }).toEqual({ status: 403, code: 'forbidden' });
    }
  });

  test('401 without counting: a right secret from elsewhere locks nobody out, a wrong one does', async () => {
    const { tenantId, owner } = await addTenantWithOwner(server);
    const made = await make(owner, tenantId, { allowedNetworks: ['192.0.2.0/24'] });
    for (let count = 0; count < 15; count += 1) {
      expect(await tokenStatus(made.id, made.clientSecret, '203.0.113.5')).toBe(401);
    }
    expect(await tokenStatus(made.id, made.clientSecret, '192.0.2.1')).toBe(200);
    const statuses: number[] = [];
    for (let count = 0; count < 11; count += 1) statuses.push(await tokenStatus(made.id, 'wrong', '203.0.113.6'));
    expect(statuses.at(-1)).toBe(429);
  });

  test('a changed list works within seconds; null is anywhere again', async () => {
    expect(2 * CLIENT_AGE_MS).toBeLessThanOrEqual(8_000);
    const { tenantId, owner } = await addTenantWithOwner(server);
    const made = await make(owner, tenantId);
    const { token } = await tokenOf(made);
    expect((await callFrom(token, '127.0.0.1', tenantId)).status).toBe(200);
    const path = pathOf(tenantId, made.id);
    await callAs(server, owner, 'PATCH', path, { allowedNetworks: ['192.0.2.0/24'] });
    const status = async () => (await callFrom(token, '127.0.0.1', tenantId)).status;
    await eventually(async () => expect(await status()).toBe(403));
    const open = await callAs(server, owner, 'PATCH', path, { allowedNetworks: null });
    expect(open.data['allowedNetworks']).toBeNull();
    await eventually(async () => expect(await status()).toBe(200));
    const bad = await callAs(server, owner, 'PATCH', path, { allowedNetworks: ['192.0.2.0/99'] });
    expect(bad.status).toBe(400);
  });
});

test('200: a change shows at once and leaves the rest; disabled, its tokens end within seconds', async () => {
  const { tenantId, owner } = await addTenantWithOwner(server);
  const heir = await addPerson(server, tenantId, 'admin');
  const made = await make(owner, tenantId, { allowedNetworks: ['127.0.0.1'] });
  const { token } = await tokenOf(made);
  const path = pathOf(tenantId, made.id);
  const changed = await callAs(server, owner, 'PATCH', path, { name: 'Renamed', ownerUserId: heir.userId });
  expect(changed.data).toMatchObject({
    name: 'Renamed',
    ownerUserId: heir.userId,
    isEnabled: true,
    allowedNetworks: ['127.0.0.1/32'],
    isTestOnly: false,
  });
  expect((await callAs(server, owner, 'PATCH', path, {})).status).toBe(400);
  expect((await callAs(server, owner, 'PATCH', path, { isEnabled: false })).data['isEnabled']).toBe(false);
  const status = async () => (await callAs(server, { token }, 'GET', `/${tenantId}/v1/credit-reports`)).status;
  await eventually(async () => expect(await status()).toBe(401));
  const [, last] = (await auditOf(server, tenantId)).filter(({ action }) => action === 'credential.changed');
  expect(last?.details).toEqual({ fields: ['isEnabled'], isEnabled: false });
});

describe('test mode alone', () => {
  test('200: credentials for live mode and the ages of live reports are not there', async () => {
    const { tenantId, owner } = await addTenantWithOwner(server);
    const scopes = [...SCOPES, 'credentials:write', 'settings:write'];
    const [program, own] = [await make(owner, tenantId), await make(owner, tenantId, { isTestOnly: true, scopes })];
    const bench = await tokenOf(own);
    const base = `/${tenantId}/v1`;
    const listed = (await callAs(server, bench, 'GET', `${base}/credentials`)).data['items'] as CredentialItem[];
    expect(listed.map(({ id }) => id)).toEqual([own.id]);
    expect((await callAs(server, bench, 'GET', `${base}/credentials/${own.id}`)).status).toBe(200);
    expect(await callAs(server, bench, 'GET', `${base}/credentials/${program.id}`)).toMatchObject({
      ...{ status: 404, code: 'not-found' },
    });
    const reports = await Promise.all([1, 2].map(() => addLiveReport(server, tenantId, { status: 'complete' })));
    await server.query(
      `update credit_reports set is_test = id = $2, created_at = now() - interval '9 days',
              settled_at = now() - case when id = $2 then interval '9 days' else interval '8 days' end
        where id = any ($1)`,
      [reports, reports[1]],
    );
    const preview = async (who: { token: string }) =>
      (await callAs(server, who, 'GET', `${base}/settings/retention-preview?retentionDays=7`)).data;
    const [all, test] = [await preview(owner), await preview(bench)];
    expect([all['reports'], test['reports']]).toEqual([2, 1]);
    expect(test).toMatchObject({ oldestSettledAt: all['oldestSettledAt'], newestSettledAt: all['oldestSettledAt'] });
  });

  test('403, 404: no way to anything live, and only test reports are there', async () => {
    const { tenantId, owner } = await addTenantWithOwner(server);
    await server.fund(tenantId, 100_000);
    const [live, bench] = [
      await tokenOf(await make(owner, tenantId)),
      await tokenOf(
        await make(owner, tenantId, {
          isTestOnly: true,
          scopes: [...SCOPES, 'wallet:read', 'audit:read', 'members:write'],
        }),
      ),
    ];
    const reports = `/${tenantId}/v1/credit-reports`;
    const challenged = liveBody(server.mintSession(), {
      email: 'challenge@example.com',
      mobileNumber: '+447700900071',
    });
    const mine = await callAs(server, live, 'POST', reports, challenged);
    expect(mine.data['status']).toBe('authentication-required');
    const id = mine.data['creditReportId'];
    const { challengeId } = mine.data['challenge'] as { challengeId: string };

    const before = await server.wallet(tenantId);
    const refused = await callAs(server, bench, 'POST', reports, liveBody(server.mintSession()));
    expect(refused).toMatchObject({ status: 403, code: 'forbidden' });
    expect(refused.reply.text).toContain('test mode');
    expect(await server.wallet(tenantId)).toEqual(before);
    for (const [method, path, body] of [
      ['POST', `${reports}/${id}/otp-challenge`, { challengeId, code: '000000' }],
      ['POST', `${reports}/${id}/resend-sms`, { challengeId }],
      ['GET', `${reports}/${id}`],
    ] as [string, string, object?][]) {
      expect(await callAs(server, bench, method, path, body)).toMatchObject({
        status: 404,
        code: 'credit-report-not-found',
      });
    }
    const tried = await callAs(server, bench, 'POST', reports, generateBody());
    expect(tried.data['status']).toBe('complete');
    const testId = tried.data['creditReportId'];
    expect((await callAs(server, bench, 'GET', `${reports}/${testId}`)).status).toBe(200);
    const idsOf = async (who: { token: string }, query = '') =>
      ((await callAs(server, who, 'GET', `${reports}${query}`)).data['items'] as { creditReportId: string }[]).map(
        ({ creditReportId }) => creditReportId,
      );
    expect(await idsOf(bench)).toEqual([testId]);
    expect(await idsOf(bench, '?status=complete')).toEqual([testId]);
    expect(await idsOf(live)).toEqual([testId, id]);
    for (const path of [
      'wallet',
      'wallet/entries',
      'wallet/months',
      'wallet/statement',
      'audit',
      'members',
      'invitations',
    ]) {
      const answer = await callAs(server, bench, 'GET', `/${tenantId}/v1/${path}`);
      expect([path, answer.status, answer.code]).toEqual([path, 403, 'forbidden']);
      expect(answer.reply.text).toContain('test mode');
    }
    for (const path of ['prices', 'limits', 'usage']) {
      expect((await callAs(server, bench, 'GET', `/${tenantId}/v1/${path}`)).status).toBe(200);
    }
    // A message of the live challenge is counted, but not shown.
    const usedOf = async (who: { token: string }) => {
      const { items } = (await callAs(server, who, 'GET', `/${tenantId}/v1/limits`)).data as { items: Limit[] };
      return items.filter(({ name }) => name.startsWith('sms-')).map(({ used }) => used);
    };
    expect(await usedOf(bench)).toEqual([0, 0, 0]);
    expect((await usedOf(owner))[0]).toBe(1);
    // The attempts of the live challenge are untouched.
    const code = await server.code('+447700900071');
    const right = await callAs(server, live, 'POST', `${reports}/${id}/otp-challenge`, { challengeId, code });
    expect(right.data['status']).toBe('complete');
  });
});
