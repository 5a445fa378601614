// Somebody on the way who keeps a browser on plain http. Where the base address is https every answer, whoever made it,
// tells browsers to come by https alone (docs/decisions/0154-addresses.md).
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startServer, type TestServer } from '../harness.ts';
import { type Reply, send } from '../support/wire.ts';

const HEADER = 'strict-transport-security';
const PATHS = [
  '/livez',
  '/docs/',
  '/v1/auth/login',
  '/v1/oauth/jwks',
  '/nothing',
  '/v1/my/profile',
  '/v1/auth/signed-out',
];
const isPlain = (reply: Reply) => reply.headers[HEADER] === undefined;

let server: TestServer;
let plain: TestServer;
beforeAll(async () => {
  // TLS ends before us: the base address says what browsers see.
  server = await startServer({ environment: { TREFOIL_BASE_URL: 'https://api.example.com' } });
  plain = await startServer();
});
afterAll(() => Promise.all([server.close(), plain.close()]));

test('every kind of answer carries the header for a year; a plain base address has none', async () => {
  for (const path of PATHS) {
    const reply = await send(server.baseUrl, { method: 'GET', path, headers: { accept: 'text/html' } });
    expect([path, reply.headers[HEADER]]).toEqual([path, 'max-age=31536000']);
    expect([path, isPlain(await send(plain.baseUrl, { method: 'GET', path }))]).toEqual([path, true]);
  }
  const token = await send(server.baseUrl, { method: 'POST', path: '/v1/oauth/token', body: 'x' });
  expect(token.headers[HEADER]).toBe('max-age=31536000');
});
