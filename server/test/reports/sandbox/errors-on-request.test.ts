// The errors that a test request asks for, each held against what live mode sends (docs/decisions/0284-errors-on-request.md).
import { type GenerateRequest, SCOPES, type TestOutcome } from '@trefoil/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../../../../tools/testing/eventually.ts';
import { busy, tooLate } from '../../../src/lib/errors.ts';
import { generateBody, startChallenge, startServer, type TestServer } from '../../harness.ts';
import { addPerson, type CallReply, callAs } from '../../support/people.ts';

let server: TestServer;
let reports: string;
let machine: { token: string };
beforeAll(async () => {
  server = await startServer();
  reports = `/${server.demo.tenantId}/v1/credit-reports`;
  machine = { token: await server.trefoil.getToken() };
});
afterAll(() => server.close());

const CHALLENGE: Partial<GenerateRequest> = {
  challengeOptions: { status: 'challenge' },
  mobileNumber: '+447700900123',
};
const ask = (outcome: TestOutcome, { key, ...changes }: Partial<GenerateRequest> & { key?: string } = {}) => {
  const headers = key === undefined ? undefined : { 'idempotency-key': key };
  return callAs(server, machine, 'POST', reports, generateBody({ ...changes, testOptions: { outcome } }), headers);
};

const bodyOf = ({ reply }: CallReply) => JSON.parse(reply.text) as Record<string, unknown>;
const countReports = async () => (await server.query('select id from credit_reports')).length;

/** The whole body of an error. */
const bodyWith = (code: string, message: string) => ({
  code,
  message,
  requestId: expect.any(String),
  docs: `${server.baseUrl}/docs/errors/${code}`,
});

test('503 service-unavailable without creditReportId: as from a busy node, no report, and the key stays free', async () => {
  const before = await countReports();
  const refused = await ask('service-unavailable', { key: 'busy' });
  expect([refused.status, bodyOf(refused)]).toEqual([503, bodyWith('service-unavailable', busy().message)]);
  expect(refused.reply.headers['retry-after']).toBe(busy().headers['retry-after']);
  expect(await countReports()).toBe(before);
  const { data } = await server.trefoil.generate(generateBody(), { idempotencyKey: 'busy' });
  expect(data.status).toBe('complete');
});

test('503 service-unavailable with creditReportId: as at the deadline; the report is there, and its key gets it', async () => {
  const late = await ask('service-unavailable-with-report', { key: 'late' });
  const { creditReportId, ...body } = bodyOf(late) as { creditReportId: string };
  expect([late.status, body]).toEqual([503, bodyWith('service-unavailable', tooLate().message)]);
  expect(late.reply.headers['retry-after']).toBe(tooLate().headers['retry-after']);
  expect((await server.trefoil.getReport(creditReportId)).data.status).toBe('complete');
  const again = await ask('service-unavailable-with-report', { key: 'late' });
  expect([again.status, again.reply.headers['idempotent-replayed']]).toEqual([200, 'true']);
  expect(again.data).toMatchObject({ status: 'complete', creditReportId });
});

test('503 with creditReportId in the branch challenge: the repeated request gets the challenge, and its code works', async () => {
  const late = await ask('service-unavailable-with-report', { key: 'late-challenge', ...CHALLENGE });
  const { creditReportId } = bodyOf(late) as { creditReportId: string };
  const { data } = await ask('service-unavailable-with-report', { key: 'late-challenge', ...CHALLENGE });
  expect(data).toMatchObject({ status: 'authentication-required', creditReportId });
  const { challengeId } = data['challenge'] as { challengeId: string };
  const done = await server.trefoil.submitOtp(creditReportId, { challengeId, code: '123456' });
  expect(done.data.status).toBe('complete');
});

test('500 internal-error: the body of any 500, without Retry-After, and no report', async () => {
  const before = await countReports();
  const refused = await ask('internal-error');
  const sentence = 'A fault on our side. Quote the requestId when you report it.';
  expect([refused.status, bodyOf(refused)]).toEqual([500, bodyWith('internal-error', sentence)]);
  expect(refused.reply.headers['retry-after']).toBeUndefined();
  expect(await countReports()).toBe(before);
});

test('403 step-up-required: to the letter what a person with an old second factor gets, and no report', async () => {
  const before = await countReports();
  const stale = await addPerson(server, server.demo.tenantId, 'owner', { secondFactorAgoMs: 601_000 });
  const path = `/${server.demo.tenantId}/v1/credentials`;
  const real = await callAs(server, stale, 'POST', path, { name: 'x', scopes: SCOPES });
  const asked = await ask('step-up-required');
  const shapeOf = (call: CallReply) => {
    const { requestId: _, ...body } = bodyOf(call);
    return [call.status, body, call.reply.headers['www-authenticate']];
  };
  expect(real.code).toBe('step-up-required');
  expect(shapeOf(asked)).toEqual(shapeOf(real));
  expect(await countReports()).toBe(before);
});

test('410 credit-report-purged: generate answers, then the report is erased for reads, documents, evidence and its key', async () => {
  const made = await ask('credit-report-purged', { key: 'erased' });
  expect([made.status, made.data['status']]).toEqual([200, 'complete']);
  const { creditReportId } = made.data as { creditReportId: string };
  for (const path of ['', '/document', '/evidence']) {
    const read = await callAs(server, machine, 'GET', `${reports}/${creditReportId}${path}`);
    expect([path, read.status, read.code]).toEqual([path, 410, 'credit-report-purged']);
  }
  expect(await ask('credit-report-purged', { key: 'erased' })).toMatchObject({ code: 'credit-report-purged' });
  const [row] = await server.query(
    `select purged_at is not null as purged, length(sealed_request) + coalesce(length(sealed_report), 0) as sealed,
            (select count(*)::int from data_keys where credit_report_id = id) as keys
       from credit_reports where id = $1`,
    [creditReportId],
  );
  expect(row).toEqual({ purged: true, sealed: 0, keys: 0 });
});

test('410 credit-report-purged at codes, right or wrong, and at resends, as in live mode: nothing is counted', async () => {
  const { creditReportId, challengeId } = await startChallenge(server.trefoil, {
    ...CHALLENGE,
    testOptions: { outcome: 'credit-report-purged' },
  });
  const purged = { status: 410, code: 'credit-report-purged' };
  for (const code of ['000000', '123456']) {
    await expect(server.trefoil.submitOtp(creditReportId, { challengeId, code })).rejects.toMatchObject(purged);
  }
  await expect(server.trefoil.resendSms(creditReportId, { challengeId })).rejects.toMatchObject(purged);
  const [row] = await server.query('select attempts_used, sms_sent_count from challenges where id = $1', [challengeId]);
  expect(row).toEqual({ attempts_used: 0, sms_sent_count: 1 });
});

test('a 5xx on request is in no metric of failed requests, so it fires no alert; the log tells it from a fault', async () => {
  await ask('internal-error');
  await ask('service-unavailable');
  await ask('service-unavailable-with-report');
  await ask('rate-limited');
  const route = 'method="POST",route="/:tenantId/v1/credit-reports"';
  const name = 'trefoil_http_request_duration_seconds_count';
  // Counted once the answer is sent.
  await eventually(async () => {
    const lines = (await (await fetch(server.metricsAddress)).text()).split('\n');
    expect(lines.filter((line) => /seconds_count.*status="(5..|429)"/.test(line)).toSorted()).toEqual([
      `${name}{${route},status="429"} 1`,
      `${name}{${route},status="500"} 0`,
      `${name}{${route},status="503"} 0`,
    ]);
  });
  expect(server.logText()).toContain('"msg":"request asked to fail"');
  expect(server.logText()).not.toContain('"msg":"request failed"');
});
