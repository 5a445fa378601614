// One request must not cost a node: every route there is, every content type, the worst body that fits its cap, the worst
// query and header. No event-loop tick may take long, in the processor time of the thread itself: a busy machine
// does not change that. The routes come from the router, the bodies of operations from their schemas.
import { createHmac } from 'node:crypto';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { OPERATIONS, type Operation } from '@trefoil/contract';
import type { FastifyInstance, RouteOptions } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '../../src/lib/ids.ts';
import { generateBody, startChallenge } from '../harness.ts';
import { ACCESS, Browser } from '../support/browser.ts';
import { type LiveServer, startLiveServer } from '../support/live.ts';
import { type MeasuredNode, startMeasuredNode } from '../support/measured-node.ts';
import { addPerson } from '../support/people.ts';
import { addCredential } from '../support/tokens.ts';
import { type Reply, send, type WireRequest } from '../support/wire.ts';
import { formBodies, jsonBodies, type NamedBody, schemaBodies } from '../support/worst-bodies.ts';

const TURN_MS_MAX = 50;
const TRIES = 12;
const TOGETHER = 4;

const JSON_TYPE = 'application/json';
const FORM_TYPE = 'application/x-www-form-urlencoded';
const TEXT_TYPE = 'text/plain';
const JSON_BYTES = 128 * 1024;
const COLLECTION_BYTES = 1_024;
const PAGE_FORM_BYTES = 32 * 1024;
const OAUTH_BYTES = 56 * 1024;
const RECEIPT_BYTES = 64 * 1024;
/** Node takes 16 kB of head. */
const QUERY_BYTES = 14_000;

let server: LiveServer;
let node: MeasuredNode;
let token: string;
let subjects: Record<string, string>;
/** Of a person who is signed in, and in the middle of signing in again. */
let cookies: string;
const routes: { method: string; url: string }[] = [];

beforeAll(async () => {
  const listen = (message: unknown) =>
    (message as { fastify: FastifyInstance }).fastify.addHook('onRoute', ({ method, url }: RouteOptions) => {
      for (const each of [method].flat()) routes.push({ method: each, url });
    });
  subscribe('fastify.initialization', listen);
  // Each request comes from an address of its own: limits by address would answer before a body is read.
  server = await startLiveServer({ environment: { TREFOIL_JOBS: 'off', TREFOIL_TRUSTED_PROXIES: '127.0.0.1' } });
  unsubscribe('fastify.initialization', listen);
  node = await startMeasuredNode(server);
  const { tenantId } = server.demo;
  token = (await addPerson(server, tenantId, 'owner')).token;
  const browser = new Browser(server);
  const { path } = await browser.open('/v1/auth/login');
  cookies = `${ACCESS}=${token}; ${browser.cookieHeader(path)}`;
  subjects = {
    tenantId,
    uid: path.split('/').at(-1) ?? '',
    ...(await startChallenge(server.trefoil)),
    carrier: 'twilio',
    credentialId: (await addCredential(server, server.demo)).clientId,
    userId: (await addPerson(server, tenantId, 'analyst')).userId,
  };
}, 60_000);
afterAll(async () => {
  await node?.close();
  await server?.close();
});

let addresses = 0;
function newAddress(): string {
  addresses += 1;
  return `198.18.${addresses >> 8}.${addresses & 255}`;
}

type Attack = { readonly name: string; readonly request: WireRequest };
type Measured = { readonly replies: readonly Reply[]; readonly worstMs: number };

async function measure(attacks: readonly Attack[]): Promise<Measured> {
  const replies = await Promise.all(
    attacks.map(({ request }) => {
      const headers = { 'x-forwarded-for': newAddress(), ...request.headers };
      return send(node.baseUrl, { ...request, headers });
    }),
  );
  return { replies, worstMs: await node.takeWorstMs() };
}

/** The best of several: what a turn costs is the least it costs; the first time pays for compiling too. */
async function leastMs(attack: Attack): Promise<number> {
  const all: number[] = [];
  while (all.length < TRIES && !all.some((ms) => ms <= TURN_MS_MAX)) all.push((await measure([attack])).worstMs);
  return Math.min(...all);
}

/** A few at a time, and each by itself where those took long together. Returns the statuses that were seen. */
async function expectCheap(attacks: readonly Attack[]): Promise<Set<number>> {
  const slow: string[] = [];
  const statuses = new Set<number>();
  for (let at = 0; at < attacks.length; at += TOGETHER) {
    const few = attacks.slice(at, at + TOGETHER);
    const { replies, worstMs } = await measure(few);
    for (const [place, { status, text }] of replies.entries()) {
      statuses.add(status);
      if (status === 500) slow.push(`${few[place]?.name}: 500 ${text}`);
    }
    if (worstMs <= TURN_MS_MAX) continue;
    for (const attack of few) {
      const ms = await leastMs(attack);
      if (ms > TURN_MS_MAX) slow.push(`${attack.name}: ${Math.round(ms)} ms`);
    }
  }
  expect(slow).toEqual([]);
  return statuses;
}

const pathOf = (url: string) => url.replace(/:(\w+)/g, (_, name: string) => subjects[name] ?? newId());
const operations = Object.entries<Operation>(OPERATIONS);

const goodBodies: Record<string, object> = {
  createCredential: {
    name: 'Portal',
    scopes: ['reports:read'],
    publicKeys: { keys: [{}] },
    allowedNetworks: ['192.0.2.1'],
  },
  changeCredential: { name: 'Portal', allowedNetworks: ['192.0.2.1'] },
  addCredentialSecret: { graceSeconds: 0 },
  replaceCredentialKeys: { publicKeys: { keys: [{}] } },
  changeMember: { role: 'developer' },
  changeSettings: { displayName: 'Portal', smsCountries: ['GB'], otpHost: 'claims.example.com' },
  inviteMember: { email: 'i@example.com', role: 'analyst' },
  advanceTestClock: { advanceSeconds: 1 },
  createWebhookEndpoint: { url: 'https://hooks.example.com/' },
  changeWebhookEndpoint: { description: 'Portal' },
  replayWebhookEvents: { since: '2026-01-01' },
  testWebhookEndpoint: { type: 'webhook.test' },
  ...Object.fromEntries(
    ['findSubject', 'exportSubject', 'exportSubjectDocument', 'eraseSubject'].map((id) => [
      id,
      { firstName: 'Ada', lastName: 'Example', dateOfBirth: '1984-03-09', postcode: 'HR10 2AB' },
    ]),
  ),
};
/** What no schema tells: numbers of a key that fill the body. */
function keyBodies(id: string): NamedBody[] {
  if (!('publicKeys' in (goodBodies[id] ?? {}))) return [];
  const long = 'f'.repeat(JSON_BYTES / 2 - 500);
  const keys = { 'long modulus': ['AQAB', long], 'long exponent': [long, 'x'.repeat(342)], 'both long': [long, long] };
  return Object.entries(keys).map(([name, [e, n]]) => [
    `a key with a ${name}`,
    JSON.stringify({ ...goodBodies[id], publicKeys: { keys: [{ kty: 'RSA', e, n }] } }),
  ]);
}
const goodBodyOf = (id: string): object =>
  goodBodies[id] ?? {
    ...generateBody(),
    challengeId: subjects['challengeId'],
    code: '000000',
    tenantId: subjects['tenantId'],
  };

test('the measuring sees a turn that blocks, and sees none where there is none', async () => {
  await node.takeWorstMs();
  node.block(2 * TURN_MS_MAX);
  expect((await send(node.baseUrl, { method: 'GET', path: '/livez' })).status).toBe(200);
  expect(await node.takeWorstMs()).toBeGreaterThan(2 * TURN_MS_MAX - 1);
  const idle = { name: 'idle', request: { method: 'GET', path: '/livez' } };
  expect(await leastMs(idle)).toBeLessThan(TURN_MS_MAX / 2);
});

test.each(operations.filter(([, { method }]) => method !== 'GET'))(
  '%s: no body takes long',
  async (id, operation) => {
    const good = goodBodyOf(id);
    const bodies = [
      ...jsonBodies(JSON_BYTES, good),
      ...keyBodies(id),
      ...(operation.body ? schemaBodies(operation.body, good, JSON_BYTES) : []),
    ];
    const attacks = bodies.map(([name, body]) => ({
      name,
      request: {
        method: operation.method,
        path: pathOf(operation.path),
        headers: { authorization: `Bearer ${token}`, 'content-type': JSON_TYPE, 'idempotency-key': newId() },
        body,
      },
    }));
    const statuses = await expectCheap(attacks);
    // They were read: neither stopped at the door nor too large.
    for (const status of [401, 403, 413, 415, 429]) expect([...statuses], id).not.toContain(status);
  },
  60_000,
);

test.each(operations.filter(([, { query }]) => query))(
  '%s: no query takes long',
  async (_id, operation) => {
    const names = Object.keys((operation.query as unknown as { properties: object }).properties);
    const attacks = formBodies(QUERY_BYTES, names).map(([name, query]) => ({
      name,
      request: {
        method: operation.method,
        path: `${pathOf(operation.path)}?${query}`,
        headers: { authorization: `Bearer ${token}` },
      },
    }));
    expect([...(await expectCheap(attacks))]).toContain(400);
  },
  60_000,
);

/** What the routes beyond the operations take: where, how much, and which fields they know. */
const PAGE_FIELDS = [
  'answer',
  'chosen',
  'code',
  'current',
  'decision',
  'email',
  'firstName',
  'name',
  'note',
  'password',
  'recoveryCode',
  'tenantId',
];
const OAUTH_FIELDS = [
  'grant_type',
  'client_id',
  'client_secret',
  'scope',
  'code',
  'code_verifier',
  'redirect_uri',
  'refresh_token',
  'resource',
  'token',
  'client_assertion',
  'xsrf',
  'id_token_hint',
];

const isOperation = (method: string, url: string) =>
  operations.some(([, each]) => each.method === method && each.path === url);
const writing = () =>
  routes.filter(({ method, url }) => !['GET', 'HEAD', 'OPTIONS'].includes(method) && !isOperation(method, url));

/** Every type at every route. Of those that it does not take a few are enough. */
function bodiesFor(url: string): [type: string, bodies: NamedBody[]][] {
  if (url.startsWith('/v1/fingerprints/')) {
    const bodies = jsonBodies(COLLECTION_BYTES, {});
    return [
      [JSON_TYPE, bodies],
      [TEXT_TYPE, bodies],
      [FORM_TYPE, formBodies(COLLECTION_BYTES, [])],
    ];
  }
  if (url.startsWith('/v1/oauth/')) {
    const json = jsonBodies(OAUTH_BYTES);
    const good = 'grant_type=client_credentials';
    const assertion = `${good}&client_assertion_type=urn%3Aietf%3Aparams%3Aoauth%3Aclient-assertion-type%3Ajwt-bearer`;
    return [
      [
        FORM_TYPE,
        [...formBodies(OAUTH_BYTES, OAUTH_FIELDS, good), ...formBodies(OAUTH_BYTES, ['client_assertion'], assertion)],
      ],
      [JSON_TYPE, json],
      [TEXT_TYPE, json],
    ];
  }
  const isReceipt = url.startsWith('/v1/carriers/');
  const json = jsonBodies(JSON_BYTES);
  const bytes = isReceipt ? RECEIPT_BYTES : PAGE_FORM_BYTES;
  const fields = isReceipt ? ['MessageSid', 'MessageStatus', 'AccountSid'] : PAGE_FIELDS;
  return [
    // Few values: a password is hashed for each, and that takes its time, though not the event loop's.
    [FORM_TYPE, formBodies(bytes, fields, fields.map((field) => `${field}=a%40example.com`).join('&'), ['a', '['])],
    [JSON_TYPE, isReceipt ? json : json.slice(0, 3)],
    [TEXT_TYPE, json.slice(0, 3)],
  ];
}

/** As our own page of a person who is signed in, as a client with its secret, and with a signature. */
function headersFor(url: string): Record<string, string> {
  if (url.startsWith('/v1/auth/')) {
    return { origin: server.baseUrl, cookie: cookies, accept: 'text/html' };
  }
  if (url.startsWith('/v1/carriers/')) return { 'x-twilio-signature': 'A'.repeat(28) };
  return {};
}

test('every other route that takes a body: none takes long', async () => {
  const attacks = writing().flatMap(({ method, url }) =>
    bodiesFor(url).flatMap(([type, bodies]) =>
      bodies.map(([name, body]) => ({
        name: `${method} ${url} ${type}: ${name}`,
        request: { method, path: pathOf(url), body, headers: { ...headersFor(url), 'content-type': type } },
      })),
    ),
  );
  expect(writing().length).toBeGreaterThan(15);
  const statuses = await expectCheap(attacks);
  expect([...statuses]).toEqual(expect.arrayContaining([400, 415]));
  // Each fits its cap, or it would not have been read.
  expect([...statuses]).not.toContain(413);
}, 60_000);

test('a token request with its secret: no body takes long', async () => {
  const { clientId, clientSecret } = server.demo;
  const authorization = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`;
  const fields = OAUTH_FIELDS.filter((field) => !field.startsWith('client_'));
  const bodies = formBodies(OAUTH_BYTES, fields, 'grant_type=client_credentials');
  const attacks = bodies.map(([name, body]) => ({
    name,
    request: { method: 'POST', path: '/v1/oauth/token', body, headers: { authorization, 'content-type': FORM_TYPE } },
  }));
  expect([...(await expectCheap(attacks))]).toEqual(expect.arrayContaining([200, 400]));
}, 60_000);

test('a receipt of our account, signed and not: no body takes long', async () => {
  const { accountSid, authToken } = JSON.parse(server.environment['TREFOIL_SMS'] ?? '{}');
  const path = `/v1/carriers/twilio/receipts?tenant=${server.demo.tenantId}&send=${newId()}`;
  const bodies = formBodies(RECEIPT_BYTES, ['MessageSid', 'MessageStatus', 'Body'], `AccountSid=${accountSid}`);
  const attacks = bodies.flatMap(([name, body]) => {
    const content = [...new URLSearchParams(body)]
      .toSorted(([left], [right]) => (left < right ? -1 : 1))
      .map((pair) => pair.join(''))
      .join('');
    const signed = createHmac('sha1', authToken).update(`${server.baseUrl}${path}${content}`).digest('base64');
    return [signed, 'A'.repeat(28)].map((signature) => ({
      name,
      request: { method: 'POST', path, body, headers: { 'content-type': FORM_TYPE, 'x-twilio-signature': signature } },
    }));
  });
  expect([...(await expectCheap(attacks))]).toEqual(expect.arrayContaining([400, 403]));
}, 60_000);

test('every route: no query takes long', async () => {
  const attacks = routes
    // HEAD is GET without its body.
    .filter(({ method, url }) => url !== '*' && method !== 'HEAD')
    .flatMap(({ method, url }) =>
      formBodies(QUERY_BYTES, url === '/v1/oauth/authorize' ? OAUTH_FIELDS : []).map(([name, query]) => ({
        name: `${method} ${url}: ${name}`,
        request: { method, path: `${pathOf(url)}?${query}`, headers: headersFor(url) },
      })),
    );
  expect(routes.length).toBeGreaterThan(60);
  expect([...(await expectCheap(attacks))]).toContain(400);
}, 60_000);

const HEADERS = [
  'accept',
  'accept-encoding',
  'authorization',
  'content-type',
  'cookie',
  'forwarded',
  'idempotency-key',
  'if-none-match',
  'origin',
  'user-agent',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-twilio-signature',
];
const LONG_HEADERS = ['a', 'a,', 'a=b; ', ';q=', '"', 'Bearer ', '1.1.1.1,', '%41', 'a; charset="'];

test('no header takes long', async () => {
  const asked = ['GET /v1/my/profile', 'POST /v1/oauth/token', 'GET /v1/auth/account', 'GET /v1/fingerprints/device'];
  asked.push('GET /docs/', `POST /${server.demo.tenantId}/v1/credit-reports`, 'POST /v1/carriers/twilio/receipts');
  const attacks = asked.flatMap((route) =>
    HEADERS.flatMap((header) =>
      LONG_HEADERS.map((text) => {
        const [method = '', path = ''] = route.split(' ');
        const value = text.repeat(QUERY_BYTES / text.length).trim();
        const body = method === 'POST' ? 'a=b' : undefined;
        const others = { cookie: `${ACCESS}=x`, 'content-type': FORM_TYPE };
        return {
          name: `${route} ${header}: ${text}`,
          request: { method, path, body, headers: { ...others, [header]: value } },
        };
      }),
    ),
  );
  await expectCheap(attacks);
}, 60_000);
