// What stands at the address itself and at addresses where nothing is: a page for people, JSON for programs.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startServer, type TestServer } from '../harness.ts';
import { readError, send } from '../support/wire.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

/** As Chromium, Firefox and Safari ask for a page. */
const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8';
const get = (path: string, accept: string | undefined, method = 'GET') =>
  send(server.baseUrl, { method, path, headers: accept === undefined ? {} : { accept } });

const PROGRAMS = [
  undefined,
  '*/*',
  'application/json',
  'application/json, text/html;q=0.5',
  'application/json, text/html',
];

test('200 at /: a browser gets a page with the documentation and the sign-in', async () => {
  const { status, headers, text } = await get('/', BROWSER);
  expect(status).toBe(200);
  expect(headers).toMatchObject({ 'content-type': 'text/html; charset=utf-8', vary: 'Accept' });
  expect(headers['content-security-policy']).toContain("default-src 'none'");
  for (const link of ['/docs', '/docs/reference', '/docs/errors', '/openapi.json', `${server.baseUrl}/v1/auth/login`]) {
    expect(text).toContain(`href="${link}"`);
  }
  for (const path of ['/docs', '/docs/reference', '/docs/errors', '/openapi.json'])
    expect((await get(path, BROWSER)).status).toBeLessThan(400);
});

for (const accept of PROGRAMS) {
  test(`200 at /: with Accept ${accept ?? 'missing'} a program gets the same addresses as JSON`, async () => {
    const { status, headers, text } = await get('/', accept);
    expect([status, headers['content-type'], headers['vary']]).toEqual([
      200,
      'application/json; charset=utf-8',
      'Accept',
    ]);
    expect(JSON.parse(text)).toEqual({
      name: 'Trefoil',
      description: expect.stringContaining('credit reports'),
      documentation: `${server.baseUrl}/docs`,
      reference: `${server.baseUrl}/docs/reference`,
      openapi: `${server.baseUrl}/openapi.json`,
      errors: `${server.baseUrl}/docs/errors`,
      signIn: `${server.baseUrl}/v1/auth/login`,
    });
  });

  test(`404 at an unknown address: with Accept ${accept ?? 'missing'} a program gets the published body`, async () => {
    const reply = await get('/dashboard', accept);
    expect([reply.status, readError(reply).code]).toEqual([404, 'not-found']);
  });
}

test('404 at an unknown address: a browser gets a page that leads back, and names the request', async () => {
  for (const path of ['/dashboard', '/v1/auth/nowhere', '/v1/%3Cscript%3E', '/a/b/c?x=<script>alert(1)']) {
    const { status, headers, text } = await get(path, BROWSER);
    expect([path, status, headers['content-type']]).toEqual([path, 404, 'text/html; charset=utf-8']);
    expect(headers['content-security-policy']).toContain("default-src 'none'");
    expect(text).toContain('<h1>Page not found</h1>');
    expect(text).toContain('href="/"');
    expect(text).toContain(headers['x-request-id']);
    expect(text).not.toContain('alert(1)');
  }
});

test('405: an address that only takes forms says so to a browser, and to a program as before', async () => {
  const page = await get('/v1/auth/security/password', BROWSER);
  expect([page.status, page.headers['allow'], page.headers['content-type']]).toEqual([
    405,
    'POST',
    'text/html; charset=utf-8',
  ]);
  const body = await get('/v1/auth/security/password', '*/*');
  expect([body.status, readError(body).code]).toEqual([405, 'method-not-allowed']);
});

test('an operation of the API answers a browser in JSON as before', async () => {
  const reply = await get(`/${server.demo.tenantId}/v1/credit-reports`, BROWSER);
  expect([reply.status, readError(reply).code]).toEqual([401, 'unauthorized']);
});

test('200 below /docs without the documentation site: a page says what is not here, and leads to what is (0288)', async () => {
  for (const path of ['/docs', '/docs/', '/docs/reference']) {
    const { status, headers, text } = await get(path, BROWSER);
    expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(text).toContain('This server has no documentation site');
    for (const link of ['/openapi.json', '/docs/errors']) expect(text).toContain(`href="${link}"`);
    expect(text).not.toContain('<script');
  }
  for (const path of ['/docs/openapi.json', '/docs/openapi.yaml']) {
    const { status, headers } = await get(path, undefined);
    expect([status, headers['location']]).toEqual([308, '/openapi.json']);
  }
});
