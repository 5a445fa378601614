// Whoever reads Redis, or listens to it, learns no e-mail address and no network address of anybody
// (docs/decisions/0154-addresses.md).
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '../../src/lib/ids.ts';
import { startServer, type TestServer } from '../harness.ts';
import { Browser } from '../support/browser.ts';
import { watchRedis } from '../support/dump.ts';
import { send } from '../support/wire.ts';

let server: TestServer;
beforeAll(async () => {
  // This machine counts as a proxy, so that requests can come from addresses that are easy to find.
  server = await startServer({ environment: { TREFOIL_TRUSTED_PROXIES: '127.0.0.1' } });
});
afterAll(() => server.close());

test('guesses, resets, sign-ins, scripts and tokens leave neither e-mail nor network address in Redis', async () => {
  const stop = await watchRedis(server);
  const email = `canary-${newId()}@example.com`;
  for (const from of ['192.0.2.77', '2001:db8:77:88::1']) {
    const headers = { 'x-forwarded-for': from };
    const browser = new Browser(server);
    const { path } = await browser.open('/v1/auth/login');
    await browser.post(path, { email, password: 'not the password' }, { origin: server.baseUrl, headers });
    const own = { ...headers, origin: server.baseUrl, 'content-type': 'application/x-www-form-urlencoded' };
    const ask = (address: string, body: string) =>
      send(server.baseUrl, { method: 'POST', path: address, headers: own, body });
    await ask('/v1/auth/forgotten-password', `email=${encodeURIComponent(email)}`);
    await ask('/v1/oauth/token', `grant_type=client_credentials&client_id=${newId()}&client_secret=x`);
    for (const address of ['/v1/fingerprints/device', '/v1/auth/login', '/v1/oauth/authorize']) {
      await send(server.baseUrl, { method: 'GET', path: address, headers });
    }
  }
  const commands = await stop();
  // All kinds were at work.
  for (const kind of ['failures:address', 'failures:sign-in', 'failures:reset', 'rate:sign-in', 'rate:fingerprint']) {
    expect(commands).toContain(kind);
  }
  for (const word of ['192.0.2', '2001:db8', '2001:0db8', 'canary-', '127.0.0.1', '%40', '@']) {
    expect(commands.split('\n').filter((line) => line.includes(word))).toEqual([]);
  }
});
