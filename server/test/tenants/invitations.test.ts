// Invitations: made over HTTP, mailed over real SMTP, accepted once, by nobody else than the one they were sent to.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../../../tools/testing/eventually.ts';
import { expectSince } from '../../../tools/testing/expect-since.ts';
import { createPerson } from '../../src/identity/factors/create-person.ts';
import { newId } from '../../src/lib/ids.ts';
import { forgetNow } from '../../src/lib/postgres/retention.ts';
import { createLinkTokens } from '../../src/mail/link-tokens.ts';
import { acceptInvitation, findInvitation, type Joining } from '../../src/tenants/accept-invitation.ts';
import { INVITATIONS } from '../../src/tenants/invitation-store.ts';
import { generateBody, startServer, type TestServer } from '../harness.ts';
import { linkOf, type Mailbox, startMailbox, tokenOf } from '../support/mailbox.ts';
import { addPerson, addTenantWithOwner, auditOf, callAs, personToken, type TestPerson } from '../support/people.ts';
import { SHORT_RESTS } from '../support/rests.ts';

let server: TestServer;
let mailbox: Mailbox;
beforeAll(async () => {
  mailbox = await startMailbox();
  server = await startServer({ environment: mailbox.environment, overrides: { rests: SHORT_RESTS } });
});
afterAll(async () => {
  await server.close();
  await mailbox.stop();
});

type Invited = {
  readonly invitationId: string;
  readonly email: string;
  readonly role: string;
  readonly sentCount: number;
};

const invitationsOf = (tenantId: string) => `/${tenantId}/v1/invitations`;
const newAddress = () => `finn-${newId()}@example.com`;
const dependencies = () => ({
  database: server.database,
  linkTokens: createLinkTokens(server.config.hashKeys),
  createPerson,
});
const accept = (token: string, joining: Joining) => acceptInvitation(dependencies(), token, joining);
const asNew = (firstName = 'Finn'): Joining => ({
  kind: 'new',
  firstName,
  lastName: 'Example',
  passwordHash: '$argon2id$for-tests',
});

async function invite(tenantId: string, by: TestPerson, email: string, role = 'analyst'): Promise<Invited> {
  const { status, data, reply } = await callAs(server, by, 'POST', invitationsOf(tenantId), { email, role });
  expect(status, reply.text).toBe(200);
  return data as unknown as Invited;
}

const roleOf = async (tenantId: string, email: string) => {
  const found = await server.query<{ role: string }>(
    `select role from memberships join users on users.id = user_id
      where tenant_id = $1 and email = $2 and removed_at is null`,
    [tenantId, email],
  );
  return found.map(({ role }) => role);
};

test('200: an invitation is mailed at once and its link makes a new person a member, with audit rows that name nobody', async () => {
  const { tenantId, owner } = await addTenantWithOwner(server);
  const email = newAddress();
  const invitation = await invite(tenantId, owner, `  ${email.toUpperCase()} `, 'finance');
  expect(invitation).toMatchObject({ email, role: 'finance', invitedBy: owner.userId, sentCount: 1 });
  const mail = await mailbox.wait(email);
  expect(mail.subject).toBe('You are invited to join Test Claims on Trefoil');
  expect(mail.headers['from']).toContain('no-reply@example.com');
  expect(new URL(linkOf(mail)).origin).toBe(server.baseUrl);
  expect(linkOf(mail)).not.toContain('finn');
  const token = tokenOf(mail);
  expect(await findInvitation(dependencies(), token)).toMatchObject({
    ...{ tenantId, tenantName: 'Test Claims', role: 'finance', email, hasAccount: false },
  });

  const joined = await accept(token, asNew());
  expect(joined).toMatchObject({ kind: 'joined', tenantId, tenantName: 'Test Claims' });
  const { userId } = joined as unknown as { userId: string };
  expect(await roleOf(tenantId, email)).toEqual(['finance']);
  const [password] = await server.query('select hash from user_passwords where user_id = $1', [userId]);
  expect(password).toEqual({ hash: '$argon2id$for-tests' });
  expect(await auditOf(server, tenantId)).toEqual([
    { actor: owner.userId, action: 'member.invited', subject: invitation.invitationId, details: { role: 'finance' } },
    {
      actor: userId,
      action: 'member.joined',
      subject: userId,
      details: { invitationId: invitation.invitationId, role: 'finance' },
    },
  ]);
  // Works once.
  expect(await accept(token, { kind: 'known', userId })).toEqual({ kind: 'closed' });
  expect(await findInvitation(dependencies(), token)).toBeUndefined();
});

test('a known person joins with the account of that address and no other', async () => {
  const { tenantId, owner } = await addTenantWithOwner(server);
  const known = await addPerson(server, tenantId, undefined);
  const other = await addPerson(server, tenantId, undefined);
  await invite(tenantId, owner, known.email, 'developer');
  const token = tokenOf(await mailbox.wait(known.email));
  expect(await findInvitation(dependencies(), token)).toMatchObject({ hasAccount: true });
  expect(await accept(token, asNew())).toEqual({ kind: 'has-account' });
  expect(await accept(token, { kind: 'known', userId: other.userId })).toEqual({ kind: 'other-person' });
  expect(await accept(token, { kind: 'known', userId: newId() })).toEqual({ kind: 'other-person' });
  expect(await roleOf(tenantId, known.email)).toEqual([]);
  expect(await accept(token, { kind: 'known', userId: known.userId })).toMatchObject({ kind: 'joined' });
  const tokenOfPerson = await personToken(server, known.userId);
  const tenants = await callAs(server, { token: tokenOfPerson }, 'GET', '/v1/my/tenants');
  expect(tenants.reply.text).toContain(tenantId);
});

test('a caseworker who was invited generates and reads reports, and reaches nothing else of the company', async () => {
  const { tenantId, owner } = await addTenantWithOwner(server);
  const email = newAddress();
  await invite(tenantId, owner, email, 'caseworker');
  const mail = await mailbox.wait(email);
  expect(mail.text).toContain('a caseworker');
  const { userId } = (await accept(tokenOf(mail), asNew())) as unknown as { userId: string };
  const caseworker = { token: await personToken(server, userId) };
  const call = (method: string, path: string, body?: object) =>
    callAs(server, caseworker, method, `/${tenantId}/v1/${path}`, body);
  const made = await call('POST', 'credit-reports', generateBody());
  expect(made.status, made.reply.text).toBe(200);
  const { creditReportId } = made.data as { creditReportId: string };
  expect((await call('GET', `credit-reports/${creditReportId}`)).data).toHaveProperty('creditReport');
  expect((await call('GET', 'credit-reports')).reply.text).toContain(creditReportId);
  for (const path of ['wallet', 'wallet/entries', 'audit', 'events', 'members', 'credentials', 'webhook-endpoints']) {
    expect((await call('GET', path)).code, path).toBe('forbidden');
  }
});

test('who was removed and is invited again comes back with the new role; their old credentials do not', async () => {
  const { tenantId, owner } = await addTenantWithOwner(server);
  const person = await addPerson(server, tenantId, 'admin');
  await server.query(
    `insert into credentials (tenant_id, id, name, owner_user_id, auth_method, scopes)
     values ($1, gen_random_uuid(), 'Old', $2, 'client_secret', '{reports:read}')`,
    [tenantId, person.userId],
  );
  await callAs(server, owner, 'DELETE', `/${tenantId}/v1/members/${person.userId}?confirm=true`);
  await invite(tenantId, owner, person.email, 'analyst');
  const token = tokenOf(await mailbox.wait(person.email));
  expect(await accept(token, { kind: 'known', userId: person.userId })).toMatchObject({ kind: 'joined' });
  expect(await roleOf(tenantId, person.email)).toEqual(['analyst']);
  const credentials = await server.query('select is_enabled from credentials where owner_user_id = $1', [
    person.userId,
  ]);
  expect(credentials).toEqual([{ is_enabled: false }]);
});

test('of 20 who follow one link at once exactly one joins, and there is one account', async () => {
  const { tenantId, owner } = await addTenantWithOwner(server);
  const email = newAddress();
  await invite(tenantId, owner, email);
  const token = tokenOf(await mailbox.wait(email));
  const answers = await Promise.all(Array.from({ length: 20 }, (_, number) => accept(token, asNew(`Finn${number}`))));
  const kinds = answers.map(({ kind }) => kind);
  expect(kinds.filter((kind) => kind === 'joined')).toHaveLength(1);
  expect(new Set(kinds.filter((kind) => kind !== 'joined'))).toEqual(
    new Set(kinds.filter((kind) => kind === 'has-account' || kind === 'closed')),
  );
  expect(await server.query('select from users where email = $1', [email])).toHaveLength(1);
  expect((await auditOf(server, tenantId)).filter(({ action }) => action === 'member.joined')).toHaveLength(1);
});

test('of 20 acceptances by a known person at once exactly one joins', async () => {
  const { tenantId, owner } = await addTenantWithOwner(server);
  const { userId, email } = await addPerson(server, tenantId, undefined);
  await invite(tenantId, owner, email);
  const token = tokenOf(await mailbox.wait(email));
  const answers = await Promise.all(Array.from({ length: 20 }, () => accept(token, { kind: 'known', userId })));
  expect(answers.filter(({ kind }) => kind === 'joined')).toHaveLength(1);
  expect(answers.filter(({ kind }) => kind === 'closed')).toHaveLength(19);
  expect((await auditOf(server, tenantId)).filter(({ action }) => action === 'member.joined')).toHaveLength(1);
});

test('a crash between the two transactions leaves an account without access and a link that still works', async () => {
  const { tenantId, owner } = await addTenantWithOwner(server);
  const email = newAddress();
  await invite(tenantId, owner, email);
  const token = tokenOf(await mailbox.wait(email));
  const broken = { ...server.database, forTenants: () => Promise.reject(new Error('the process died')) };
  await expect(acceptInvitation({ ...dependencies(), database: broken }, token, asNew())).rejects.toThrow('died');
  const [user] = await server.query<{ id: string }>('select id from users where email = $1', [email]);
  const signedIn = await personToken(server, user?.id ?? '');
  expect((await callAs(server, { token: signedIn }, 'GET', `/${tenantId}/v1/members`)).status).toBe(403);
  expect((await callAs(server, owner, 'GET', `/${tenantId}/v1/members`)).reply.text).not.toContain(email);
  expect(await accept(token, { kind: 'known', userId: user?.id ?? '' })).toMatchObject({ kind: 'joined' });
  expect(await roleOf(tenantId, email)).toEqual(['analyst']);
});

describe('a link that no longer works', () => {
  test('after seven days, after a revocation, after a second invitation, in a disabled tenant', async () => {
    const { tenantId, owner } = await addTenantWithOwner(server);
    const ends: ((invited: Invited) => Promise<unknown>)[] = [
      ({ invitationId }) => server.query('update invitations set expires_at = now() where id = $1', [invitationId]),
      ({ invitationId }) => callAs(server, owner, 'DELETE', `${invitationsOf(tenantId)}/${invitationId}`),
      ({ email }) => invite(tenantId, owner, email, 'developer'),
      () => server.query('update tenants set is_enabled = false where id = $1', [tenantId]),
    ];
    for (const end of ends) {
      const invited = await invite(tenantId, owner, newAddress());
      const token = tokenOf(await mailbox.wait(invited.email));
      expect(await findInvitation(dependencies(), token)).toBeDefined();
      await end(invited);
      expect(await findInvitation(dependencies(), token)).toBeUndefined();
      expect(await accept(token, asNew())).toEqual({ kind: 'closed' });
      expect(await server.query('select from users where email = $1', [invited.email])).toEqual([]);
    }
  });

  test('after the one who invited lost the role they gave', async () => {
    const { tenantId, owner } = await addTenantWithOwner(server);
    const second = await addPerson(server, tenantId, 'owner');
    const [high, low] = [newAddress(), newAddress()];
    await invite(tenantId, second, high, 'owner');
    await invite(tenantId, second, low, 'analyst');
    await callAs(server, owner, 'PATCH', `/${tenantId}/v1/members/${second.userId}`, { role: 'admin' });
    const open = await callAs(server, owner, 'GET', invitationsOf(tenantId));
    expect((open.data as unknown as { items: Invited[] }).items.map(({ email }) => email)).toEqual([low]);
    expect(await accept(tokenOf(await mailbox.wait(low)), asNew())).toMatchObject({ kind: 'joined' });
  });

  test('when it was made up: of another kind, of another key, or for another id', async () => {
    const { tenantId, owner } = await addTenantWithOwner(server);
    const { invitationId, email } = await invite(tenantId, owner, newAddress());
    const token = tokenOf(await mailbox.wait(email));
    const forged = [
      createLinkTokens(server.config.hashKeys).make('password-reset', invitationId),
      createLinkTokens([{ key: Buffer.alloc(32) }]).make('invitation', invitationId),
      createLinkTokens(server.config.hashKeys).make('invitation', newId()),
      `${newId()}.${token.split('.')[1]}`,
      invitationId,
      '',
    ];
    for (const each of forged) expect(await accept(each, asNew())).toEqual({ kind: 'closed' });
  });
});

test('200: open invitations are listed; revoking and resending change one, and a second to an address replaces the first', async () => {
  const { tenantId, owner } = await addTenantWithOwner(server);
  const [first, second] = [await invite(tenantId, owner, newAddress()), await invite(tenantId, owner, newAddress())];
  const replaced = await invite(tenantId, owner, first.email, 'developer');
  const listed = async () => {
    const { data } = await callAs(server, owner, 'GET', invitationsOf(tenantId));
    return (data as unknown as { items: Invited[] }).items.map(({ invitationId }) => invitationId);
  };
  expect(await listed()).toEqual([replaced.invitationId, second.invitationId]);
  const revoked = await callAs(server, owner, 'DELETE', `${invitationsOf(tenantId)}/${second.invitationId}`);
  expect(revoked).toMatchObject({ status: 200, data: { invitationId: second.invitationId } });
  expect(await listed()).toEqual([replaced.invitationId]);
  expect((await auditOf(server, tenantId)).map(({ action, subject }) => `${action} ${subject}`)).toEqual([
    `member.invited ${first.invitationId}`,
    `member.invited ${second.invitationId}`,
    `invitation.revoked ${first.invitationId}`,
    `member.invited ${replaced.invitationId}`,
    `invitation.revoked ${second.invitationId}`,
  ]);
});

test('429 and 409: an invitation is mailed again once a minute and five times in all, with the same link', async () => {
  const { tenantId, owner } = await addTenantWithOwner(server);
  const { invitationId, email } = await invite(tenantId, owner, newAddress());
  const resend = () => callAs(server, owner, 'POST', `${invitationsOf(tenantId)}/${invitationId}/resend`);
  const token = tokenOf(await mailbox.wait(email));
  const soon = await resend();
  expect(soon).toMatchObject({ status: 429, code: 'rate-limited' });
  expect(Number(soon.reply.headers['retry-after'])).toBeGreaterThan(50);
  for (let sentCount = 2; sentCount <= 5; sentCount++) {
    await server.query(
      `update invitations set sent_at = now() - interval '61 s', expires_at = now() + interval '1 h' where id = $1`,
      [invitationId],
    );
    const beforeMs = Date.now();
    const again = await resend();
    expect(again).toMatchObject({ status: 200, data: { sentCount } });
    const { expiresAt } = again.data as unknown as { expiresAt: string };
    expectSince(beforeMs, Date.parse(expiresAt) - 7 * 86_400_000);
  }
  await server.query(`update invitations set sent_at = now() - interval '61 s' where id = $1`, [invitationId]);
  expect(await resend()).toMatchObject({ status: 409, code: 'conflict' });
  await eventually(async () => expect((await mailbox.mails(email)).length).toBe(5));
  for (const mail of await mailbox.mails(email)) expect(tokenOf(mail)).toBe(token);
});

describe('403 forbidden', () => {
  test('an admin invites no owner and nobody into finance, and takes no owner’s invitation away', async () => {
    const { tenantId, owner } = await addTenantWithOwner(server);
    const admin = await addPerson(server, tenantId, 'admin');
    for (const role of ['owner', 'finance']) {
      const refused = await callAs(server, admin, 'POST', invitationsOf(tenantId), { email: newAddress(), role });
      expect(refused).toMatchObject({ status: 403, code: 'forbidden' });
    }
    const { invitationId } = await invite(tenantId, owner, newAddress(), 'owner');
    for (const [method, path] of [
      ['DELETE', ''],
      ['POST', '/resend'],
    ] as const) {
      const refused = await callAs(server, admin, method, `${invitationsOf(tenantId)}/${invitationId}${path}`);
      expect(refused).toMatchObject({ status: 403, code: 'forbidden' });
    }
    const { invitationId: lower } = await invite(tenantId, owner, newAddress(), 'finance');
    expect((await callAs(server, admin, 'DELETE', `${invitationsOf(tenantId)}/${lower}`)).status).toBe(200);
  });

  test('step-up-required: without a fresh second factor nothing is made, resent or revoked', async () => {
    const { tenantId, owner } = await addTenantWithOwner(server);
    const { invitationId } = await invite(tenantId, owner, newAddress());
    const tired = await addPerson(server, tenantId, 'owner', { secondFactorAgoMs: 601_000 });
    for (const [method, path, body] of [
      ['POST', '', { email: newAddress(), role: 'analyst' }],
      ['POST', `/${invitationId}/resend`],
      ['DELETE', `/${invitationId}`],
    ] as const) {
      const refused = await callAs(server, tired, method, `${invitationsOf(tenantId)}${path}`, body);
      expect(refused).toMatchObject({ status: 403, code: 'step-up-required' });
    }
  });
});

test('404 not-found alike: another tenant’s, an unknown, a revoked and a malformed invitation', async () => {
  const { tenantId, owner } = await addTenantWithOwner(server);
  const elsewhere = await addTenantWithOwner(server);
  const foreign = await invite(elsewhere.tenantId, elsewhere.owner, newAddress());
  const revoked = await invite(tenantId, owner, newAddress());
  await callAs(server, owner, 'DELETE', `${invitationsOf(tenantId)}/${revoked.invitationId}`);
  const texts = new Set<string>();
  for (const id of [foreign.invitationId, revoked.invitationId, newId(), 'x']) {
    for (const [method, path] of [
      ['DELETE', ''],
      ['POST', '/resend'],
    ] as const) {
      const { status, code, reply } = await callAs(server, owner, method, `${invitationsOf(tenantId)}/${id}${path}`);
      expect({ status, code }).toEqual({ status: 404, code: 'not-found' });
      texts.add(reply.text.replace(/"requestId":"[^"]*"/, ''));
    }
  }
  expect(texts.size).toBe(1);
});

test('409 conflict: a member is not invited again; 400: neither is something that is no address or no role', async () => {
  const { tenantId, owner } = await addTenantWithOwner(server);
  const member = await addPerson(server, tenantId, 'analyst');
  const again = await callAs(server, owner, 'POST', invitationsOf(tenantId), { email: member.email, role: 'admin' });
  expect(again).toMatchObject({ status: 409, code: 'conflict' });
  for (const body of [
    { email: 'x', role: 'analyst' },
    { email: 'a@example.com\r\nBcc: b@example.com', role: 'analyst' },
    { email: 'a@example.com, b@example.com', role: 'analyst' },
    { email: newAddress(), role: 'king' },
    { email: newAddress() },
  ]) {
    const refused = await callAs(server, owner, 'POST', invitationsOf(tenantId), body);
    expect(refused).toMatchObject({ status: 400, code: 'validation-error' });
  }
});

test('429 rate-limited: of 60 invitations at once 50 are made; tomorrow there is room again', async () => {
  const { tenantId, owner } = await addTenantWithOwner(server);
  const attempts = Array.from({ length: 60 }, () =>
    callAs(server, owner, 'POST', invitationsOf(tenantId), { email: newAddress(), role: 'analyst' }),
  );
  const statuses = (await Promise.all(attempts)).map(({ status }) => status);
  expect(statuses.filter((status) => status === 200)).toHaveLength(50);
  expect(statuses.filter((status) => status === 429)).toHaveLength(10);
  await server.query(`update invitations set created_at = now() - interval '25 h' where tenant_id = $1`, [tenantId]);
  await invite(tenantId, owner, newAddress());
});

test('a month after an invitation is over its address is forgotten; an open one and a fresh one keep theirs', async () => {
  const { tenantId, owner } = await addTenantWithOwner(server);
  const states = {
    accepted: `accepted_at = now() - interval '31 days'`,
    revoked: `revoked_at = now() - interval '31 days'`,
    expired: `expires_at = now() - interval '31 days'`,
    'expired too': `expires_at = now() - interval '31 days'`,
    'revoked lately': `revoked_at = now() - interval '29 days'`,
    open: `expires_at = now() + interval '1 day'`,
  };
  const ids = new Map<string, string>();
  for (const [name, change] of Object.entries(states)) {
    const { invitationId } = await invite(tenantId, owner, newAddress());
    await server.query(`update invitations set ${change} where id = $1`, [invitationId]);
    ids.set(name, invitationId);
  }
  expect(await forgetNow(server.database, [INVITATIONS])).toBe(4);
  const kept = await server.query<{ id: string }>(`select id from invitations where tenant_id = $1 and email <> ''`, [
    tenantId,
  ]);
  expect(kept.map(({ id }) => id).toSorted()).toEqual(
    ['revoked lately', 'open'].map((name) => ids.get(name) ?? '').toSorted(),
  );
  const [accepted] = await server.query('select revoked_at from invitations where id = $1', [ids.get('accepted')]);
  expect(accepted).toEqual({ revoked_at: null });
});
