// Keys that are dear to verify with, and assertions that make us try them all (docs/decisions/0184-costly-keys.md).
import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { TOKEN_SENTENCES } from '@trefoil/contract';
import { exportJWK, type JWK, SignJWT } from 'jose';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { judgeKeySet } from '../../src/lib/crypto/public-keys.ts';
import { startServer, type TestServer } from '../harness.ts';
import { addCredential } from '../support/tokens.ts';
import { type Reply, send } from '../support/wire.ts';

type Pair = { readonly privateKey: KeyObject; readonly jwk: JWK };

async function newPair(kid: string, modulusLength = 2_048): Promise<Pair> {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength });
  return { privateKey, jwk: { ...(await exportJWK(publicKey)), alg: 'PS256', use: 'sig', kid } };
}

let server: TestServer;
let [first, second, large]: Pair[] = [];
beforeAll(async () => {
  server = await startServer();
  [first, second, large] = await Promise.all([newPair('first'), newPair('second'), newPair('large', 4_352)]);
});
afterAll(() => server.close());

async function askToken(clientId: string, { privateKey }: Pair, kid: unknown): Promise<Reply> {
  const assertion = await new SignJWT({})
    .setProtectedHeader({ alg: 'PS256', ...(kid !== undefined && { kid: kid as string }) })
    .setIssuer(clientId)
    .setSubject(clientId)
    .setAudience(server.baseUrl)
    .setJti(crypto.randomUUID())
    .setIssuedAt()
    .setExpirationTime('1m')
    .sign(privateKey);
  return send(server.baseUrl, {
    method: 'POST',
    path: '/v1/oauth/token',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: clientId,
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      client_assertion: assertion,
    }).toString(),
  });
}

const give = (pairs: readonly (Pair | undefined)[]) =>
  addCredential(server, server.demo, { publicKeys: pairs.flatMap((pair) => (pair ? [pair.jwk] : [])) });

const words = { whole: 'The set', one: 'the set' };
const REFUSED = { fault: 'Key 1 of the set is not a valid key of 2048 to 4096 bits.' };

test.each([
  ['a modulus of 4,104 bits', { n: `${'x'.repeat(683)}8` }],
  ['a modulus of 16,384 bits', { n: `${'x'.repeat(2_730)}8` }],
  ['an exponent of 40 bits', { e: '_____w8' }],
  ['an exponent of 64 bits', { e: '__________8' }],
])('%s is refused', (_name, member) => {
  const key = { kty: 'RSA', e: 'AQAB', n: `${'x'.repeat(341)}8`, ...member };
  expect(judgeKeySet({ keys: [key] }, words)).toEqual(REFUSED);
});

test('401: a key over 4,096 bits that was stored before is not used any more', async () => {
  const { clientId } = await give([large]);
  expect((await askToken(clientId, large as Pair, 'large')).status).toBe(401);
  const both = await give([large, second]);
  expect((await askToken(both.clientId, large as Pair, 'large')).status).toBe(401);
  expect((await askToken(both.clientId, second as Pair, 'second')).status).toBe(200);
});

test.each([
  ['without kid', undefined],
  ['with a kid that is no text', 7],
  ['with an empty kid', ''],
])('401: %s an assertion of a credential with several keys is refused before any is tried', async (_name, kid) => {
  const { clientId } = await give([first, second]);
  const refused = await askToken(clientId, second as Pair, kid);
  expect(refused.status).toBe(401);
  expect(JSON.parse(refused.text)).toMatchObject({ error: 'invalid_client', message: TOKEN_SENTENCES.wrongClient });
  expect((await askToken(clientId, second as Pair, 'second')).status).toBe(200);
});

test('200: a credential with one key needs no kid', async () => {
  const { clientId } = await give([first]);
  expect((await askToken(clientId, first as Pair, undefined)).status).toBe(200);
});
