// Which pages of other origins a browser lets read the API (docs/decisions/0165-browser-applications.md): those of
// applications without a secret, with a Bearer token and without cookies. In a real browser: browser/cors.test.ts.
import type { IncomingHttpHeaders } from 'node:http';
import { OPERATIONS } from '@trefoil/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../../../tools/testing/eventually.ts';
import { createOAuthApp, enableApp } from '../../src/identity/apps/change-app.ts';
import { newId } from '../../src/lib/ids.ts';
import { startServer, type TestServer } from '../harness.ts';
import { ACCESS } from '../support/browser.ts';
import { addPerson } from '../support/people.ts';
import { type Reply, send } from '../support/wire.ts';

const PAGE = 'https://portal.example.com';
const SECRET = 'https://backend.example.com';
const DISABLED = 'https://gone.example.com';

let server: TestServer;
let token: string;
let profile: string;
let wallet: string;

beforeAll(async () => {
  server = await startServer();
  await server.database.asSystem(async (tx) => {
    const add = (origin: string, isPublic: boolean) =>
      createOAuthApp(tx, { name: 'App', redirectUris: [`${origin}/callback`, `${origin}/silent`], isPublic });
    await add(PAGE, true);
    await add(SECRET, false);
    await enableApp(tx, (await add(DISABLED, true)).clientId, false);
  });
  token = (await addPerson(server, server.demo.tenantId, 'owner')).token;
  profile = '/v1/my/profile';
  wallet = `/${server.demo.tenantId}/v1/wallet`;
});
afterAll(() => server.close());

const corsOf = (headers: IncomingHttpHeaders) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => name.startsWith('access-control-')));

const preflight = (path: string, origin: string, headers: Record<string, string> = {}): Promise<Reply> =>
  send(server.baseUrl, {
    method: 'OPTIONS',
    path,
    headers: { origin, 'access-control-request-method': 'GET', ...headers },
  });

const ask = (path: string, headers: Record<string, string>): Promise<Reply> =>
  send(server.baseUrl, { method: 'GET', path, headers: { authorization: `Bearer ${token}`, ...headers } });

const EXPOSED = 'ratelimit, ratelimit-policy, retry-after, x-request-id, idempotent-replayed, link, www-authenticate';

describe('a page of an application without a secret', () => {
  test('204: its preflight is answered for every operation, and never with credentials', async () => {
    for (const { path, method } of Object.values(OPERATIONS)) {
      const reply = await preflight(
        path.replace(/:\w+/g, () => newId()),
        PAGE,
      );
      expect([path, reply.status, reply.text]).toEqual([path, 204, '']);
      const { 'access-control-allow-methods': methods, ...cors } = corsOf(reply.headers);
      expect(String(methods).split(', '), path).toContain(method);
      expect(cors).toEqual({
        'access-control-allow-origin': PAGE,
        'access-control-allow-headers': 'authorization, content-type, idempotency-key',
        'access-control-max-age': '600',
      });
      expect(reply.headers.vary).toBe('origin');
    }
  });

  test('its answers may be read, refusals included, with the headers a client needs', async () => {
    const expected = { 'access-control-allow-origin': PAGE, 'access-control-expose-headers': EXPOSED };
    for (const [status, path, headers] of [
      [200, wallet, {}],
      [200, profile, {}],
      [401, wallet, { authorization: 'Bearer stale' }],
      [403, `/${server.other.tenantId}/v1/wallet`, {}],
      [400, `/${server.demo.tenantId}/v1/wallet/entries?limit=x`, {}],
    ] as const) {
      const reply = await ask(path, { origin: PAGE, ...headers });
      expect([path, reply.status, corsOf(reply.headers)]).toEqual([path, status, expected]);
      expect(reply.headers.vary, path).toMatch(/\borigin\b/);
    }
    const csv = await ask(`/${server.demo.tenantId}/v1/wallet/entries`, { origin: PAGE, accept: 'text/csv' });
    expect(csv.headers.vary?.split(', ').toSorted()).toEqual(['accept', 'origin']);
  });

  test('a preflight tells nothing of tenants: known, foreign and invented ones are answered alike', async () => {
    const seen = await Promise.all(
      [server.demo.tenantId, server.other.tenantId, newId(), 'no-id'].map(async (tenantId) => {
        const { status, headers } = await preflight(`/${tenantId}/v1/wallet`, PAGE);
        return [status, corsOf(headers)];
      }),
    );
    expect(new Set(seen.map((each) => JSON.stringify(each))).size).toBe(1);
  });
});

describe('no CORS headers', () => {
  const strangers = (): [string, string][] => [
    ['an origin nobody registered', 'https://evil.example.com'],
    ['an application with a secret', SECRET],
    ['a disabled application', DISABLED],
    ['null', 'null'],
    ['another scheme', 'http://portal.example.com'],
    ['another port', `${PAGE}:8443`],
    ['a subdomain', 'https://a.portal.example.com'],
    ['an origin that begins with it', `${PAGE}.evil.example`],
    ['an address in place of an origin', `${PAGE}/callback`],
    ['our own base address', server.baseUrl],
    ['a very long one', `https://${'a'.repeat(8_000)}.example.com`],
  ];

  test('405 for the preflight of any other origin, as without one; its requests are answered, unread', async () => {
    const plain = await send(server.baseUrl, { method: 'OPTIONS', path: wallet });
    for (const [name, origin] of strangers()) {
      const asked = await preflight(wallet, origin);
      expect([name, asked.status, asked.headers.allow]).toEqual([name, plain.status, plain.headers.allow]);
      expect(corsOf(asked.headers), name).toEqual({});
      const answered = await ask(wallet, { origin });
      expect([name, answered.status, corsOf(answered.headers)]).toEqual([name, 200, {}]);
    }
  });

  test('with a cookie, whatever it is, or without a Bearer token', async () => {
    const rows: [string, Record<string, string>, number][] = [
      ['the access cookie alone', { authorization: '', cookie: `${ACCESS}=${token}` }, 401],
      ['a token and the access cookie', { cookie: `${ACCESS}=${token}` }, 200],
      ['a token and any cookie', { cookie: 'theme=dark' }, 200],
      ['Basic', { authorization: 'Basic eDp5' }, 401],
      ['nothing', { authorization: '' }, 401],
    ];
    for (const [name, headers, status] of rows) {
      const reply = await ask(wallet, { origin: PAGE, ...headers });
      expect([name, reply.status, corsOf(reply.headers)]).toEqual([name, status, {}]);
    }
    expect(corsOf((await preflight(wallet, PAGE, { cookie: 'theme=dark' })).headers)).toEqual({});
  });

  test('beyond the operations: pages, probes, the reference, addresses that are not there', async () => {
    for (const path of ['/v1/auth/login', '/v1/auth/security', '/livez', '/docs/', '/openapi.json', '/nowhere']) {
      expect([path, corsOf((await preflight(path, PAGE)).headers)]).toEqual([path, {}]);
      expect([path, corsOf((await ask(path, { origin: PAGE })).headers)]).toEqual([path, {}]);
    }
  });

  test('405: OPTIONS that is no preflight', async () => {
    const reply = await send(server.baseUrl, { method: 'OPTIONS', path: wallet, headers: { origin: PAGE } });
    expect([reply.status, corsOf(reply.headers)]).toEqual([405, {}]);
  });
});

test('a flood of preflights of ever new origins asks the database nothing', async () => {
  expect((await preflight(wallet, PAGE)).status).toBe(204);
  // Whoever asked for the applications now would wait for this lock.
  await server.query('begin');
  await server.query('lock table oauth_apps in access exclusive mode');
  try {
    const replies = await Promise.all(
      Array.from({ length: 500 }, (_, place) => preflight(wallet, place % 2 ? PAGE : `https://a${place}.example.com`)),
    );
    expect(replies.filter(({ status }) => status === 204)).toHaveLength(250);
  } finally {
    await server.query('rollback');
  }
});

test('an application that is disabled loses its pages within seconds', async () => {
  const origin = 'https://short-lived.example.com';
  const { clientId } = await server.database.asSystem((tx) =>
    createOAuthApp(tx, { name: 'App', redirectUris: [`${origin}/callback`], isPublic: true }),
  );
  const statusIs = (status: number) =>
    eventually(async () => expect((await preflight(wallet, origin)).status).toBe(status));
  await statusIs(204);
  await server.database.asSystem((tx) => enableApp(tx, clientId, false));
  await statusIs(405);
});
