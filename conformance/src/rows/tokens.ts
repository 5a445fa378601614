// Tokens and how the API takes them. Interface, "Authentication"; decisions 5, 20 to 22 and 27. Wrong credentials
// are tried sparingly: the token endpoint locks after ten failures a minute.
import { createPublicKey, type JsonWebKey, randomUUID, verify } from 'node:crypto';
import { dig, digList, equal, fits, holds } from '../expect.ts';
import { generate, otpPath, reportsPath, resendPath } from '../journey.ts';
import { refused } from '../replies.ts';
import { type Row, Skip } from '../row.ts';
import { consumer } from '../sample.ts';
import { type Api, basic, type Reply } from '../session.ts';
import { absent, exactly, filledText, object, pattern } from '../shape.ts';

const form = { 'content-type': 'application/x-www-form-urlencoded' };

function requestToken(api: Api, fields: Record<string, string>, authorization: string | null): Promise<Reply> {
  const raw = new URLSearchParams({ grant_type: 'client_credentials', ...fields }).toString();
  return api.send({ method: 'POST', path: '/v1/oauth/token', raw, headers: form, authorization });
}

const own = (api: Api) => basic(api.session.credential.clientId, api.session.credential.clientSecret);

const granted = object({
  access_token: pattern('a JWT', /^[\w-]+\.[\w-]+\.[\w-]+$/),
  token_type: pattern('Bearer', /^bearer$/i),
  expires_in: exactly(900),
  refresh_token: absent,
});

function expectGranted(reply: Reply): string {
  equal('HTTP status of the token endpoint', reply.status, 200);
  // The token itself stays out of any message.
  const faults = granted('token answer', reply.body).filter((fault) => !fault.includes('access_token'));
  equal('faults of the token answer', faults, []);
  const token = dig(reply.body, 'access_token');
  holds(typeof token === 'string' && token.split('.').length === 3, 'access_token to be a JWT', typeof token);
  return token;
}

const part = (token: string, index: number): unknown =>
  JSON.parse(Buffer.from(token.split('.')[index] ?? '', 'base64url').toString());

/** Discovery may name an address of its own; it is read as it stands. */
async function readKeys(api: Api): Promise<unknown[]> {
  const discovery = await api.send({ path: '/.well-known/openid-configuration', authorization: null });
  const address = dig(discovery.body, 'jwks_uri');
  holds(typeof address === 'string' && URL.canParse(address), 'jwks_uri to be an address', address);
  const response = await fetch(address, { signal: AbortSignal.timeout(30_000) });
  equal('HTTP status of jwks_uri', response.status, 200);
  return digList(await response.json(), 'keys');
}

const unacceptable: readonly (readonly [string, string, (token: string) => string | null])[] = [
  ['missing', 'no Authorization header', () => null],
  ['garbage', 'a token that is no JWT', () => 'Bearer garbage'],
  ['empty', 'an empty token', () => 'Bearer '],
  ['basic', 'another scheme', () => basic('someone', 'something')],
  ['tampered', 'a token with a changed signature', (token) => `Bearer ${tamper(token)}`],
  ['unsigned', 'a token that claims to need no signature', (token) => `Bearer ${unsigned(token)}`],
];

function tamper(token: string): string {
  const [header = '', payload = '', signature = ''] = token.split('.');
  return `${header}.${payload}.${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`;
}

function unsigned(token: string): string {
  const header = Buffer.from(JSON.stringify({ alg: 'none', typ: 'JWT' })).toString('base64url');
  return `${header}.${token.split('.')[1]}.`;
}

const everyPath = (tenantId: string) => [
  { method: 'POST', path: reportsPath(tenantId), body: consumer() },
  { method: 'POST', path: otpPath(tenantId, randomUUID()), body: {} },
  { method: 'POST', path: resendPath(tenantId, randomUUID()), body: {} },
  { method: 'GET', path: '/v1/my/profile' },
  { method: 'GET', path: '/v1/my/tenants' },
  { method: 'POST', path: '/v1/my/tenants/select', body: { tenantId } },
];

export const tokenRows: readonly Row[] = [
  ...['openid-configuration', 'oauth-authorization-server'].map(
    (name): Row => ({
      id: `token/discovery/${name}`,
      title: `/.well-known/${name} names the issuer, the token endpoint and the keys`,
      pins: 'Decision 20',
      run: async ({ api }) => {
        const reply = await api.send({ path: `/.well-known/${name}`, authorization: null });
        equal('HTTP status', reply.status, 200);
        const endpoint = pattern('an address that ends in /v1/oauth/token', /^https?:\/\/.+\/v1\/oauth\/token$/);
        fits('discovery', reply.body, object({ issuer: filledText, token_endpoint: endpoint, jwks_uri: filledText }));
        const grants = digList(reply.body, 'grant_types_supported');
        holds(grants.includes('client_credentials'), 'grant_types_supported to name client_credentials', grants);
      },
    }),
  ),
  {
    id: 'token/jwks',
    title: 'the published keys include an ES256 key and nothing private',
    pins: 'Decision 20',
    run: async ({ api }) => {
      const keys = await readKeys(api);
      const algorithms = keys.map((key) => dig(key, 'alg'));
      holds(algorithms.includes('ES256'), 'a key with alg ES256', algorithms);
      for (const key of keys) equal('private part of a published key', dig(key, 'd'), undefined);
    },
  },
  {
    id: 'token/signed',
    title: 'the token is a JWT signed ES256 by a published key, and lives 900 seconds',
    pins: 'Interface, "Authentication" 1; decision 22',
    run: async ({ api }) => {
      const token = expectGranted(await requestToken(api, {}, own(api)));
      equal('alg of the token', dig(part(token, 0), 'alg'), 'ES256');
      const key = (await readKeys(api)).find((each) => dig(each, 'kid') === dig(part(token, 0), 'kid'));
      holds(key !== undefined, 'a published key with the kid of the token', dig(part(token, 0), 'kid'));
      const publicKey = createPublicKey({ key: key as JsonWebKey, format: 'jwk' });
      const [header, payload, signature = ''] = token.split('.');
      const signed = Buffer.from(`${header}.${payload}`);
      const options = { key: publicKey, dsaEncoding: 'ieee-p1363' } as const;
      const isValid = verify('sha256', signed, options, Buffer.from(signature, 'base64url'));
      equal('whether the signature is valid', isValid, true);
      equal('exp - iat', Number(dig(part(token, 1), 'exp')) - Number(dig(part(token, 1), 'iat')), 900);
    },
  },
  {
    id: 'token/basic',
    title: 'client credentials by HTTP Basic: expires_in 900 and no refresh token',
    pins: 'Decisions 20 and 22',
    run: async ({ api }) => {
      const reply = await requestToken(api, {}, own(api));
      expectGranted(reply);
      holds(/no-store/.test(reply.headers.get('cache-control') ?? ''), 'Cache-Control: no-store', reply.status);
    },
  },
  {
    id: 'token/post',
    title: 'client credentials in the form work as well, and the token opens the API',
    pins: 'Decision 20',
    run: async ({ api }) => {
      const { clientId, clientSecret } = api.session.credential;
      const fields = { client_id: clientId, client_secret: clientSecret };
      const token = expectGranted(await requestToken(api, fields, null));
      const reply = await api.send({ path: '/v1/my/profile', authorization: `Bearer ${token}` });
      equal('HTTP status with that token', reply.status, 200);
    },
  },
  {
    id: 'token/wrong-client',
    title: 'an unknown client: 401 invalid_client that also carries code, and a message that says what to check',
    pins: 'Decisions 21 and 158',
    run: async ({ api }) => {
      const reply = await requestToken(api, {}, basic(randomUUID(), 'wrong'));
      equal('HTTP status', reply.status, 401);
      const message = pattern('a sentence about the client id and the secret', /client id.*secret/i);
      fits('token error', reply.body, object({ error: exactly('invalid_client'), code: filledText, message }));
    },
  },
  {
    id: 'token/unknown-scope',
    title: 'a scope that does not exist: 400 invalid_scope that also carries code and message',
    pins: 'Decision 21',
    run: async ({ api }) => {
      const reply = await requestToken(api, { scope: 'reports:everything' }, own(api));
      equal('HTTP status', reply.status, 400);
      fits(
        'token error',
        reply.body,
        object({ error: exactly('invalid_scope'), code: filledText, message: filledText }),
      );
    },
  },
  {
    id: 'token/narrow-scope',
    title: 'a token for reports:read alone: 403 forbidden on generate',
    pins: 'Interface, "Authentication" 3; decision 27',
    run: async ({ api }) => {
      const reply = await requestToken(api, { scope: 'reports:read' }, own(api));
      if (reply.status === 400) throw new Skip('the credential has no scope reports:read');
      const authorization = `Bearer ${expectGranted(reply)}`;
      const call = { method: 'POST', path: reportsPath(api.tenantId), body: consumer(), authorization };
      refused(await api.send(call), 403, 'forbidden');
    },
  },
  ...unacceptable.map(
    ([name, what, authorize]): Row => ({
      id: `token/401-${name}`,
      title: `${what}: 401 unauthorized with WWW-Authenticate: Bearer`,
      pins: 'Interface, "Authentication" 3; decision 5',
      run: async ({ api }) => {
        const authorization = authorize(await api.session.token());
        const reply = await api.send({ path: '/v1/my/profile', authorization });
        refused(reply, 401, 'unauthorized');
        const header = reply.headers.get('www-authenticate') ?? 'no WWW-Authenticate header';
        holds(/^Bearer\b/i.test(header), 'WWW-Authenticate to start with Bearer', header);
      },
    }),
  ),
  {
    id: 'token/401-everywhere',
    title: 'without a token every operation answers 401',
    pins: 'Interface, "Endpoints"',
    run: async ({ api }) => {
      for (const call of everyPath(api.tenantId)) {
        refused(await api.send({ ...call, authorization: null }), 401, 'unauthorized');
      }
    },
  },
  {
    id: 'token/scheme-case',
    title: 'the word bearer may be written in any case',
    pins: 'Interface, "Authentication" 1; decision 5',
    run: async ({ api }) => {
      const authorization = `bearer ${await api.session.token()}`;
      equal('HTTP status', (await api.send({ path: '/v1/my/profile', authorization })).status, 200);
      equal('HTTP status of generate', (await generate(api)).status, 200);
    },
  },
];
