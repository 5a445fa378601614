// Personal data in the clear nowhere: a made-up consumer goes through every flow, right and wrong, and then nothing of
// them may be found in the database, in Redis, in the log, in the metrics or in any error.
import type { GenerateRequest } from '@trefoil/contract';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { generateBody, startServer, type TestServer } from '../harness.ts';
import { formsOf } from '../support/canaries.ts';
import { dumpDatabase, dumpRedis, readMetrics, watchRedis } from '../support/dump.ts';
import { type Reply, send, type WireRequest } from '../support/wire.ts';

const CANARIES = {
  firstName: 'Quillonette',
  middleName: 'Xanthippa',
  lastName: 'Wrexbottomley',
  title: 'Viscountessa',
  dateOfBirth: '1957-11-23',
  mobileNumber: '+447700900481',
  email: 'quillonette.zz81@canary.example.org',
  postcode: 'ZE3 9JZ',
  buildingName: 'Gryphonstone Lodge',
  buildingNumber: '7319Q',
  thoroughfare: 'Peregrinators Row',
  district: 'Nether Wobblecombe',
  townOrCity: 'Fiddlersham',
  county: 'Ostrichshire',
  externalReference: 'ref-canary-5b1e9d',
  sessionId: 'session-canary-c07d2f',
  ipAddress: '192.0.2.213',
  unknownField: 'unknown-canary-88d4aa',
  code: 'code-canary-41',
  header: 'header-canary-902fd3',
} as const;

/** Other spellings of the same person. */
const SPELLINGS = ['7700900481', 'ZE39JZ', 'zz81@canary', '23/11/1957', '192.0.2.213'];

let server: TestServer;
let redisCommands: string;
const replies: Reply[] = [];
beforeAll(async () => {
  server = await startServer();
  const stopWatching = await watchRedis(server);
  await goThroughEveryFlow();
  redisCommands = await stopWatching();
});
afterAll(() => server.close());

function consumer(changes: Partial<GenerateRequest> = {}): object {
  const { firstName, middleName, lastName, title, dateOfBirth, mobileNumber, email } = CANARIES;
  const { postcode, buildingName, buildingNumber, thoroughfare, district, townOrCity, county } = CANARIES;
  const { externalReference, sessionId, ipAddress, unknownField } = CANARIES;
  const ukAddress = {
    postcode,
    buildingName,
    buildingNumber,
    thoroughfare,
    district,
    townOrCity,
    county,
    unknownField,
  };
  return {
    ...generateBody({ firstName, middleName, lastName, title, dateOfBirth, mobileNumber, email, sessionId, ipAddress }),
    externalReference,
    addresses: [{ type: 'current', ukAddress, [unknownField]: unknownField }],
    unknownField,
    [unknownField]: { nested: Object.values(CANARIES) },
    ...changes,
  };
}

async function call(request: Partial<WireRequest> & { json?: unknown }): Promise<Reply> {
  const reply = await send(server.baseUrl, {
    method: 'POST',
    path: `/${server.demo.tenantId}/v1/credit-reports`,
    body: 'json' in request ? JSON.stringify(request.json) : undefined,
    ...request,
    headers: {
      authorization: `Bearer ${await server.trefoil.getToken()}`,
      'content-type': 'application/json',
      'user-agent': CANARIES.header,
      'x-request-id': CANARIES.header,
      'x-forwarded-for': CANARIES.ipAddress,
      cookie: `canary=${CANARIES.header}`,
      ...request.headers,
    },
  });
  replies.push(reply);
  return reply;
}

async function expectStatus(status: number, request: Parameters<typeof call>[0]): Promise<Reply> {
  const reply = await call(request);
  expect(reply.status, reply.text).toBe(status);
  return reply;
}

async function goThroughEveryFlow(): Promise<void> {
  for (const key of [undefined, CANARIES.header]) await goThroughReports(key ? { 'idempotency-key': key } : {});
  await goThroughRefusals();
  await goThroughTokens();
}

async function goThroughReports(headers: Record<string, string>): Promise<void> {
  const withOptions = (status: 'allow' | 'challenge' | 'block') => consumer({ challengeOptions: { status } });
  await expectStatus(200, { json: withOptions('allow'), headers });
  if ('idempotency-key' in headers) await expectStatus(422, { json: withOptions('block'), headers });
  const suffixed = (suffix: string): Record<string, string> =>
    headers['idempotency-key'] ? { 'idempotency-key': `${headers['idempotency-key']}-${suffix}` } : {};
  await expectStatus(200, { json: withOptions('block'), headers: suffixed('block') });
  const started = await expectStatus(200, { json: withOptions('challenge'), headers: suffixed('challenge') });
  const { creditReportId, challenge } = JSON.parse(started.text).data;
  const at = (verb: string) => `/${server.demo.tenantId}/v1/credit-reports/${creditReportId}/${verb}`;
  const { challengeId } = challenge;
  const { unknownField } = CANARIES;
  await expectStatus(200, { path: at('otp-challenge'), json: { challengeId, code: CANARIES.code, unknownField } });
  await expectStatus(200, { path: at('resend-sms'), json: { challengeId, unknownField }, headers: suffixed('resend') });
  await expectStatus(200, { path: at('resend-sms'), json: { challengeId } });
  await expectStatus(429, { path: at('resend-sms'), json: { challengeId } });
  await expectStatus(200, {
    path: at('otp-challenge'),
    json: { challengeId, code: '123456' },
    headers: suffixed('otp'),
  });
  await expectStatus(200, {
    path: at('otp-challenge'),
    json: { challengeId, code: '123456' },
    headers: suffixed('otp'),
  });
  await expectStatus(409, { path: at('otp-challenge'), json: { challengeId, code: CANARIES.code } });
  const evidence = await expectStatus(200, { method: 'GET', path: at('evidence') });
  await expectStatus(200, {
    method: 'GET',
    path: `/v/${JSON.parse(evidence.text).data.evidenceId}?${CANARIES.header}`,
  });
  const list = `/${server.demo.tenantId}/v1/credit-reports`;
  const byReference = `externalReference=${CANARIES.externalReference}`;
  const listed = await expectStatus(200, { method: 'GET', path: `${list}?${byReference}&test=true&from=2026-01-01` });
  expect(listed.text).toContain(`"externalReference":"${CANARIES.externalReference}"`);
  await expectStatus(200, { method: 'GET', path: `${list}/counts?${byReference}` });
  await expectStatus(200, { method: 'GET', path: at('timeline') });
  for (const format of ['html', 'pdf']) {
    await expectStatus(200, { method: 'GET', path: `${at('document')}?format=${format}` });
  }
  await expectStatus(503, { json: { ...consumer(), test: false }, headers: suffixed('live') });
  await goThroughTestTools(at('test-clock'), suffixed);
}

async function goThroughTestTools(clock: string, suffixed: (suffix: string) => Record<string, string>): Promise<void> {
  const { unknownField } = CANARIES;
  const failing = { outcome: 'failed', reason: 'country-not-allowed', [unknownField]: Object.values(CANARIES) };
  await expectStatus(200, { json: { ...consumer(), testOptions: failing }, headers: suffixed('failing') });
  await expectStatus(402, { json: { ...consumer(), testOptions: { outcome: 'insufficient-credits' } } });
  await expectStatus(400, { json: { ...consumer(), testOptions: { outcome: CANARIES.lastName } } });
  await expectStatus(200, { path: clock, json: { advanceSeconds: 1, unknownField }, headers: suffixed('clock') });
  await expectStatus(200, { path: `/${server.demo.tenantId}/v1/credit-reports/quote`, json: consumer() });
  await expectStatus(200, { method: 'GET', path: `/${server.demo.tenantId}/v1/test/inbox` });
}

async function goThroughRefusals(): Promise<void> {
  const values = Object.values(CANARIES);
  // Every canary in the place of every field, as a wrong value and as a wrong type.
  for (const field of Object.keys(
    generateBody({ email: '', mobileNumber: '', gender: 'F', challengeOptions: { status: 'allow' } }),
  )) {
    await call({ json: { ...consumer(), [field]: values } });
    await call({ json: { ...consumer(), [field]: values.join(' ').repeat(6) } });
    await call({ json: { ...consumer(), [field]: { [CANARIES.header]: CANARIES.lastName } } });
  }
  await expectStatus(400, { body: `{"firstName":"${CANARIES.firstName}",${CANARIES.lastName}` });
  await expectStatus(400, { body: `${CANARIES.email}` });
  await expectStatus(415, { body: values.join('&'), headers: { 'content-type': `text/${CANARIES.header}` } });
  await expectStatus(415, { json: consumer(), headers: { 'content-encoding': CANARIES.header } });
  await expectStatus(413, { body: values.join(' ').repeat(1_000) });
  const escaped = values.map(encodeURIComponent).join('/');
  const query = values.map(encodeURIComponent).join('&');
  await expectStatus(404, { path: `/${escaped}?${query}`, json: consumer() });
  await expectStatus(403, {
    path: `/${encodeURIComponent(CANARIES.email)}/v1/credit-reports?${query}`,
    json: consumer(),
  });
  await expectStatus(405, {
    method: 'PUT',
    path: `/${CANARIES.lastName}/v1/credit-reports?${query}`,
    json: consumer(),
  });
  await expectStatus(404, { path: `/%ff${escaped}`, json: consumer() });
  const report = `/${server.demo.tenantId}/v1/credit-reports/${CANARIES.lastName}`;
  await expectStatus(404, { path: `${report}/resend-sms?${query}`, json: { challengeId: CANARIES.lastName } });
  await expectStatus(404, {
    path: `${report}/otp-challenge`,
    json: { challengeId: CANARIES.email, code: CANARIES.code },
  });
  await expectStatus(401, { json: consumer(), headers: { authorization: `Bearer ${CANARIES.lastName}` } });
  await expectStatus(400, { json: consumer(), headers: { 'idempotency-key': `${CANARIES.header}${'x'.repeat(255)}` } });
  await expectStatus(403, { path: '/v1/my/tenants/select', json: { tenantId: CANARIES.lastName } });
  // A report that cannot be opened: the failure is logged, with nothing of what it was about.
  const body = { json: consumer(), headers: { 'idempotency-key': 'broken' } };
  const { creditReportId } = JSON.parse((await expectStatus(200, body)).text).data;
  await server.query(`update credit_reports set sealed_report = '' where id = $1`, [creditReportId]);
  await expectStatus(500, body);
}

async function goThroughTokens(): Promise<void> {
  const form = { path: '/v1/oauth/token', headers: { 'content-type': 'application/x-www-form-urlencoded' } };
  const fields = ['grant_type', 'client_id', 'client_secret', 'scope', 'resource', 'client_assertion', CANARIES.header];
  const basic = Buffer.from(`${server.demo.clientId}:${server.demo.clientSecret}`).toString('base64');
  for (const field of fields) {
    const body = new URLSearchParams({ grant_type: 'client_credentials', [field]: CANARIES.lastName }).toString();
    await call({ ...form, body, headers: { ...form.headers, authorization: `Basic ${basic}` } });
    await call({
      ...form,
      body: `${body}&client_id=${CANARIES.header}&client_secret=${CANARIES.header}`,
      headers: { ...form.headers, authorization: '' },
    });
  }
}

const searched = [...Object.values(CANARIES), ...SPELLINGS].flatMap((value) =>
  formsOf(value).map((form) => ({ value, form })),
);

function find(text: string): string[] {
  return searched.filter(({ form }) => text.includes(form)).map(({ value, form }) => `${value} as ${form}`);
}

test('nothing of the consumer is in the database', async () => {
  const dump = await dumpDatabase(server);
  expect(dump).toContain('INSERT INTO public.credit_reports');
  expect(find(dump)).toEqual([]);
});

test('nothing of the consumer is in Redis', async () => {
  const dump = await dumpRedis(server);
  expect(dump).toContain('failures:address:');
  expect(find(dump)).toEqual([]);
  // Most keys live for milliseconds, so the commands that made them are searched as well.
  expect(redisCommands).toContain('rate:tenant:');
  expect(find(redisCommands)).toEqual([]);
});

test('nothing of the consumer is in the log', () => {
  expect(server.logText()).toContain('request failed');
  expect(find(server.logText())).toEqual([]);
});

test('nothing of the consumer is in the metrics', async () => {
  const metrics = await readMetrics(server);
  expect(metrics).toContain('trefoil_http_request_duration_seconds_count');
  expect(find(metrics)).toEqual([]);
});

test('nothing of the consumer is in an error or in any header of an answer', () => {
  const refusals = replies.filter(({ status }) => status >= 400);
  expect(new Set(refusals.map(({ status }) => status))).toEqual(
    new Set([400, 401, 402, 403, 404, 405, 409, 413, 415, 422, 429, 500, 503]),
  );
  for (const reply of refusals) expect(find(reply.text), reply.text).toEqual([]);
  for (const { headers } of replies) expect(find(JSON.stringify(headers))).toEqual([]);
});

test('the search has teeth: each form of a planted value is found', async () => {
  const planted = formsOf(CANARIES.lastName);
  await server.query('create table planted (value text, bytes bytea)');
  const redis = new Redis(server.environment['TREFOIL_REDIS_URL'] ?? '');
  const key = `${server.environment['TREFOIL_REDIS_PREFIX']}planted`;
  try {
    for (const form of planted) {
      await server.query('insert into planted values ($1, null)', [`a ${form} z`]);
      expect(find(await dumpDatabase(server)), form).not.toEqual([]);
      await server.query('delete from planted');
    }
    await server.query('insert into planted values (null, $1)', [Buffer.from(`\0${CANARIES.lastName}\0`)]);
    expect(find(await dumpDatabase(server))).not.toEqual([]);
    await redis.set(key, JSON.stringify({ name: CANARIES.lastName }));
    expect(find(await dumpRedis(server))).not.toEqual([]);
  } finally {
    await redis.del(key);
    redis.disconnect();
    await server.query('drop table planted');
  }
});
