// Members of a tenant over HTTP: who may change whom, what ends with a membership, and the last owner who always stays.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../../../tools/testing/eventually.ts';
import { createCredential } from '../../src/identity/credentials/change-credential.ts';
import { newId } from '../../src/lib/ids.ts';
import { startServer, type TestServer } from '../harness.ts';
import { addPerson, addTenantWithOwner, auditOf, callAs, letPasswordsIn, type TestPerson } from '../support/people.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

const membersOf = (tenantId: string) => `/${tenantId}/v1/members`;
const memberOf = (tenantId: string, { userId }: { userId: string }) => `/${tenantId}/v1/members/${userId}`;

async function ownersOf(tenantId: string): Promise<string[]> {
  const owners = await server.query<{ id: string }>(
    `select user_id as id from memberships where tenant_id = $1 and role = 'owner' and removed_at is null`,
    [tenantId],
  );
  return owners.map(({ id }) => id);
}

test('200: the list shows who belongs, with role and second factor, and nobody else', async () => {
  const { tenantId, owner } = await addTenantWithOwner(server);
  const admin = await addPerson(server, tenantId, 'admin');
  const stranger = await addPerson(server, server.other.tenantId, 'owner');
  await server.query('update users set totp_enabled = true where id = $1', [admin.userId]);
  await server.query(
    `insert into user_passkeys (user_id, credential_id, public_key, sign_count, name) values ($1, '\\x01', '\\x02', 0, 'k')`,
    [owner.userId],
  );
  const analyst = await addPerson(server, tenantId, 'analyst');
  const { status, data, reply } = await callAs(server, admin, 'GET', membersOf(tenantId));
  expect(status).toBe(200);
  const { items, nextCursor } = data as unknown as { items: object[]; nextCursor: null };
  expect(nextCursor).toBeNull();
  expect(items).toEqual([
    expect.objectContaining({ userId: analyst.userId, role: 'analyst', hasSecondFactor: false, isEnabled: true }),
    expect.objectContaining({ userId: admin.userId, role: 'admin', hasSecondFactor: true, email: admin.email }),
    expect.objectContaining({ userId: owner.userId, role: 'owner', hasSecondFactor: true, firstName: 'Petra' }),
  ]);
  expect(reply.text).not.toContain(stranger.email);
  expect(JSON.parse(reply.text).meta).toEqual({ request: { timeTakenMs: expect.any(Number) } });
});

test('200: the list comes in pages that meet', async () => {
  const { tenantId, owner } = await addTenantWithOwner(server);
  const others = [];
  for (let count = 0; count < 4; count++) others.push(await addPerson(server, tenantId, 'analyst'));
  const seen: string[] = [];
  let query = '?limit=2';
  for (let page = 0; page < 3; page++) {
    const { data } = await callAs(server, owner, 'GET', `${membersOf(tenantId)}${query}`);
    const { items, nextCursor } = data as unknown as { items: { userId: string }[]; nextCursor: string | null };
    seen.push(...items.map(({ userId }) => userId));
    query = `?limit=2&cursor=${nextCursor}`;
    expect(nextCursor === null).toBe(page === 2);
  }
  // Of ids made in one millisecond, none is first.
  const ids = [owner, ...others].map(({ userId }) => userId);
  expect(seen).toEqual(ids.toSorted().toReversed());
});

test('200: a role is changed at once, with one row of audit; the same role again writes nothing', async () => {
  const { tenantId, owner } = await addTenantWithOwner(server);
  const person = await addPerson(server, tenantId, 'analyst');
  for (let count = 0; count < 2; count++) {
    const { status, data } = await callAs(server, owner, 'PATCH', memberOf(tenantId, person), { role: 'admin' });
    expect(status).toBe(200);
    expect(data).toMatchObject({ userId: person.userId, role: 'admin' });
  }
  expect(await auditOf(server, tenantId)).toEqual([
    {
      actor: owner.userId,
      action: 'member.changed',
      subject: person.userId,
      details: { from: 'analyst', to: 'admin' },
    },
  ]);
});

describe('403 forbidden', () => {
  test('an admin neither makes nor changes nor removes an owner, and gives nobody more than they have', async () => {
    const { tenantId, owner } = await addTenantWithOwner(server);
    const second = await addPerson(server, tenantId, 'owner');
    const [admin, analyst] = [await addPerson(server, tenantId, 'admin'), await addPerson(server, tenantId, 'analyst')];
    const attempts = [
      () => callAs(server, admin, 'PATCH', memberOf(tenantId, analyst), { role: 'owner' }),
      () => callAs(server, admin, 'PATCH', memberOf(tenantId, analyst), { role: 'finance' }),
      () => callAs(server, admin, 'PATCH', memberOf(tenantId, admin), { role: 'owner' }),
      () => callAs(server, admin, 'PATCH', memberOf(tenantId, owner), { role: 'analyst' }),
      () => callAs(server, admin, 'DELETE', memberOf(tenantId, second)),
    ];
    for (const attempt of attempts) expect(await attempt()).toMatchObject({ status: 403, code: 'forbidden' });
    expect(await auditOf(server, tenantId)).toEqual([]);
  });

  test('a role without members:write, and a token without it, change and see nothing', async () => {
    const { tenantId, owner } = await addTenantWithOwner(server);
    const developer = await addPerson(server, tenantId, 'developer');
    const narrow = await addPerson(server, tenantId, 'owner', { scope: 'reports:read' });
    for (const person of [developer, narrow]) {
      expect((await callAs(server, person, 'GET', membersOf(tenantId))).code).toBe('forbidden');
      expect((await callAs(server, person, 'DELETE', memberOf(tenantId, owner))).code).toBe('forbidden');
    }
  });

  test('step-up-required: without a second factor, or with one proved too long ago', async () => {
    const { tenantId } = await addTenantWithOwner(server);
    await letPasswordsIn(server, tenantId);
    const analyst = await addPerson(server, tenantId, 'analyst');
    for (const secondFactorAgoMs of [null, 601_000]) {
      const owner = await addPerson(server, tenantId, 'owner', { secondFactorAgoMs });
      expect((await callAs(server, owner, 'GET', membersOf(tenantId))).status).toBe(200);
      for (const attempt of [
        await callAs(server, owner, 'PATCH', memberOf(tenantId, analyst), { role: 'admin' }),
        await callAs(server, owner, 'DELETE', memberOf(tenantId, analyst)),
      ]) {
        expect(attempt).toMatchObject({ status: 403, code: 'step-up-required' });
      }
    }
  });

  test('whoever lost their role changes nothing, although their token still says otherwise', async () => {
    const { tenantId, owner } = await addTenantWithOwner(server);
    const [admin, analyst] = [await addPerson(server, tenantId, 'admin'), await addPerson(server, tenantId, 'analyst')];
    // The look-up of the token is fresh for some seconds.
    expect((await callAs(server, admin, 'GET', membersOf(tenantId))).status).toBe(200);
    expect((await callAs(server, owner, 'PATCH', memberOf(tenantId, admin), { role: 'analyst' })).status).toBe(200);
    expect((await callAs(server, admin, 'DELETE', memberOf(tenantId, analyst))).code).toBe('forbidden');
    expect((await callAs(server, owner, 'DELETE', memberOf(tenantId, admin))).status).toBe(200);
    expect((await callAs(server, admin, 'DELETE', memberOf(tenantId, analyst))).code).toBe('forbidden');
  });
});

test('404 not-found alike: another tenant’s member, an unknown, a removed and a malformed id', async () => {
  const { tenantId, owner } = await addTenantWithOwner(server);
  const stranger = await addPerson(server, server.other.tenantId, 'analyst');
  const removed = await addPerson(server, tenantId, 'analyst');
  await callAs(server, owner, 'DELETE', memberOf(tenantId, removed));
  const texts = new Set<string>();
  for (const userId of [stranger.userId, removed.userId, newId(), 'x', stranger.userId.toUpperCase()]) {
    for (const [method, body] of [['PATCH', { role: 'admin' }], ['DELETE']] as const) {
      const { status, code, reply } = await callAs(server, owner, method, memberOf(tenantId, { userId }), body);
      expect({ status, code }).toEqual({ status: 404, code: 'not-found' });
      texts.add(reply.text.replace(/"requestId":"[^"]*"/, ''));
    }
  }
  expect(texts.size).toBe(1);
});

describe('409 conflict: the last owner', () => {
  test('is neither removed nor changed, by nobody', async () => {
    const { tenantId, owner } = await addTenantWithOwner(server);
    // An owner whom the operator disabled cannot run the tenant, and does not count.
    const disabled = await addPerson(server, tenantId, 'owner');
    await server.query('update users set is_enabled = false where id = $1', [disabled.userId]);
    for (const attempt of [
      await callAs(server, owner, 'PATCH', memberOf(tenantId, owner), { role: 'admin' }),
      await callAs(server, owner, 'DELETE', memberOf(tenantId, owner)),
    ]) {
      expect(attempt).toMatchObject({ status: 409, code: 'conflict' });
    }
    expect(await ownersOf(tenantId)).toContain(owner.userId);
  });

  test('may go once there is another', async () => {
    const { tenantId, owner } = await addTenantWithOwner(server);
    const second = await addPerson(server, tenantId, 'owner');
    expect((await callAs(server, owner, 'DELETE', memberOf(tenantId, owner))).status).toBe(200);
    expect(await ownersOf(tenantId)).toEqual([second.userId]);
  });

  test('stays when two owners demote or remove each other at once: exactly one of them is left', async () => {
    const ways = [
      (by: TestPerson, whom: TestPerson, tenantId: string) =>
        callAs(server, by, 'PATCH', memberOf(tenantId, whom), { role: 'analyst' }),
      (by: TestPerson, whom: TestPerson, tenantId: string) => callAs(server, by, 'DELETE', memberOf(tenantId, whom)),
    ];
    for (let round = 0; round < 20; round++) {
      const { tenantId, owner } = await addTenantWithOwner(server);
      const second = await addPerson(server, tenantId, 'owner');
      const [first, other] = [ways[round % 2], ways[(round >> 1) % 2]];
      const answers = await Promise.all([first?.(owner, second, tenantId), other?.(second, owner, tenantId)]);
      expect(answers.map((each) => String(each?.status)).toSorted()).toEqual(['200', '403']);
      expect(await ownersOf(tenantId)).toHaveLength(1);
    }
  }, 60_000);

  test('stays when each of several owners leaves at once', async () => {
    const { tenantId, owner } = await addTenantWithOwner(server);
    const owners = [owner];
    for (let count = 0; count < 5; count++) owners.push(await addPerson(server, tenantId, 'owner'));
    const answers = await Promise.all(owners.map((each) => callAs(server, each, 'DELETE', memberOf(tenantId, each))));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 200, 200, 200, 200, 409]);
    expect(await ownersOf(tenantId)).toHaveLength(1);
  });
});

test('200: with a member end their access, their credentials and their open invitations, in this tenant alone', async () => {
  const { tenantId, owner } = await addTenantWithOwner(server);
  const admin = await addPerson(server, tenantId, 'admin');
  const elsewhere = await addTenantWithOwner(server);
  await server.query(`insert into memberships (tenant_id, user_id, role) values ($1, $2, 'admin')`, [
    elsewhere.tenantId,
    admin.userId,
  ]);
  const [credential, kept] = await server.database.asSystem(async (tx) => {
    const order = { name: 'Back office', ownerUserId: admin.userId, scopes: ['reports:read'] as const };
    return [
      await createCredential(tx, { tenantId, ...order }),
      await createCredential(tx, { tenantId: elsewhere.tenantId, ...order }),
    ];
  });
  const invited = await callAs(server, admin, 'POST', `/${tenantId}/v1/invitations`, {
    email: `i-${newId()}@example.com`,
    role: 'analyst',
  });
  expect(invited.status).toBe(200);
  const tokenFor = (clientId = '', secret = '') =>
    fetch(`${server.baseUrl}/v1/oauth/token`, {
      method: 'POST',
      headers: { authorization: `Basic ${Buffer.from(`${clientId}:${secret}`).toString('base64')}` },
      body: new URLSearchParams({ grant_type: 'client_credentials' }),
    });
  expect((await tokenFor(credential?.clientId, credential?.clientSecret)).status).toBe(200);

  const unsure = await callAs(server, owner, 'DELETE', memberOf(tenantId, admin));
  expect([unsure.status, unsure.code]).toEqual([409, 'conflict']);
  expect(JSON.parse(unsure.reply.text).wouldEnd).toEqual({
    credentials: [{ credentialId: credential?.clientId, name: 'Back office' }],
    secrets: [],
    keys: [],
    invitations: [{ invitationId: expect.any(String), email: expect.stringMatching(/^i-/) }],
    webhookEndpoints: [],
  });
  const { status, data } = await callAs(server, owner, 'DELETE', `${memberOf(tenantId, admin)}?confirm=true`);
  expect(status).toBe(200);
  expect(data).toEqual({
    userId: admin.userId,
    stoppedCredentials: [{ credentialId: credential?.clientId, name: 'Back office' }],
    endedSecrets: [],
    endedKeys: [],
    disabledWebhookEndpoints: [],
    rotatedWebhookSecrets: [],
  });
  expect((await tokenFor(credential?.clientId, credential?.clientSecret)).status).toBe(401);
  expect((await tokenFor(kept?.clientId, kept?.clientSecret)).status).toBe(200);
  const open = await callAs(server, owner, 'GET', `/${tenantId}/v1/invitations`);
  expect(open.data).toEqual({ items: [], nextCursor: null });
  const actions = (await auditOf(server, tenantId)).map(({ action, subject }) => `${action} ${subject}`);
  expect(actions.slice(-3)).toEqual([
    `member.removed ${admin.userId}`,
    `credential.changed ${credential?.clientId}`,
    `invitation.revoked ${(invited.data as unknown as { invitationId: string }).invitationId}`,
  ]);
  const there = await callAs(server, elsewhere.owner, 'GET', membersOf(elsewhere.tenantId));
  expect(there.reply.text).toContain(admin.userId);
});

test('a role, a removal and a disabled person or tenant count on every node within 60 s: here within 10', async () => {
  const { tenantId, owner } = await addTenantWithOwner(server);
  const node = await server.startNode();
  try {
    const there = { ...server, baseUrl: node.baseUrl };
    const people: TestPerson[] = [];
    while (people.length < 3) people.push(await addPerson(server, tenantId, 'admin'));
    const [lowered, removed, disabled] = people as [TestPerson, TestPerson, TestPerson];
    for (const person of people) expect((await callAs(there, person, 'GET', membersOf(tenantId))).status).toBe(200);
    await callAs(server, owner, 'PATCH', memberOf(tenantId, lowered), { role: 'analyst' });
    await callAs(server, owner, 'DELETE', memberOf(tenantId, removed));
    await server.query('update users set is_enabled = false where id = $1', [disabled.userId]);
    const statuses = async () =>
      Promise.all(people.map(async (person) => (await callAs(there, person, 'GET', membersOf(tenantId))).status));
    await eventually(async () => expect(await statuses()).toEqual([403, 403, 401]));
    await server.query('update tenants set is_enabled = false where id = $1', [tenantId]);
    const ownerStatus = async () => (await callAs(there, owner, 'GET', membersOf(tenantId))).status;
    await eventually(async () => expect(await ownerStatus()).toBe(403));
  } finally {
    await node.close();
  }
}, 60_000);

test('403: an application that was let in for less than its person gives no role beyond what it holds', async () => {
  const { tenantId } = await addTenantWithOwner(server);
  const owner = await addPerson(server, tenantId, 'owner', { scope: 'members:write reports:read wallet:read' });
  const analyst = await addPerson(server, tenantId, 'analyst');
  const invite = (role: string) =>
    callAs(server, owner, 'POST', `/${tenantId}/v1/invitations`, { email: `${newId()}@example.com`, role });
  expect((await invite('owner')).status).toBe(403);
  expect((await invite('developer')).status).toBe(403);
  expect((await callAs(server, owner, 'PATCH', memberOf(tenantId, analyst), { role: 'admin' })).status).toBe(403);
  expect((await invite('analyst')).status).toBe(200);
});
