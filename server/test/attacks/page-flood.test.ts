// A network asks for pages without end, signed in or not. Beyond its share it hears 429, and the database is not asked
// (docs/decisions/0188-pages-by-network.md).
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startServer, type TestServer } from '../harness.ts';
import { type Reply, send } from '../support/wire.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer({
    // A machine that stands still for a moment must not make the node count alone, from the beginning.
    environment: { TREFOIL_TRUSTED_PROXIES: '127.0.0.1', TREFOIL_REDIS_TIMEOUT_MS: '5000' },
  });
});
afterAll(() => server.close());

const visit = (path: string, from: string, accept = 'text/html'): Promise<Reply> =>
  send(server.baseUrl, { method: 'GET', path, headers: { accept, 'x-forwarded-for': from } });

const PAGES = [
  '/',
  '/v1/auth/sign-in/some-uid',
  '/v1/auth/consent/some-uid',
  '/v1/auth/callback?state=none',
  '/v1/auth/account',
  '/v1/auth/security',
  '/v1/auth/forgotten-password',
  '/v1/auth/reset-password/some-token',
  '/v1/auth/invitations/some-token',
];
/** Far above the share of a network, and above what comes in again while they are asked for. */
const ROUNDS_MAX = 1_000;

/** Asks for all pages at once, again and again, until each was refused at least once. */
async function flood(
  from: string,
  accept?: string,
): Promise<{ readonly allowed: number; readonly refused: readonly Reply[] }> {
  const refused = new Map<string, Reply>();
  let allowed = 0;
  for (let round = 0; round < ROUNDS_MAX && refused.size < PAGES.length; round += 1) {
    const replies = await Promise.all(PAGES.map(async (path) => [path, await visit(path, from, accept)] as const));
    for (const [path, reply] of replies) {
      if (reply.status === 429) refused.set(path, reply);
      else allowed += 1;
    }
  }
  return { allowed, refused: [...refused.values()] };
}

test('429: every page has a limit by network, a wide one; another network and the tokens of tenants go on', async () => {
  const { allowed, refused } = await flood('198.51.100.1');
  expect(refused).toHaveLength(PAGES.length);
  expect(allowed).toBeGreaterThanOrEqual(1_000);
  for (const { headers, text } of refused) {
    expect(Number(headers['retry-after'])).toBeGreaterThanOrEqual(1);
    expect(headers['content-type']).toContain('text/html');
    expect(text).toContain('Too many attempts');
  }
  for (const path of PAGES) expect((await visit(path, '203.0.113.77')).status, path).not.toBe(429);
  expect(await server.trefoil.getToken()).toBeTruthy();
}, 60_000);

test('429: a program is told so in the published error body', async () => {
  const { refused } = await flood('198.51.100.2', 'application/json');
  expect(refused).toHaveLength(PAGES.length);
  for (const { text } of refused) expect(JSON.parse(text)).toMatchObject({ code: 'rate-limited' });
}, 60_000);
