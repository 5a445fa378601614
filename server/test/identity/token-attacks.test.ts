// Access tokens an attacker could make or bend. Each one differs in one thing from a token that is let through.
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { createServer, type Server } from 'node:net';
import { decodeJwt, exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../../../tools/testing/eventually.ts';
import { startServer, type TestServer } from '../harness.ts';
import { addApp, getTokens } from '../support/apps.ts';
import { addAccount } from '../support/browser.ts';
import { addPerson } from '../support/people.ts';
import { getProfile } from '../support/sign-in.ts';
import {
  addCredential,
  type Claims,
  encodePart,
  goodClaims,
  nowSeconds,
  publicPem,
  signingKey,
  signToken,
} from '../support/tokens.ts';
import { readError, send } from '../support/wire.ts';

let server: TestServer;
let otherKey: JWK;
/** Listens where the forged key addresses point; a server that fetches keys would call here. */
let honeypot: Server;
let honeypotUrl: string;
let honeypotCalls = 0;

let personClaims: Claims;
let otherPersonClaims: Claims;

beforeAll(async () => {
  server = await startServer();
  base = () => goodClaims(server, server.demo);
  const people = [
    await addPerson(server, server.demo.tenantId, 'owner'),
    await addPerson(server, server.demo.tenantId, 'owner'),
  ];
  [personClaims = {}, otherPersonClaims = {}] = people.map(({ token }) => decodeJwt(token));
  otherKey = await exportJWK((await generateKeyPair('ES256', { extractable: true })).privateKey);
  honeypot = createServer((socket) => {
    honeypotCalls += 1;
    socket.destroy();
  });
  await new Promise<void>((resolve) => honeypot.listen(0, '127.0.0.1', resolve));
  const address = honeypot.address();
  honeypotUrl = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}/keys`;
});
afterAll(async () => {
  honeypot.close();
  await server.close();
});

const profile = (token: string) => getProfile(server, token);

/** Whose good token the attacks start from: a credential's, or a person's. */
let base: () => Claims;
const claims = (changes: Claims = {}): Claims => ({ ...base(), ...changes });
const withClaims = (changes: Claims) => () => signToken(server, claims(changes));
const withHeader = (header: Record<string, unknown>, key?: JWK) => () => signToken(server, claims(), header, key);

/** Header and claims as given, with a signature that is made elsewhere or missing. */
const assemble = (header: object, signature: string) => () =>
  `${encodePart({ typ: 'at+jwt', kid: signingKey(server).kid, ...header })}.${encodePart(claims())}.${signature}`;

/** The public key as the secret of an HMAC: the classic confusion of algorithms. */
const hmacWith = (secret: () => string | Buffer) => () =>
  new SignJWT(claims())
    .setProtectedHeader({ alg: 'HS256', typ: 'at+jwt', kid: signingKey(server).kid })
    .sign(Buffer.from(secret()));

const publicJwk = () => {
  const { kty, crv, x, y, kid } = signingKey(server);
  return { kty, crv, x, y, kid };
};
const publicOther = () => ({ kty: otherKey.kty, crv: otherKey.crv, x: otherKey.x, y: otherKey.y });

async function good(): Promise<string> {
  return signToken(server, claims());
}

async function bendPart(index: 0 | 1 | 2, bend: (part: string) => string): Promise<string> {
  return (await good())
    .split('.')
    .map((part, at) => (at === index ? bend(part) : part))
    .join('.');
}

/** Rewrites the claims of a token that was rightly signed, and keeps its signature. */
const tamper = (changes: object) => () =>
  bendPart(1, (part) => encodePart({ ...JSON.parse(Buffer.from(part, 'base64url').toString()), ...changes }));

function rsaSigned(alg: 'RS256' | 'PS256') {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return new SignJWT(claims()).setProtectedHeader({ alg, typ: 'at+jwt', kid: signingKey(server).kid }).sign(privateKey);
}

const attacks: Record<string, () => string | Promise<string>> = {
  'alg none without a signature': assemble({ alg: 'none' }, ''),
  'alg None': assemble({ alg: 'None' }, ''),
  'alg nOnE': assemble({ alg: 'nOnE' }, ''),
  'alg none with a signature': assemble({ alg: 'none' }, 'AAAA'),
  'alg missing': assemble({}, 'AAAA'),
  'alg null': assemble({ alg: null }, ''),
  'alg as a list': assemble({ alg: ['ES256', 'none'] }, ''),
  'ES256 with an empty signature': assemble({ alg: 'ES256' }, ''),
  'ES256 with a signature of zeros': assemble({ alg: 'ES256' }, Buffer.alloc(64).toString('base64url')),
  'ES256 with a random signature': assemble({ alg: 'ES256' }, randomBytes(64).toString('base64url')),
  'HS256 with the public key as PEM': hmacWith(() => publicPem(server)),
  'HS256 with the public key as PEM, trimmed': hmacWith(() => publicPem(server).trim()),
  'HS256 with the public key as JWK': hmacWith(() => JSON.stringify(publicJwk())),
  'HS256 with a coordinate': hmacWith(() => Buffer.from(publicJwk().x ?? '', 'base64url')),
  'HS256 with the key id': hmacWith(() => signingKey(server).kid.padEnd(32, '\0')),
  'RS256 with our key id': () => rsaSigned('RS256'),
  'PS256 with our key id': () => rsaSigned('PS256'),
  'ES256 of another key with our key id': () => withHeader({}, otherKey)(),
  'ES256 of another key with its own id': () => withHeader({ kid: 'other' }, otherKey)(),
  'key id missing': withHeader({ kid: undefined }),
  'key id empty': withHeader({ kid: '' }),
  'key id unknown': withHeader({ kid: 'unknown' }),
  'key id a path': withHeader({ kid: '../../../../dev/null' }),
  'key id SQL': withHeader({ kid: "x' union select '1' --" }),
  'key id an address': () => withHeader({ kid: honeypotUrl }, otherKey)(),
  'key id __proto__': withHeader({ kid: '__proto__' }),
  'key id an object': () => assemble({ alg: 'ES256', kid: { toString: 'x' } }, 'AAAA')(),
  'header brings its own jwk': () => withHeader({ jwk: publicOther() }, otherKey)(),
  'header brings its own jwk and no key id': () => withHeader({ jwk: publicOther(), kid: undefined }, otherKey)(),
  'header names a jku': () => withHeader({ jku: honeypotUrl }, otherKey)(),
  'header names an x5u': () => withHeader({ x5u: honeypotUrl }, otherKey)(),
  'header brings an x5c': () => withHeader({ x5c: [randomBytes(64).toString('base64')] }, otherKey)(),
  'header has an unknown crit': () => assemble({ alg: 'ES256', crit: ['exp2'], exp2: 1 }, 'AAAA')(),
  'type JWT': withHeader({ typ: 'JWT' }),
  'type missing': withHeader({ typ: undefined }),
  'type id token': withHeader({ typ: 'id_token+jwt' }),
  'type logout token': withHeader({ typ: 'logout+jwt' }),
  'no exp': withClaims({ exp: undefined }),
  'exp as text': withClaims({ exp: String(nowSeconds() + 600) }),
  'exp past': withClaims({ exp: nowSeconds() - 6 }),
  'exp negative': withClaims({ exp: -1 }),
  'nbf future': withClaims({ nbf: nowSeconds() + 60 }),
  'no iat': withClaims({ iat: undefined }),
  'no client_id': withClaims({ client_id: undefined }),
  'client_id SQL': withClaims({ client_id: "' or true --" }),
  'client_id with NUL': withClaims({ client_id: '\0' }),
  'no issuer': withClaims({ iss: undefined }),
  'issuer with a slash more': () => withClaims({ iss: `${server.baseUrl}/` })(),
  'no audience': withClaims({ aud: undefined }),
  'audience that only begins right': withClaims({ aud: 'urn:trefoil:api:x' }),
  'claims changed after signing: tenant': () => tamper({ tenant_id: server.other.tenantId })(),
  'claims changed after signing: tenant and client': () =>
    tamper({ tenant_id: server.other.tenantId, client_id: server.other.clientId })(),
  'claims changed after signing: scope': tamper({ scope: 'wallet:write' }),
  'claims changed after signing: exp': tamper({ exp: nowSeconds() + 6_000 }),
  'signature cut short': () => bendPart(2, (part) => part.slice(0, -4)),
  'signature bent': () => bendPart(2, (part) => `${part[0] === 'A' ? 'B' : 'A'}${part.slice(1)}`),
  'claims cut short': () => bendPart(1, (part) => part.slice(0, -8)),
  'header cut short': () => bendPart(0, (part) => part.slice(0, -8)),
  'header not JSON': () => bendPart(0, () => encodePart('not json')),
  'header null': () => bendPart(0, () => encodePart('null')),
  'two parts': async () => (await good()).split('.').slice(0, 2).join('.'),
  'four parts': async () => `${await good()}.AAAA`,
  'five parts': async () => `${await good()}.AAAA.AAAA`,
  'dots alone': () => '..',
  'many dots': () => '.'.repeat(5_000),
  'a leading dot': async () => `.${await good()}`,
  'letters beyond ASCII': async () => `${await good()}é`,
  '12 kB of letters': () => 'A'.repeat(12_000),
};

const onCredentials: typeof attacks = {
  'no tenant_id': withClaims({ tenant_id: undefined }),
  'tenant_id of another tenant': () => withClaims({ tenant_id: server.other.tenantId })(),
  'the sign-in of a person': () => withClaims({ sid: personClaims['sid'] })(),
  'a sign-in that never was': withClaims({ sid: 'x' }),
};

const onPeople: typeof attacks = {
  'no sign-in': withClaims({ sid: undefined }),
  'a sign-in that never was': withClaims({ sid: 'x'.repeat(21) }),
  'a sign-in as a list': () => withClaims({ sid: [personClaims['sid']] })(),
  'a sign-in SQL': withClaims({ sid: "' or true --" }),
  'the sign-in of somebody else': () => withClaims({ sid: otherPersonClaims['sid'] })(),
  'somebody else’s id': () => withClaims({ sub: otherPersonClaims['sub'] })(),
  'no subject': withClaims({ sub: undefined }),
  'another application': withClaims({ client_id: '01890000-0000-7000-8000-000000000000' }),
  'a credential of theirs': () => withClaims({ client_id: server.demo.clientId, tenant_id: server.demo.tenantId })(),
  'their ID token': async () => (await realTokens()).id_token,
  'their refresh token': async () => (await realTokens()).refresh_token,
  'their ID token’s claims as an access token of another audience': async () =>
    signToken(server, { ...decodeJwt((await realTokens()).id_token), sid: personClaims['sid'] }),
};

const realTokens = async () =>
  getTokens(server, await addApp(server), await addAccount(server, server.demo.tenantId, 'owner'));

describe.each([
  ['a credential', () => goodClaims(server, server.demo), onCredentials],
  ['a person', () => personClaims, onPeople],
] as const)('from the token of %s', (_whose, goodOnes, more) => {
  beforeAll(() => {
    base = goodOnes;
  });

  test('200: the token that the attacks start from is good', async () => {
    expect((await profile(await good())).status).toBe(200);
  });

  test.each(Object.entries({ ...attacks, ...more }))('401 unauthorized: %s', async (_name, make) => {
    const reply = await profile(await make());
    expect(reply.status).toBe(401);
    expect(readError(reply).code).toBe('unauthorized');
    expect(reply.headers['www-authenticate']).toContain('error="invalid_token"');
  });
});

test('no attack made the server fetch a key', () => {
  expect(honeypotCalls).toBe(0);
});

test('413 payload-too-large: a token of 100 kB', async () => {
  expect(readError(await profile('A'.repeat(100_000))).code).toBe('payload-too-large');
});

const withdrawals = {
  'the credential is disabled': 'update credentials set is_enabled = false where id = $1',
  'its owner is disabled':
    'update users set is_enabled = false where id = (select owner_user_id from credentials where id = $1)',
};

test.each(Object.entries(withdrawals))('401 unauthorized: a good token after %s', async (_name, withdraw) => {
  const credential = await addCredential(server, server.other);
  const token = await signToken(server, goodClaims(server, credential));
  await server.query(withdraw, [credential.clientId]);
  expect((await profile(token)).status).toBe(401);
  await server.query('update users set is_enabled = true');
});

test('401 unauthorized: a token already in use stops within seconds of the credential being disabled', async () => {
  const credential = await addCredential(server, server.demo);
  const token = await signToken(server, goodClaims(server, credential));
  expect((await profile(token)).status).toBe(200);
  await server.query('update credentials set is_enabled = false where id = $1', [credential.clientId]);
  await eventually(async () => expect((await profile(token)).status).toBe(401));
});

test('401 unauthorized: a remembered token is not good beyond its exp', async () => {
  base = () => goodClaims(server, server.demo);
  const token = await eventually(async () => {
    // Inside the clock tolerance of 5 s: good now, over in about two.
    const short = await signToken(server, claims({ exp: nowSeconds() - 3 }));
    expect((await profile(short)).status).toBe(200);
    return short;
  });
  await eventually(async () => expect((await profile(token)).status).toBe(401));
});

test('the published key set holds no private part', async () => {
  const { keys } = JSON.parse((await send(server.baseUrl, { method: 'GET', path: '/v1/oauth/jwks' })).text);
  const [key, ...rest] = keys;
  expect(rest).toEqual([]);
  expect(key).toEqual({ ...publicJwk(), alg: 'ES256', use: 'sig' });
});
