// The token endpoint under attack: guessed secrets, replayed and forged assertions, and what a stolen database holds.
// The server trusts this machine as a proxy, so each test can come from an address of its own.
import { createHash, randomUUID } from 'node:crypto';
import { exportJWK, generateKeyPair, importJWK, type JWK, SignJWT } from 'jose';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { DemoTenant } from '../../../tools/dev/seed.ts';
import { startServer, type TestServer } from '../harness.ts';
import { dumpDatabase } from '../support/dump.ts';
import { addCredential, type Claims, encodePart, nowSeconds } from '../support/tokens.ts';
import { type Reply, readError, send } from '../support/wire.ts';

const TOKEN_PATH = '/v1/oauth/token';
const ASSERTION_TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';

let server: TestServer;
let key: JWK;
let publicKey: JWK;
beforeAll(async () => {
  // Connections enough that parallel guesses are judged in parallel and do not queue up for the database.
  const environment = { TREFOIL_TRUSTED_PROXIES: '127.0.0.1', TREFOIL_SYSTEM_DATABASE_CONNECTIONS: '30' };
  server = await startServer({ environment });
  const pair = await generateKeyPair('ES256', { extractable: true });
  key = await exportJWK(pair.privateKey);
  publicKey = { ...(await exportJWK(pair.publicKey)), kid: 'client-key', alg: 'ES256' };
});
afterAll(() => server.close());

let addresses = 0;
function newAddress(): string {
  addresses += 1;
  return `198.18.${addresses >> 8}.${addresses & 255}`;
}

function ask(form: Record<string, string>, from: string, headers: Record<string, string> = {}): Promise<Reply> {
  return send(server.baseUrl, {
    method: 'POST',
    path: TOKEN_PATH,
    headers: { 'content-type': 'application/x-www-form-urlencoded', 'x-forwarded-for': from, ...headers },
    body: new URLSearchParams({ grant_type: 'client_credentials', ...form }).toString(),
  });
}

function withSecret(clientId: string, secret: string, from: string): Promise<Reply> {
  return ask({}, from, { authorization: `Basic ${Buffer.from(`${clientId}:${secret}`).toString('base64')}` });
}

function expectWrong(reply: Reply): void {
  expect(reply.status, reply.text).toBe(401);
  expect(readError(reply, TOKEN_PATH)).toMatchObject({ error: 'invalid_client', code: 'unauthorized' });
  expect(JSON.parse(reply.text)).toHaveProperty('error_description');
}

function expectLocked(reply: Reply): void {
  expect(reply.status, reply.text).toBe(429);
  expect(readError(reply, TOKEN_PATH)).toMatchObject({ code: 'rate-limited' });
  expect(Number(reply.headers['retry-after'])).toBeGreaterThan(0);
  expect(Number(reply.headers['retry-after'])).toBeLessThanOrEqual(60);
}

test('401 invalid_client alike: a wrong secret, an unknown client and a disabled one', async () => {
  const disabled = await addCredential(server, server.demo);
  await server.query('update credentials set is_enabled = false where id = $1', [disabled.clientId]);
  const from = newAddress();
  const replies = [
    await withSecret(server.demo.clientId, 'wrong', from),
    await withSecret(randomUUID(), 'wrong', from),
    await withSecret('not-a-uuid', 'wrong', from),
    await withSecret(disabled.clientId, disabled.clientSecret, from),
    await ask({ client_id: server.demo.clientId, client_secret: 'wrong' }, from),
  ];
  const bodies = replies.map(({ text }) => ({ ...JSON.parse(text), requestId: '' }));
  for (const reply of replies) expectWrong(reply);
  for (const body of bodies) expect(body).toEqual(bodies[0]);
});

test('401 invalid_client: the stored hash of a secret is not the secret', async () => {
  const credential = await addCredential(server, server.demo);
  const hash = createHash('sha256').update(credential.clientSecret).digest();
  for (const guess of [
    hash.toString('base64url'),
    hash.toString('hex'),
    'none',
    credential.clientSecret.slice(0, -1),
  ]) {
    expectWrong(await withSecret(credential.clientId, guess, newAddress()));
  }
  expect((await withSecret(credential.clientId, credential.clientSecret, newAddress())).status).toBe(200);
});

test('401 invalid_client: a rotated secret ends with its grace time', async () => {
  const credential = await addCredential(server, server.demo);
  await server.query('update credential_secrets set expires_at = clock_timestamp() where credential_id = $1', [
    credential.clientId,
  ]);
  expectWrong(await withSecret(credential.clientId, credential.clientSecret, newAddress()));
});

test('429 rate-limited: of 30 wrong secrets at once exactly 10 learn that they were wrong, over and over', async () => {
  // Warm connections first: a guess that waits for one is not at the same time as the others.
  const warm = await addCredential(server, server.demo);
  const inParallel = (work: () => Promise<Reply>) => Promise.all(Array.from({ length: 30 }, work));
  await inParallel(() => withSecret(warm.clientId, warm.clientSecret, newAddress()));
  for (let round = 0; round < 10; round += 1) {
    const { clientId } = await addCredential(server, server.demo);
    const from = newAddress();
    const replies = await inParallel(() => withSecret(clientId, 'wrong', from));
    const refused = replies.filter(({ status }) => status === 401);
    const locked = replies.filter(({ status }) => status === 429);
    expect([refused.length, locked.length]).toEqual([10, 20]);
    for (const reply of refused) expectWrong(reply);
    for (const reply of locked) expectLocked(reply);
  }
});

test('429 rate-limited: a lock holds the address for every credential, and no other address', async () => {
  const credential = await addCredential(server, server.demo);
  const bystander = await addCredential(server, server.demo);
  const from = newAddress();
  for (let guess = 0; guess < 10; guess += 1) expectWrong(await withSecret(credential.clientId, 'wrong', from));
  // The right secret is not heard either, or the lock would tell a guess that was right.
  expectLocked(await withSecret(credential.clientId, credential.clientSecret, from));
  expectLocked(await withSecret(bystander.clientId, bystander.clientSecret, from));
  for (const { clientId, clientSecret } of [credential, bystander]) {
    expect((await withSecret(clientId, clientSecret, newAddress())).status).toBe(200);
  }
});

test('429 rate-limited: unknown clients from one address are counted together', async () => {
  const from = newAddress();
  for (let guess = 0; guess < 10; guess += 1) expectWrong(await withSecret(randomUUID(), 'wrong', from));
  expectLocked(await withSecret(randomUUID(), 'wrong', from));
});

test('429 rate-limited: an untrusted client cannot change its address with a header', async () => {
  const plain = await startServer();
  try {
    const guess = (from: string) =>
      send(plain.baseUrl, {
        method: 'POST',
        path: TOKEN_PATH,
        headers: {
          'content-type': 'application/x-www-form-urlencoded',
          'x-forwarded-for': from,
          forwarded: `for=${from}`,
        },
        body: `grant_type=client_credentials&client_id=${randomUUID()}&client_secret=wrong`,
      });
    const statuses: number[] = [];
    for (let count = 0; count < 11; count += 1) statuses.push((await guess(newAddress())).status);
    expect(statuses).toEqual([...Array<number>(10).fill(401), 429]);
  } finally {
    await plain.close();
  }
});

const assertionClaims = (clientId: string, changes: Claims = {}): Claims => ({
  iss: clientId,
  sub: clientId,
  aud: server.baseUrl,
  jti: randomUUID(),
  iat: nowSeconds(),
  exp: nowSeconds() + 60,
  ...changes,
});

async function signAssertion(claims: Claims, signWith: JWK = key): Promise<string> {
  const defined = Object.fromEntries(Object.entries(claims).filter(([, value]) => value !== undefined));
  return new SignJWT(defined)
    .setProtectedHeader({ alg: 'ES256', kid: 'client-key' })
    .sign(await importJWK(signWith, 'ES256'));
}

const assertWith = (assertion: string, from = newAddress()) =>
  ask({ client_assertion_type: ASSERTION_TYPE, client_assertion: assertion }, from);

const keyClient = (): Promise<DemoTenant> => addCredential(server, server.demo, { publicKeys: [publicKey] });

test('401 invalid_client: an assertion gives one token and is then used up', async () => {
  const { clientId } = await keyClient();
  const assertion = await signAssertion(assertionClaims(clientId));
  expect((await assertWith(assertion)).status).toBe(200);
  expectWrong(await assertWith(assertion));
});

test('401 invalid_client: of 10 copies of an assertion at once exactly one gets a token, over and over', async () => {
  for (let round = 0; round < 5; round += 1) {
    const { clientId } = await keyClient();
    const assertion = await signAssertion(assertionClaims(clientId));
    const replies = await Promise.all(Array.from({ length: 10 }, () => assertWith(assertion)));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const reply of replies.filter(({ status }) => status !== 200)) expectWrong(reply);
  }
});

test('an assertion is remembered for a minute longer than it is valid: the clock of another node may be behind', async () => {
  const { clientId } = await keyClient();
  const exp = nowSeconds() + 60;
  expect((await assertWith(await signAssertion(assertionClaims(clientId, { exp })))).status).toBe(200);
  const kept = await server.query(
    `select 1 from oidc_payloads
      where model = 'ReplayDetection' and payload ->> 'iss' = $1 and expires_at > to_timestamp($2) + interval '59 seconds'`,
    [clientId, exp],
  );
  expect(kept).toHaveLength(1);
});

const badAssertions: Record<string, (clientId: string) => string | Promise<string>> = {
  'signed by another key': async (id) =>
    signAssertion(
      assertionClaims(id),
      await exportJWK((await generateKeyPair('ES256', { extractable: true })).privateKey),
    ),
  'alg none': (id) => `${encodePart({ alg: 'none' })}.${encodePart(assertionClaims(id))}.`,
  'HS256 with the public key': (id) =>
    new SignJWT(assertionClaims(id))
      .setProtectedHeader({ alg: 'HS256', kid: 'client-key' })
      .sign(Buffer.from(JSON.stringify(publicKey))),
  'for another audience': (id) => signAssertion(assertionClaims(id, { aud: 'https://issuer.example.com' })),
  expired: (id) => signAssertion(assertionClaims(id, { exp: nowSeconds() - 120 })),
  'without exp': (id) => signAssertion(assertionClaims(id, { exp: undefined })),
  'without jti': (id) => signAssertion(assertionClaims(id, { jti: undefined })),
  'with another issuer': (id) => signAssertion(assertionClaims(id, { iss: randomUUID() })),
  'with another subject': (id) => signAssertion(assertionClaims(id, { sub: server.demo.clientId })),
};

test.each(Object.entries(badAssertions))('401 invalid_client: an assertion %s', async (_name, make) => {
  const { clientId } = await keyClient();
  expectWrong(await assertWith(await make(clientId)));
});

test.each([9_007_199_254_740_991, 1e300, 253_402_300_800, 4_102_444_800])(
  'an assertion with the exp %d gets an answer of the catalogue and never a 5xx',
  async (exp) => {
    const { clientId } = await keyClient();
    const reply = await assertWith(await signAssertion(assertionClaims(clientId, { exp })));
    expect(reply.status, reply.text).toBeLessThan(500);
    if (reply.status !== 200) readError(reply, TOKEN_PATH);
  },
);

test('the database holds no secret, no assertion and no token', async () => {
  const credential = await addCredential(server, server.demo);
  const reply = await withSecret(credential.clientId, credential.clientSecret, newAddress());
  const token: string = JSON.parse(reply.text).access_token;
  const { clientId } = await keyClient();
  const assertion = await signAssertion(assertionClaims(clientId, { jti: 'jti-of-the-assertion' }));
  expect((await assertWith(assertion)).status).toBe(200);
  const dump = await dumpDatabase(server);
  const secret = Buffer.from(credential.clientSecret);
  for (const form of [secret.toString(), secret.toString('hex'), secret.toString('base64').replace(/=+$/, '')]) {
    expect(dump.includes(form)).toBe(false);
  }
  for (const text of [server.demo.clientSecret, token, token.split('.')[2] ?? '', assertion, 'jti-of-the-assertion']) {
    expect(dump.includes(text)).toBe(false);
  }
  // The search has teeth: what the database does hold is found by it.
  expect(dump).toContain(createHash('sha256').update(secret).digest('hex'));
});
