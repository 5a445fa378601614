// `docs` in every error body is the address of a page about its code, made from the catalogue
// (docs/decisions/0159-pages-about-errors.md).
import { ERROR_CODES, ERRORS } from '@trefoil/contract';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startServer, type TestServer } from '../harness.ts';
import { openChromium } from '../support/chromium.ts';
import { readError, send, sendBytes } from '../support/wire.ts';

let server: TestServer;
let browser: Browser;
beforeAll(async () => {
  server = await startServer();
  browser = await openChromium();
});
afterAll(async () => {
  await browser?.close();
  await server?.close();
});

const docsOf = (code: string) => `${server.baseUrl}/docs/errors/${code}`;

test('every kind of error body carries docs: of operations, of unknown addresses, of the OAuth library, of broken bytes', async () => {
  const json = { 'content-type': 'application/json' };
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  const requests = [
    { method: 'GET', path: '/v1/my/profile' },
    { method: 'GET', path: '/v1/nothing' },
    { method: 'DELETE', path: '/v1/my/profile' },
    { method: 'GET', path: '/%' },
    { method: 'POST', path: '/v1/fingerprints/collections', headers: json, body: '{}' },
    { method: 'POST', path: '/v1/auth/logout', headers: json, body: '{}' },
    { method: 'POST', path: '/v1/oauth/token', headers: form, body: 'grant_type=client_credentials' },
    { method: 'POST', path: '/v1/oauth/token', headers: form, body: 'grant_type=nothing' },
    { method: 'POST', path: '/v1/oauth/token', headers: form, body: `a=${'x'.repeat(60_000)}` },
    { method: 'POST', path: '/v1/oauth/token', headers: form, body: 'a=1&'.repeat(101) },
  ];
  for (const request of requests) {
    const error = readError(await send(server.baseUrl, request), request.path);
    expect([request, error['docs']]).toEqual([request, docsOf(error.code)]);
  }
  const broken = (await sendBytes(server.baseUrl, 'hello\r\n\r\n')).toString();
  expect(JSON.parse(broken.slice(broken.indexOf('\r\n\r\n') + 4))).toMatchObject({
    code: 'validation-error',
    docs: docsOf('validation-error'),
  });
  const noHost = (await sendBytes(server.baseUrl, 'GET / HTTP/1.1\r\nConnection: close\r\n\r\n')).toString();
  expect(noHost).toContain(docsOf('validation-error'));
});

test.each(ERROR_CODES)('200: the page of %s says what it means, what to do, and shows a body', async (code) => {
  const reply = await fetch(docsOf(code));
  expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  const policy = reply.headers.get('content-security-policy') ?? '';
  for (const part of ["default-src 'none'", "connect-src 'none'", "frame-ancestors 'none'", 'sandbox']) {
    expect(policy).toContain(part);
  }
  const page = await reply.text();
  expect(page).not.toMatch(/<script|undefined|\[object/);
  expect(page).toContain(`<h1>${ERRORS[code].status} <code>${code}</code></h1>`);
  for (const heading of ['What it means', 'What to do', 'An example']) expect(page).toContain(`<h2>${heading}</h2>`);
  expect(page).toContain('&quot;code&quot;: &quot;');
  expect(page).toContain(docsOf(code));
});

test('200: a page of all codes leads to each; 404 for a code that does not exist', async () => {
  const page = await (await fetch(`${server.baseUrl}/docs/errors`)).text();
  for (const code of ERROR_CODES) expect(page).toContain(`href="/docs/errors/${code}"`);
  const unknown = await send(server.baseUrl, { method: 'GET', path: '/docs/errors/no-such-code' });
  expect([unknown.status, readError(unknown).code]).toEqual([404, 'not-found']);
});

test('in a browser: readable, light and dark, and it asks nobody for anything', async () => {
  for (const colorScheme of ['light', 'dark'] as const) {
    const page = await browser.newPage({ colorScheme, viewport: { width: 390, height: 800 } });
    const faults: string[] = [];
    const asked: string[] = [];
    page.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
    page.on('request', (request) => asked.push(request.url()));
    await page.goto(docsOf('sms-limit-reached'));
    await page.getByRole('heading', { name: 'sms-limit-reached' }).waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    expect(faults).toEqual([]);
    expect(asked.filter((url) => !url.startsWith('data:'))).toEqual([docsOf('sms-limit-reached')]);
    await page.close();
  }
});
