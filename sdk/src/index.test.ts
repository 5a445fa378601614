// The client library against a server that only records requests: what the client sends and what it returns.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { inspect } from 'node:util';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createTrefoil, type GenerateRequest, type Trefoil, TrefoilError } from './index.ts';

type Asked = { readonly method: string; readonly url: string; readonly accept: string | undefined };
type Answer = { readonly status?: number; readonly headers?: Record<string, string>; readonly body: string | object };

const tenantId = '01998a00-0000-7000-8000-000000000001';
const creditReportId = '01998a3e-7c11-7d22-8a33-4b5c6d7e8f90';
let asked: Asked[] = [];
let answer: Answer;
let server: Server;
let trefoil: Trefoil;
beforeAll(async () => {
  server = createServer((request, response) => {
    const isToken = request.url === '/v1/oauth/token';
    if (!isToken) {
      const { method = '', url = '', headers } = request;
      asked.push({ method, url, accept: headers.accept });
    }
    const reply: Answer = isToken ? { body: { access_token: 't', token_type: 'Bearer', expires_in: 900 } } : answer;
    const { body } = reply;
    const isRaw = typeof body === 'string' || body instanceof Uint8Array;
    const type = isRaw ? 'text/csv' : 'application/json';
    response.writeHead(reply.status ?? 200, { 'content-type': type, ...reply.headers });
    response.end(isRaw ? body : JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  trefoil = createTrefoil({ baseUrl, tenantId, clientId: 'c', clientSecret: 's' });
});
afterAll(() => server.close());
beforeEach(() => {
  asked = [];
  answer = { body: { meta: {}, data: {} } };
});

const CALLS: [string, () => Promise<unknown>, string][] = [
  ['getWallet', () => trefoil.getWallet(), `/${tenantId}/v1/wallet`],
  ['getPrices', () => trefoil.getPrices(), `/${tenantId}/v1/prices`],
  ['getReport', () => trefoil.getReport(creditReportId), `/${tenantId}/v1/credit-reports/${creditReportId}`],
  [
    'getEvidence',
    () => trefoil.getEvidence(creditReportId),
    `/${tenantId}/v1/credit-reports/${creditReportId}/evidence`,
  ],
  ['listReports', () => trefoil.listReports(), `/${tenantId}/v1/credit-reports`],
  [
    'listReports with filters',
    () => trefoil.listReports({ externalReference: 'a&b', status: 'failed', limit: 5 }),
    `/${tenantId}/v1/credit-reports?externalReference=a%26b&status=failed&limit=5`,
  ],
  [
    'getTimeline',
    () => trefoil.getTimeline(creditReportId),
    `/${tenantId}/v1/credit-reports/${creditReportId}/timeline`,
  ],
  [
    'countReports',
    () => trefoil.countReports({ test: false, from: '2026-03-01' }),
    `/${tenantId}/v1/credit-reports/counts?test=false&from=2026-03-01`,
  ],
  ['listWalletEntries', () => trefoil.listWalletEntries(), `/${tenantId}/v1/wallet/entries`],
  [
    'listWalletEntries with filters',
    () => trefoil.listWalletEntries({ from: '2026-03-01T09:00:00+01:00', kind: 'top-up', cursor: 'x' }),
    `/${tenantId}/v1/wallet/entries?from=2026-03-01T09%3A00%3A00%2B01%3A00&kind=top-up&cursor=x`,
  ],
];
for (const [name, call, url] of CALLS) {
  test(`${name} asks for ${url.replace(`/${tenantId}`, '')}`, async () => {
    expect(await call()).toEqual({ meta: {}, data: {} });
    expect(asked).toMatchObject([{ method: 'GET', url }]);
  });
}

const ADDRESSES: [baseUrl: string, says?: RegExp][] = [
  ['https://trefoil.example.com'],
  ['https://trefoil.example.com:8443/'],
  ['http://localhost:8080'],
  ['http://127.0.0.1'],
  ['http://127.1.2.3:80/'],
  ['http://[::1]:8080'],
  ['http://trefoil.example.com', /without TLS.*Use https/],
  ['HTTP://trefoil.example.com', /without TLS/],
  ['http://10.0.0.1:8080', /without TLS/],
  ['http://localhost.example.com', /without TLS/],
  ['http://127.0.0.1.example.com', /without TLS/],
  ['http://localhost:80:80', /without TLS/],
  ['https://host@evil.example.com', /has an @.*host after it/],
  ['https://user:hush@trefoil.example.com', /has an @/],
  ['https://user:hush@trefoil.example.com/v1', /has an @/],
  ['http://localhost:80@evil.example.com', /has an @/],
  ['https://host\\evil.example.com', /origin of the service alone/],
  ['https://trefoil.example.com/v1', /without a path/],
  ['ftp://trefoil.example.com', /such as https/],
];
test.each(ADDRESSES)(
  'the address %s is taken only if it leads to the service, and by TLS beyond this machine',
  (baseUrl, says) => {
    const connections = [
      { baseUrl, tenantId, clientId: 'c', clientSecret: 's' },
      { baseUrl, tenantId, getToken: async () => 't' },
      { baseUrl, tenantId, auth: 'cookies' as const },
    ];
    for (const options of connections) {
      const connect = () => createTrefoil(options);
      if (!says) expect(connect).not.toThrow();
      else expect(connect).toThrow(says);
      if (baseUrl.includes('hush')) expect(connect).not.toThrow(/hush/);
    }
  },
);

test('exportWalletEntries asks for CSV and finds where to go on', async () => {
  const csv = 'id,kind\r\n';
  answer = { body: csv };
  expect(await trefoil.exportWalletEntries({ kind: 'adjust' })).toEqual({ csv, nextCursor: null });
  expect(asked).toMatchObject([{ url: `/${tenantId}/v1/wallet/entries?kind=adjust`, accept: 'text/csv' }]);
  answer = { body: csv, headers: { link: `</${tenantId}/v1/wallet/entries?kind=adjust&cursor=MTE>; rel="next"` } };
  expect(await trefoil.exportWalletEntries()).toEqual({ csv, nextCursor: 'MTE' });
});

test('collectFingerprint takes the 201 of a device session as its answer', async () => {
  answer = { status: 201, body: { sessionId: 'ds1.x', ipAddress: '192.0.2.10' } };
  expect(await trefoil.collectFingerprint({ deviceDigest: 'a'.repeat(64) })).toEqual(answer.body);
  expect(asked).toMatchObject([{ method: 'POST', url: '/v1/fingerprints/collections' }]);
});

test('getDocument gives the bytes as they came, and a refusal as an error', async () => {
  const bytes = Uint8Array.from({ length: 256 }, (_, place) => place);
  answer = { body: bytes };
  expect(await trefoil.getDocument(creditReportId, 'pdf')).toEqual(bytes);
  const path = `/${tenantId}/v1/credit-reports/${creditReportId}/document`;
  expect(asked).toMatchObject([{ method: 'GET', url: `${path}?format=pdf`, accept: '*/*' }]);
  answer = { status: 410, body: { code: 'credit-report-purged', message: 'Gone.', requestId: 'r' } };
  const error = await trefoil.getDocument(creditReportId, 'html').catch((caught: unknown) => caught);
  expect(error).toMatchObject({ name: 'TrefoilError', status: 410, code: 'credit-report-purged' });
});

test('getStatement gives the bytes of a month', async () => {
  answer = { body: Uint8Array.of(37, 80, 68, 70) };
  expect(await trefoil.getStatement('2026-03')).toEqual(Uint8Array.of(37, 80, 68, 70));
  expect(asked).toMatchObject([
    { method: 'GET', url: `/${tenantId}/v1/wallet/statement?month=2026-03`, accept: '*/*' },
  ]);
});

test('withResponse gives the body with what came with it: of a call, of a list and of a file', async () => {
  answer = {
    headers: { 'x-request-id': 'r-1', 'idempotent-replayed': 'true' },
    body: { meta: {}, data: { items: [] } },
  };
  const calls = [trefoil.generate({} as GenerateRequest), trefoil.listReports(), trefoil.listEvents()];
  for (const call of calls) {
    const { body, status, headers, requestId } = await call.withResponse();
    expect({ body, status, requestId }).toEqual({ body: answer.body, status: 200, requestId: 'r-1' });
    expect(headers.get('idempotent-replayed')).toBe('true');
    expect(await call).toBe(body);
  }
  const { body, requestId } = await trefoil.getStatement().withResponse();
  expect([body, requestId]).toEqual([expect.any(Uint8Array), 'r-1']);
});

// A refusal that nobody handles would end the process: the run of the tests fails with one.
test('withResponse is refused as the call is, and the call itself leaves no refusal that nobody handles', async () => {
  answer = { status: 404, body: { code: 'credit-report-not-found', message: 'No.', requestId: 'r' } };
  await expect(trefoil.getReport(creditReportId).withResponse()).rejects.toMatchObject({ status: 404 });
});

test('an error that is printed shows what the answer had, and nothing undefined', async () => {
  answer = { status: 404, body: { code: 'credit-report-not-found', message: 'No.', requestId: 'r' } };
  const refused = await trefoil.getReport(creditReportId).catch((caught: unknown) => caught);
  const getToken = () => new Promise<string>(() => undefined);
  const waiting = createTrefoil({ baseUrl: 'https://trefoil.example.com', tenantId, getToken });
  const lost = await waiting.getWallet({ timeoutMs: 1 }).catch((caught: unknown) => caught);
  expect(inspect(refused)).toContain("requestId: 'r'");
  expect(inspect(lost)).toContain("reason: 'time-limit'");
  for (const error of [refused, lost]) expect(inspect(error)).not.toMatch(/undefined|name:/);
});

test('every refusal is a TrefoilError, that of funds with its two figures', async () => {
  answer = {
    status: 402,
    body: { code: 'insufficient-funds', message: 'No.', requestId: 'r', required: 840, available: 120 },
  };
  const error = await trefoil.exportWalletEntries().catch((caught: unknown) => caught);
  expect(error).toBeInstanceOf(TrefoilError);
  expect(error).toMatchObject({ status: 402, required: 840, available: 120, isInsufficientFunds: true });
  const limit = { kind: 'company-minute', resetsAt: '2026-03-01T09:01:00.000Z' };
  const docs = 'https://trefoil.example.com/docs/errors/sms-limit-reached';
  answer = { status: 429, body: { code: 'sms-limit-reached', message: 'No.', requestId: 'r', docs, limit } };
  const limited = await trefoil.resendSms(creditReportId, { challengeId: 'x' }).catch((caught: unknown) => caught);
  expect(limited).toMatchObject({ status: 429, docs, limit });
  answer = { status: 409, headers: { 'retry-after': '3' }, body: { code: 'request-in-progress', message: 'Wait.' } };
  const wait = await trefoil.getReport(creditReportId, { maxRetries: 0 }).catch((caught: unknown) => caught);
  expect(wait).toMatchObject({ status: 409, code: 'request-in-progress', retryAfterSeconds: 3 });
  const wouldErase = { reports: 2, oldestSettledAt: null, newestSettledAt: null };
  answer = { status: 409, body: { code: 'conflict', message: 'No.', requestId: 'r', wouldErase } };
  const unconfirmed = await trefoil.changeSettings({ retentionDays: 7 }).catch((caught: unknown) => caught);
  expect(unconfirmed).toMatchObject({ status: 409, wouldErase });
});
