// A developer makes a credential in an owner's name, keeps its secret, and is removed. The credential stays; what the
// developer made of it must not (docs/decisions/0151-what-a-member-made.md).
import type { CredentialItem, MemberEndings } from '@trefoil/contract';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../../../tools/testing/eventually.ts';
import { newId } from '../../src/lib/ids.ts';
import { startServer, type TestServer } from '../harness.ts';
import { addAccount, signIn } from '../support/browser.ts';
import { sayHere } from '../support/command-line.ts';
import { linkOf, type Mailbox, startMailbox } from '../support/mailbox.ts';
import {
  addPerson,
  addTenantWithOwner,
  auditOf,
  callAs,
  letPasswordsIn,
  personToken,
  type TestPerson,
} from '../support/people.ts';
import { SHORT_LOOK_UPS, SHORT_RESTS } from '../support/rests.ts';
import { type Reply, send } from '../support/wire.ts';

let mailbox: Mailbox;
let server: TestServer;
beforeAll(async () => {
  mailbox = await startMailbox();
  server = await startServer({
    environment: mailbox.environment,
    overrides: { rests: { ...SHORT_RESTS, ...SHORT_LOOK_UPS } },
  });
});
afterAll(async () => {
  await server.close();
  await mailbox.stop();
});

type Made = CredentialItem & { clientSecret: string };
const credentialsOf = (tenantId: string, ...rest: string[]) => [`/${tenantId}/v1/credentials`, ...rest].join('/');
const memberOf = (tenantId: string, { userId }: { userId: string }) => `/${tenantId}/v1/members/${userId}`;

async function make(person: TestPerson, tenantId: string, order: object): Promise<Made> {
  const body = { name: 'Portal', scopes: ['reports:read'], ...order };
  const { status, data, reply } = await callAs(server, person, 'POST', credentialsOf(tenantId), body);
  expect(status, reply.text).toBe(200);
  return data as unknown as Made;
}

function askToken(form: Record<string, string>): Promise<Reply> {
  return send(server.baseUrl, {
    method: 'POST',
    path: '/v1/oauth/token',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ grant_type: 'client_credentials', ...form }).toString(),
  });
}

const withSecret = (id: string, secret: string) => askToken({ client_id: id, client_secret: secret });

async function tokenOf(reply: Promise<Reply>): Promise<{ token: string }> {
  const { status, text } = await reply;
  expect(status, text).toBe(200);
  return { token: JSON.parse(text).access_token };
}

const reads = async (tenantId: string, holder: { token: string }) =>
  (await callAs(server, holder, 'GET', `/${tenantId}/v1/credit-reports`)).status;

async function signer(tenantAddress: string) {
  const { publicKey, privateKey } = await generateKeyPair('ES256');
  const kid = newId();
  const sign = (clientId: string) =>
    new SignJWT({ jti: newId() })
      .setProtectedHeader({ alg: 'ES256', kid })
      .setIssuer(clientId)
      .setSubject(clientId)
      .setAudience(tenantAddress)
      .setIssuedAt()
      .setExpirationTime('60s')
      .sign(privateKey);
  return { kid, jwk: { ...(await exportJWK(publicKey)), kid }, sign };
}

const withKey = async (clientId: string, { sign }: Awaited<ReturnType<typeof signer>>) =>
  askToken({
    client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    client_assertion: await sign(clientId),
  });

describe('a member who made a secret of an owner’s credential and is removed', () => {
  test('reads nothing more: neither with the secret nor with a token got before; the credential goes on', async () => {
    const { tenantId, owner } = await addTenantWithOwner(server);
    const developer = await addPerson(server, tenantId, 'developer');
    const made = await make(developer, tenantId, { ownerUserId: owner.userId });
    const [theirs] = made.secrets;
    expect(theirs?.madeBy).toBe(developer.userId);
    const kept = await tokenOf(withSecret(made.id, made.clientSecret));
    expect(await reads(tenantId, kept)).toBe(200);
    const added = await callAs(server, owner, 'POST', credentialsOf(tenantId, made.id, 'secrets'), {});
    const { clientSecret } = added.data as unknown as Made;

    const wouldEnd: MemberEndings = {
      credentials: [],
      secrets: [{ credentialId: made.id, name: 'Portal', secretId: theirs?.id ?? '' }],
      keys: [],
      invitations: [],
      webhookEndpoints: [],
    };
    const refused = await callAs(server, owner, 'DELETE', memberOf(tenantId, developer));
    expect(refused).toMatchObject({ status: 409, code: 'conflict' });
    expect(JSON.parse(refused.reply.text).wouldEnd).toEqual(wouldEnd);
    // A refusal changes nothing.
    expect((await withSecret(made.id, made.clientSecret)).status).toBe(200);

    const removed = await callAs(server, owner, 'DELETE', `${memberOf(tenantId, developer)}?confirm=true`);
    expect(removed.status).toBe(200);
    expect(removed.data).toEqual({
      userId: developer.userId,
      stoppedCredentials: [],
      endedSecrets: wouldEnd.secrets,
      endedKeys: [],
      disabledWebhookEndpoints: [],
      rotatedWebhookSecrets: [],
    });
    expect((await withSecret(made.id, made.clientSecret)).status).toBe(401);
    await eventually(async () => expect(await reads(tenantId, kept)).toBe(401));
    // The owner's own secret of the same credential works, and so do the tokens got with it from now on.
    const fresh = await tokenOf(withSecret(made.id, clientSecret));
    expect(await reads(tenantId, fresh)).toBe(200);
    expect((await auditOf(server, tenantId)).filter(({ action }) => action === 'credential.secret-ended')).toEqual([
      {
        actor: owner.userId,
        action: 'credential.secret-ended',
        subject: made.id,
        details: { secretId: theirs?.id, makerRemoved: developer.userId },
      },
    ]);
  });

  test('their key ends although another member sent the set once more; a key of another member stays', async () => {
    const { tenantId, owner } = await addTenantWithOwner(server);
    const developer = await addPerson(server, tenantId, 'developer');
    const [theirs, others] = [await signer(server.baseUrl), await signer(server.baseUrl)];
    const made = await make(developer, tenantId, { ownerUserId: owner.userId, publicKeys: { keys: [theirs.jwk] } });
    const both = { publicKeys: { keys: [{ ...theirs.jwk, kid: 'renamed' }, others.jwk] } };
    const replaced = await callAs(server, owner, 'POST', credentialsOf(tenantId, made.id, 'public-keys'), both);
    expect((replaced.data as unknown as CredentialItem).keys).toEqual([
      { keyId: 'renamed', madeBy: developer.userId },
      { keyId: others.kid, madeBy: owner.userId },
    ]);
    const kept = await tokenOf(withKey(made.id, others));
    const refused = await callAs(server, owner, 'DELETE', memberOf(tenantId, developer));
    expect(JSON.parse(refused.reply.text).wouldEnd.keys).toEqual([
      { credentialId: made.id, name: 'Portal', keyId: 'renamed' },
    ]);
    expect((await callAs(server, owner, 'DELETE', `${memberOf(tenantId, developer)}?confirm=true`)).status).toBe(200);
    expect((await withKey(made.id, theirs)).status).toBe(401);
    await eventually(async () => expect(await reads(tenantId, kept)).toBe(401));
    expect(await reads(tenantId, await tokenOf(withKey(made.id, others)))).toBe(200);
    const { data } = await callAs(server, owner, 'GET', credentialsOf(tenantId, made.id));
    expect((data as unknown as CredentialItem).keyIds).toEqual([others.kid]);
  });

  test('with the only key gone the credential proves itself with nothing: 401, and a new key brings it back', async () => {
    const { tenantId, owner } = await addTenantWithOwner(server);
    const developer = await addPerson(server, tenantId, 'developer');
    const [theirs, next] = [await signer(server.baseUrl), await signer(server.baseUrl)];
    const made = await make(developer, tenantId, { ownerUserId: owner.userId, publicKeys: { keys: [theirs.jwk] } });
    expect((await withKey(made.id, theirs)).status).toBe(200);
    expect((await callAs(server, owner, 'DELETE', `${memberOf(tenantId, developer)}?confirm=true`)).status).toBe(200);
    const reply = await withKey(made.id, theirs);
    expect([reply.status, JSON.parse(reply.text).error]).toEqual([401, 'invalid_client']);
    const keys = { publicKeys: { keys: [next.jwk] } };
    expect((await callAs(server, owner, 'POST', credentialsOf(tenantId, made.id, 'public-keys'), keys)).status).toBe(
      200,
    );
    expect((await withKey(made.id, next)).status).toBe(200);
  });

  test('gets none of it back by coming back, and makes none in the moment of being removed', async () => {
    const { tenantId, owner } = await addTenantWithOwner(server);
    const developer = await addPerson(server, tenantId, 'developer');
    const made = await make(owner, tenantId, {});
    const before = await make(developer, tenantId, { ownerUserId: owner.userId });
    const path = credentialsOf(tenantId, made.id, 'secrets');
    const [added, removed] = await Promise.all([
      callAs(server, developer, 'POST', path, { graceSeconds: 3_600 }),
      callAs(server, owner, 'DELETE', `${memberOf(tenantId, developer)}?confirm=true`),
    ]);
    expect(removed.status).toBe(200);
    expect([200, 403]).toContain(added.status);
    await server.query('update memberships set removed_at = null where tenant_id = $1 and user_id = $2', [
      tenantId,
      developer.userId,
    ]);
    const live = await server.query(
      `select from credential_secrets where tenant_id = $1 and made_by = $2
          and (expires_at is null or expires_at > clock_timestamp())`,
      [tenantId, developer.userId],
    );
    expect(live).toEqual([]);
    expect((await withSecret(before.id, before.clientSecret)).status).toBe(401);
    if (added.status === 200) {
      expect((await withSecret(made.id, (added.data as unknown as Made).clientSecret)).status).toBe(401);
    }
  });

  test('with nobody else’s work in the way no confirmation is asked for', async () => {
    const { tenantId, owner } = await addTenantWithOwner(server);
    const analyst = await addPerson(server, tenantId, 'analyst');
    const bad = await callAs(server, owner, 'DELETE', `${memberOf(tenantId, analyst)}?confirm=yes`);
    expect([bad.status, bad.code]).toEqual([400, 'validation-error']);
    expect((await callAs(server, owner, 'DELETE', memberOf(tenantId, analyst))).status).toBe(200);
  });
});

test('a person whom the operator disables: what they made for an owner’s credential stops, until they are enabled', async () => {
  const { tenantId, owner } = await addTenantWithOwner(server);
  const developer = await addPerson(server, tenantId, 'developer');
  const theirs = await signer(server.baseUrl);
  const ownerUserId = owner.userId;
  const made = await make(developer, tenantId, { ownerUserId });
  const keyed = await make(developer, tenantId, { ownerUserId, publicKeys: { keys: [theirs.jwk] } });
  const kept = [
    await tokenOf(withSecret(made.id, made.clientSecret)),
    await tokenOf(withKey(keyed.id, theirs)),
  ] as const;
  await sayHere(server, 'user', 'disable', '--user', developer.userId);
  expect((await withSecret(made.id, made.clientSecret)).status).toBe(401);
  expect((await withKey(keyed.id, theirs)).status).toBe(401);
  for (const token of kept) await eventually(async () => expect(await reads(tenantId, token)).toBe(401));
  await sayHere(server, 'user', 'enable', '--user', developer.userId);
  expect(await reads(tenantId, await tokenOf(withSecret(made.id, made.clientSecret)))).toBe(200);
  expect((await withKey(keyed.id, theirs)).status).toBe(200);
});

describe('a member who is named as the owner of a credential', () => {
  test('is told by mail and refuses on a page, whatever their role; nobody else enables it in their name', async () => {
    const { tenantId, owner } = await addTenantWithOwner(server);
    await letPasswordsIn(server, tenantId);
    const developer = await addPerson(server, tenantId, 'developer');
    const named = await addAccount(server, tenantId, 'analyst');
    const made = await make(developer, tenantId, { name: 'Portal <b>', ownerUserId: named.userId });
    const mail = await mailbox.wait(named.email);
    expect(mail.subject).toBe('You are responsible for an API credential of Test Claims');
    expect(mail.html).not.toContain('<b>');
    const path = linkOf(mail).slice(server.baseUrl.length);
    expect(path).toBe(`/v1/auth/credentials/${tenantId}/${made.id}`);
    const kept = await tokenOf(withSecret(made.id, made.clientSecret));
    expect(await reads(tenantId, kept)).toBe(200);

    // For nobody else: another member, even one who may run credentials, finds nothing there.
    const other = await addAccount(server, tenantId, 'owner');
    const stranger = await signIn(server, other);
    expect([(await stranger.get(path)).status, (await stranger.post(path, {})).status]).toEqual([404, 404]);

    const browser = await signIn(server, named);
    expect((await browser.get(path)).text).toContain('Refuse');
    expect((await browser.post(path, {})).status).toBe(200);
    expect((await withSecret(made.id, made.clientSecret)).status).toBe(401);
    await eventually(async () => expect(await reads(tenantId, kept)).toBe(401));
    const one = credentialsOf(tenantId, made.id);
    for (const change of [{ isEnabled: true }, { name: 'Again' }, { isEnabled: true, ownerUserId: named.userId }]) {
      expect((await callAs(server, developer, 'PATCH', one, change)).code).toBe('conflict');
    }
    expect((await callAs(server, developer, 'PATCH', one, { isEnabled: false })).status).toBe(200);
    expect((await auditOf(server, tenantId)).map(({ action }) => action)).toContain('credential.refused');
    const { data } = await callAs(server, owner, 'GET', one);
    expect(data).toMatchObject({ isEnabled: false, isRefused: true });
    // With another owner it may work again.
    const moved = await callAs(server, owner, 'PATCH', one, { isEnabled: true, ownerUserId: owner.userId });
    expect(moved.data).toMatchObject({ isEnabled: true, isRefused: false });
    expect((await withSecret(made.id, made.clientSecret)).status).toBe(200);
    // The refusal stands: naming them once more needs them.
    expect((await callAs(server, developer, 'PATCH', one, { ownerUserId: named.userId })).code).toBe('conflict');
  });

  test('is told too when it is handed over to them, and when somebody else makes a secret of it', async () => {
    const { tenantId, owner } = await addTenantWithOwner(server);
    const developer = await addPerson(server, tenantId, 'developer');
    const made = await make(developer, tenantId, {});
    const handed = await callAs(server, developer, 'PATCH', credentialsOf(tenantId, made.id), {
      ownerUserId: owner.userId,
    });
    expect(handed.status).toBe(200);
    expect((await mailbox.wait(owner.email)).subject).toContain('You are responsible for');
    expect((await callAs(server, developer, 'POST', credentialsOf(tenantId, made.id, 'secrets'), {})).status).toBe(200);
    await eventually(async () =>
      expect((await mailbox.mails(owner.email)).map(({ subject }) => subject).toSorted()).toEqual([
        'You are responsible for an API credential of Test Claims',
        'Your API credential of Test Claims has a new secret or key',
      ]),
    );
    // Of what they do themselves nobody tells them.
    const token = await personToken(server, owner.userId);
    const mine = { ...owner, token };
    await callAs(server, mine, 'POST', credentialsOf(tenantId, made.id, 'secrets'), { graceSeconds: 0 });
    expect(await server.query('select from mails where recipient = $1', [owner.email])).toHaveLength(2);
  });
});
