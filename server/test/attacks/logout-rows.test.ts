// Visitors whom nobody knows ask the sign-out address. It once kept a session of eight hours, with what they sent, for each
// of them (docs/decisions/0182-signing-nobody-out.md).
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startServer, type TestServer } from '../harness.ts';
import { addApp, REDIRECT_URI } from '../support/apps.ts';
import { addAccount, signIn } from '../support/browser.ts';
import { send } from '../support/wire.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer({
    // A machine that stands still for a moment must not make the node count alone, from the beginning.
    environment: { TREFOIL_TRUSTED_PROXIES: '127.0.0.1', TREFOIL_REDIS_TIMEOUT_MS: '5000' },
  });
});
afterAll(() => server.close());

const countRows = async () => {
  const [row] = await server.query<{ count: number }>('select count(*)::int as count from oidc_payloads');
  return row?.count ?? -1;
};

const visit = (path: string, from: string, headers: Record<string, string> = {}, method = 'GET') =>
  send(server.baseUrl, { method, path, headers: { accept: 'text/html', 'x-forwarded-for': from, ...headers } });

const COOKIES = {
  'no cookie': '',
  'a cookie of another name': 'theme=dark',
  'a cookie that we did not sign': '__Host-trefoil_session=made-up',
  'a cookie with a wrong signature': '__Host-trefoil_session=made-up; __Host-trefoil_session.sig=wrong',
};

test.each(Object.entries(COOKIES))('303: with %s nobody is signed out and no row is left', async (_name, cookie) => {
  const before = await countRows();
  const reply = await visit('/v1/oauth/logout?state=mine', '192.0.2.1', cookie ? { cookie } : {});
  expect([reply.status, reply.headers.location]).toEqual([303, '/v1/auth/signed-out']);
  expect(reply.headers['set-cookie']).toBeUndefined();
  expect(await countRows()).toBe(before);
});

test('400: a state of over 1,024 characters is refused, of nobody and of a person, and is kept nowhere', async () => {
  const path = `/v1/oauth/logout?state=${'x'.repeat(1_025)}`;
  const before = await countRows();
  expect((await visit(path, '192.0.2.2')).status).toBe(400);
  expect(await countRows()).toBe(before);
  const browser = await signIn(server, await addAccount(server, server.demo.tenantId, 'owner'));
  expect((await browser.get(path)).status).toBe(400);
  expect((await browser.get(`/v1/oauth/logout?state=${'x'.repeat(1_024)}`)).status).toBe(200);
  const kept = await server.query(
    `select 1 from oidc_payloads where payload::text like '%' || repeat('x', 1025) || '%'`,
  );
  expect(kept).toEqual([]);
});

test('303: an application gets its visitor and its state back also where nobody was signed in', async () => {
  const app = await addApp(server);
  const query = new URLSearchParams({
    client_id: app.clientId,
    post_logout_redirect_uri: REDIRECT_URI,
    state: 'its own',
  });
  const reply = await visit(`/v1/oauth/logout?${query}`, '192.0.2.3');
  expect([reply.status, reply.headers.location]).toEqual([303, `${REDIRECT_URI}?state=its+own`]);
  query.set('post_logout_redirect_uri', 'https://elsewhere.example.com/');
  expect((await visit(`/v1/oauth/logout?${query}`, '192.0.2.3')).status).toBe(400);
});

const LIMITED: Record<string, [string, string]> = {
  '/v1/oauth/logout': ['GET', '/v1/oauth/logout'],
  '/v1/oauth/logout/confirm': ['POST', '/v1/oauth/logout/confirm'],
  '/v1/oauth/logout/success': ['GET', '/v1/oauth/logout/success'],
  '/v1/oauth/authorize/:uid': ['GET', '/v1/oauth/authorize/some-uid'],
};

test.each(Object.entries(LIMITED))(
  '429: %s has a limit by network, and others go on',
  async (route, [method, path]) => {
    const from = `198.51.100.${Object.keys(LIMITED).indexOf(route) + 1}`;
    // A slow machine is allowed more while it asks, but far less than the share of all pages (a thousand at once).
    let allowed = 0;
    let isRefused = false;
    for (let round = 0; round < 8 && !isRefused; round += 1) {
      const replies = await Promise.all(Array.from({ length: 100 }, () => visit(path, from, {}, method)));
      const refused = replies.filter(({ status }) => status === 429);
      isRefused = refused.length > 0;
      allowed += replies.length - refused.length;
    }
    expect(isRefused, `${allowed} were allowed`).toBe(true);
    expect((await visit(path, '203.0.113.77', {}, method)).status).not.toBe(429);
  },
);
