// Parameters without end, in queries and in forms, where anybody may send them: 400 in the published shape before anything
// takes them apart. And receipts without a good signature: an address that sends many is refused, one with good ones never.
import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '../../src/lib/ids.ts';
import { type LiveServer, startLiveServer } from '../support/live.ts';
import { type Reply, readError, send } from '../support/wire.ts';

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const REFUSED_BURST = 60;

let server: LiveServer;
let account: { accountSid: string; authToken: string };
beforeAll(async () => {
  server = await startLiveServer({ environment: { TREFOIL_JOBS: 'off', TREFOIL_TRUSTED_PROXIES: '127.0.0.1' } });
  account = JSON.parse(server.environment['TREFOIL_SMS'] ?? '{}');
});
afterAll(() => server.close());

const parameters = (count: number) => Array.from({ length: count }, (_, place) => `p${place}=${place}`).join('&');

function expectTooMany(reply: Reply, path: string, pointer: string): void {
  expect(reply.status, `${path} ${reply.text.slice(0, 200)}`).toBe(400);
  const error = readError(reply, path);
  expect(error).toMatchObject({ code: 'validation-error' });
  expect(error['details']).toEqual([{ path: pointer, message: 'Send at most 100 parameters.' }]);
}

test.each([
  ['GET', '/v1/oauth/authorize'],
  ['GET', '/v1/oauth/logout'],
  ['POST', '/v1/oauth/token'],
  ['GET', '/v1/auth/login'],
  ['GET', '/v1/my/profile'],
  ['POST', '/v1/carriers/twilio/receipts'],
  ['GET', '/v1/fingerprints/device'],
  ['GET', '/docs/'],
  ['GET', '/livez'],
])('400 validation-error: %s %s with 101 parameters in the query, and not with 100', async (method, path) => {
  expectTooMany(await send(server.baseUrl, { method, path: `${path}?${parameters(101)}` }), path, '/query');
  const fewer = await send(server.baseUrl, { method, path: `${path}?${parameters(100)}` });
  expect(fewer.text).not.toContain('at most 100');
});

test('404 not-found: at an address that is not there nothing is counted', async () => {
  const reply = await send(server.baseUrl, { method: 'GET', path: `/nowhere?${parameters(101)}` });
  expect(readError(reply).code).toBe('not-found');
});

test.each([
  ['/v1/oauth/token'],
  ['/v1/oauth/revoke'],
  ['/v1/carriers/twilio/receipts'],
  ['/v1/auth/forgotten-password'],
])('400 validation-error: a form of 101 parameters to %s, and not of 100', async (path) => {
  const headers = { ...FORM, origin: server.baseUrl };
  expectTooMany(await send(server.baseUrl, { method: 'POST', path, headers, body: parameters(101) }), path, '');
  const fewer = await send(server.baseUrl, { method: 'POST', path, headers, body: parameters(100) });
  expect(fewer.text).not.toContain('at most 100');
});

test('400 invalid_request: an OAuth client finds its own words in the refusal', async () => {
  const reply = await send(server.baseUrl, {
    method: 'POST',
    path: '/v1/oauth/token',
    headers: FORM,
    body: parameters(101),
  });
  expect(JSON.parse(reply.text)).toMatchObject({ error: 'invalid_request', error_description: expect.any(String) });
});

function receipt(fields: Record<string, string>, from: string, isSigned: boolean): Promise<Reply> {
  const path = `/v1/carriers/twilio/receipts?tenant=${server.demo.tenantId}&send=${newId()}`;
  const all = {
    AccountSid: account.accountSid,
    MessageSid: `SM${'0'.repeat(32)}`,
    MessageStatus: 'sending',
    ...fields,
  };
  const content = Object.entries(all)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .flat()
    .join('');
  const signature = createHmac('sha1', isSigned ? account.authToken : 'guess').update(
    `${server.baseUrl}${path}${content}`,
  );
  return send(server.baseUrl, {
    method: 'POST',
    path,
    headers: { ...FORM, 'x-twilio-signature': signature.digest('base64'), 'x-forwarded-for': from },
    body: new URLSearchParams(all).toString(),
  });
}

test('204: a signed receipt of nearly 100 parameters is a receipt', async () => {
  const more = Object.fromEntries(Array.from({ length: 97 }, (_, place) => [`P${place}`, String(place)]));
  expect((await receipt(more, '198.18.0.1', true)).status).toBe(204);
});

test('429 rate-limited: bad signatures from one address; a good one is heard all the same, and so is everybody else', async () => {
  const statuses: number[] = [];
  for (let count = 0; count < 2 * REFUSED_BURST; count += 1) {
    statuses.push((await receipt({}, '198.18.0.2', false)).status);
  }
  expect(statuses.slice(0, REFUSED_BURST)).toEqual(Array<number>(REFUSED_BURST).fill(403));
  expect(statuses).toContain(429);
  let limited = await receipt({}, '198.18.0.2', false);
  while (limited.status !== 429) limited = await receipt({}, '198.18.0.2', false);
  expect(readError(limited).code).toBe('rate-limited');
  expect(Number(limited.headers['retry-after'])).toBeGreaterThan(0);
  for (let count = 0; count < 2 * REFUSED_BURST; count += 1) {
    expect((await receipt({}, '198.18.0.2', true)).status).toBe(204);
  }
  expect((await receipt({}, '198.18.0.3', false)).status).toBe(403);
});

test('403 forbidden: a receipt for another account is refused whoever signed it', async () => {
  expect((await receipt({ AccountSid: `AC${'0'.repeat(32)}` }, '198.18.0.4', true)).status).toBe(403);
});
