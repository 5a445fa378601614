// Small traps that a new client falls into, each with an answer that helps it out (docs/decisions/0158-hints.md).
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { generateBody, startChallenge, startServer, type TestServer } from '../harness.ts';
import { readError, send } from '../support/wire.ts';

let server: TestServer;
let token: string;
beforeAll(async () => {
  server = await startServer();
  token = await server.trefoil.getToken();
});
afterAll(() => server.close());

const call = (method: string, path: string, body?: object, headers: Record<string, string> = {}) =>
  send(server.baseUrl, {
    method,
    path,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body && { 'content-type': 'application/json' }),
      ...headers,
    },
    body: body && JSON.stringify(body),
  });

test('409: once three wrong codes have ended the replay, the right code does not hear of another code', async () => {
  const { creditReportId, challengeId } = await startChallenge(server.trefoil);
  const submit = (code: string) =>
    call('POST', `/${server.demo.tenantId}/v1/credit-reports/${creditReportId}/otp-challenge`, { challengeId, code });
  expect((await submit('123456')).status).toBe(200);
  for (const code of ['000001', '000002', '000003']) {
    expect(readError(await submit(code)).message).toMatch(/answered with another code/);
  }
  const { code, message } = readError(await submit('123456'));
  expect(code).toBe('challenge-closed');
  expect(message).toMatch(/no longer.*Read the report by its id/);
  expect(message).not.toMatch(/another code/);
  // A wrong one hears the same: the answer does not tell which was right.
  expect(readError(await submit('000004')).message).toBe(message);
});

test.each(['Basic dXNlcjpwYXNz', 'Token abc', 'Digest username="x"'])(
  '401: the scheme of %s is told from a token that has expired',
  async (authorization) => {
    const { message } = readError(await call('GET', '/v1/my/profile', undefined, { authorization }));
    expect(message).toMatch(/Bearer/);
    expect(message).toMatch(/\/v1\/oauth\/token/);
    expect(message).not.toMatch(/expired/);
  },
);

test('401: a bearer token that is not good is still called invalid or expired', async () => {
  const reply = await call('GET', '/v1/my/profile', undefined, { authorization: 'Bearer x' });
  expect(readError(reply).message).toMatch(/not valid or has expired/);
});

test('upper-case ids are ids: in the path, in the body and in the query', async () => {
  const tenantId = server.demo.tenantId.toUpperCase();
  const challenge = await startChallenge(server.trefoil);
  const [creditReportId, challengeId] = [challenge.creditReportId.toUpperCase(), challenge.challengeId.toUpperCase()];
  const reports = `/${tenantId}/v1/credit-reports`;
  expect((await call('POST', `${reports}/${creditReportId}/resend-sms`, { challengeId })).status).toBe(200);
  const done = await call('POST', `${reports}/${creditReportId}/otp-challenge`, { challengeId, code: '123456' });
  expect(done.status, done.text).toBe(200);
  // Answers name it as it was given out.
  expect(JSON.parse(done.text).data.creditReportId).toBe(challenge.creditReportId);
  expect((await call('GET', `${reports}/${creditReportId}`)).status).toBe(200);
  expect((await call('POST', '/v1/my/tenants/select', { tenantId })).status).toBe(200);
  expect((await call('GET', `/${tenantId}/v1/wallet/entries?creditReportId=${creditReportId}`)).status).toBe(200);
  const [read] = await server.query<{ subject_id: string }>(
    `select subject_id from audit_log where action = 'report.read' and subject_id = $1`,
    [challenge.creditReportId],
  );
  expect(read).toBeDefined();
});

test('upper-case ids of others and unknown ones stay unknown', async () => {
  const foreign = await startChallenge(server.otherTrefoil);
  for (const id of [foreign.creditReportId, randomUUID()]) {
    const reply = await call('GET', `/${server.demo.tenantId}/v1/credit-reports/${id.toUpperCase()}`);
    expect([reply.status, readError(reply).code]).toEqual([404, 'credit-report-not-found']);
  }
  const reply = await call('GET', `/${server.other.tenantId.toUpperCase()}/v1/wallet`);
  expect([reply.status, readError(reply).code]).toEqual([403, 'forbidden']);
});

test('404 not-found: a slash at the end gets a hint where the address exists without it, and nowhere else', async () => {
  const { tenantId } = server.demo;
  for (const path of [
    '/v1/my/profile/',
    `/${tenantId}/v1/credit-reports/`,
    `/${tenantId}/v1/wallet/?x=1`,
    '/livez//',
  ]) {
    const reply = await call('GET', path);
    expect([reply.status, readError(reply).message]).toEqual([
      404,
      expect.stringMatching(/without the slash at its end/),
    ]);
  }
  const posted = await call('POST', `/${tenantId}/v1/credit-reports/`, generateBody());
  expect([posted.status, readError(posted).message]).toEqual([404, expect.stringMatching(/without the slash/)]);
  for (const path of ['/v1/nothing/', '/v1/nothing', '/']) {
    const reply = await call('GET', path);
    if (reply.status === 404) expect(readError(reply).message).not.toMatch(/slash/);
  }
});

test('200: an actor in capitals is the same actor', async () => {
  await call(
    'GET',
    `/${server.demo.tenantId}/v1/credit-reports/${(await startChallenge(server.trefoil)).creditReportId}`,
  );
  const list = async (actor: string) => (await server.trefoil.listAudit({ actor })).data.items.length;
  const { actor } = (await server.trefoil.listAudit()).data.items.find((item) =>
    /^[0-9a-f-]{36}$/.test(item.actor),
  ) ?? {
    actor: '',
  };
  expect(await list(actor)).toBeGreaterThan(0);
  expect(await list(actor.toUpperCase())).toBe(await list(actor));
});

test('404 not-found: a path without its tenant is told where the tenant’s id belongs', async () => {
  for (const path of ['/v1/credit-reports', '/v1/wallet']) {
    const reply = await call('GET', path);
    expect([reply.status, readError(reply).message]).toEqual([
      404,
      expect.stringMatching(/tenant’s id: \/\{tenantId\}/),
    ]);
  }
});

test('400: the fault of a phone number shows the form that is wanted', async () => {
  const reply = await call(
    'POST',
    `/${server.demo.tenantId}/v1/credit-reports`,
    generateBody({ mobileNumber: '07700 900123' }),
  );
  const { details } = readError(reply) as unknown as { details: { path: string; message: string }[] };
  expect(details).toEqual([{ path: '/mobileNumber', message: expect.stringMatching(/\+447700900123.*07700 900123/) }]);
});

test('400: a body that is missing or no object is told so, and not that it is invalid', async () => {
  const path = `/${server.demo.tenantId}/v1/credit-reports`;
  const post = async (headers: Record<string, string>, body?: string) => {
    const authorization = `Bearer ${token}`;
    const reply = await send(server.baseUrl, { method: 'POST', path, headers: { authorization, ...headers }, body });
    return [reply.status, readError(reply)] as const;
  };
  const json = { 'content-type': 'application/json' };
  for (const [headers, body] of [
    [{}, undefined],
    [json, undefined],
    [json, ''],
    [json, '  '],
  ] as const) {
    expect(await post(headers, body)).toEqual([
      400,
      expect.objectContaining({
        message: 'The request has no body.',
        details: [{ path: '', message: 'Send a JSON object as the body, with Content-Type: application/json.' }],
      }),
    ]);
  }
  for (const body of ['null', '[]', '"text"']) {
    const details = [{ path: '', message: 'Send a JSON object as the body.' }];
    expect(await post(json, body)).toEqual([400, expect.objectContaining({ details })]);
  }
});

test('400: a query parameter that was sent twice is told so', async () => {
  for (const [query, name] of [
    ['limit=2&limit=3', 'limit'],
    ['externalReference=a&externalReference=b', 'externalReference'],
    ['status=complete&status=failed', 'status'],
  ]) {
    const reply = await call('GET', `/${server.demo.tenantId}/v1/credit-reports?${query}`);
    const { details } = readError(reply) as unknown as { details: object[] };
    expect([reply.status, details]).toEqual([
      400,
      [{ path: `/query/${name}`, message: 'Send this parameter only once.' }],
    ]);
  }
});

test('400 and 401 at the token endpoint: the message says what to correct, as a sentence', async () => {
  const { clientId, clientSecret } = server.demo;
  const basic = (secret: string) => ({
    authorization: `Basic ${Buffer.from(`${clientId}:${secret}`).toString('base64')}`,
  });
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  for (const [headers, body, status, words] of [
    [{ ...form, ...basic('wrong') }, 'grant_type=client_credentials', 401, /client id and the secret/],
    [{ ...form, ...basic(clientSecret) }, '', 400, /grant_type is missing/],
    [{ ...form, ...basic(clientSecret) }, 'grant_type=password', 400, /grant_type .*client_credentials/],
    [form, 'grant_type=client_credentials', 400, /client id and secret by HTTP Basic/],
    [{ ...basic(clientSecret), 'content-type': 'application/json' }, '{}', 400, /application\/x-www-form-urlencoded/],
  ] as const) {
    const reply = await send(server.baseUrl, { method: 'POST', path: '/v1/oauth/token', headers, body });
    const { message, error_description: description } = JSON.parse(reply.text);
    expect([reply.status, message]).toEqual([status, expect.stringMatching(words)]);
    // RFC 6749, 5.2: these characters alone. A sentence of ours begins with a capital and ends with a full stop.
    expect(description).toMatch(/^[A-Z][\x20-\x21\x23-\x5b\x5d-\x7e]*\.$/);
    expect(description).toBe(message);
  }
});
