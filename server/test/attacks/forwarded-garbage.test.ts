// Trusted proxies write X-Forwarded-For in forms of their own. None of them may void a limit by network, nor break a
// request (docs/decisions/0183-told-addresses.md). This machine is the proxy here.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startServer, type TestServer } from '../harness.ts';
import { addCredential } from '../support/tokens.ts';
import { send } from '../support/wire.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer({
    environment: { TREFOIL_TRUSTED_PROXIES: '127.0.0.1,198.18.0.1', TREFOIL_COLLECTION_RATE: '1' },
  });
});
afterAll(() => server.close());
let third = 0;
beforeEach(() => {
  third += 1;
});

async function askToken(from: string, clientId: string = randomUUID(), secret = 'wrong'): Promise<number> {
  const form = { grant_type: 'client_credentials', client_id: clientId, client_secret: secret };
  const { status } = await send(server.baseUrl, {
    method: 'POST',
    path: '/v1/oauth/token',
    headers: { 'content-type': 'application/x-www-form-urlencoded', 'x-forwarded-for': from },
    body: new URLSearchParams(form).toString(),
  });
  return status;
}

const TEN_THEN_NONE = [...Array<number>(10).fill(401), 429];

const FORMS: Record<string, (index: number) => string> = {
  'a port each time anew': (index) => `198.51.${third}.1:${50_000 + index}`,
  'an IPv6 address with a port': (index) => `[2001:db8:${third}::1]:${50_000 + index}`,
  'an IPv6 address in brackets': (index) => `[2001:db8:${third}::${index}]`,
  'a zone id each time anew': (index) => `fe80:${third}::1%eth${index}`,
  'an invented address in front': (index) => `203.0.113.${index}, 198.51.${third}.1:443`,
  'two proxies, with ports': (index) => `198.51.${third}.1:${50_000 + index}, 198.18.0.1:${index + 1}`,
};

test.each(Object.entries(FORMS))('429: with %s the eleventh wrong secret is refused', async (_name, from) => {
  const statuses: number[] = [];
  for (let index = 0; index < 11; index += 1) statuses.push(await askToken(from(index)));
  expect(statuses).toEqual(TEN_THEN_NONE);
});

test('429: what is no address counts under the proxy, whatever it says, and a warning is logged once', async () => {
  const garbage = [
    'unknown',
    '_hidden',
    'a:b',
    '%',
    '[',
    '198.51.100.1%eth0',
    '198.51.100.1:x',
    'null',
    '1.2.3',
    '-',
    '[]:1',
  ];
  const statuses: number[] = [];
  for (const from of garbage) statuses.push(await askToken(from));
  expect(statuses).toEqual(TEN_THEN_NONE);
  // Others behind the same proxy, told properly, go on.
  expect(await askToken('198.51.100.200')).toBe(401);
  const warnings = server.logText().match(/a trusted proxy told no address/g);
  expect(warnings).toHaveLength(1);
  expect(server.logText()).not.toContain('_hidden');
});

test.each(['/v1/auth/login', '/v1/fingerprints/device', '/v1/auth/forgotten-password'])(
  'no form of the header breaks %s',
  async (path) => {
    for (const from of [
      'fe80::1%eth0',
      'unknown',
      ',',
      ' , ',
      '198.51.100.9:1',
      '[::1',
      'x'.repeat(8_000),
      ','.repeat(8_000),
    ]) {
      const { status } = await send(server.baseUrl, { method: 'GET', path, headers: { 'x-forwarded-for': from } });
      expect(status, from.slice(0, 20)).toBeLessThan(500);
    }
  },
);

test('200: a credential bound to a network works behind a proxy that writes ports', async () => {
  const { clientId, clientSecret } = await addCredential(server, server.demo);
  await server.query(`update credentials set allowed_networks = '{203.0.113.0/24}' where id = $1`, [clientId]);
  expect(await askToken('203.0.113.5:4711', clientId, clientSecret)).toBe(200);
  expect(await askToken('198.51.100.5:4711', clientId, clientSecret)).toBe(401);
  expect(await askToken('203.0.113.5, unknown', clientId, clientSecret)).not.toBe(200);
});

test('201: the fingerprint routes read the header in the same way', async () => {
  const collect = async (from: string) => {
    const { status } = await send(server.baseUrl, {
      method: 'POST',
      path: '/v1/fingerprints/collections',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': from },
      body: JSON.stringify({ deviceDigest: 'a'.repeat(32), timeZone: 'Europe/London' }),
    });
    return status;
  };
  const statuses: number[] = [];
  for (let index = 0; index < 5; index += 1) statuses.push(await collect(`198.51.${third}.1:${50_000 + index}`));
  expect(statuses).toEqual([201, 201, 201, 201, 429]);
});
