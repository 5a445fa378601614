// The clock of a test report: it moves forward, under the report's lock, and only for test reports.
import type { TrefoilError } from '@trefoil/sdk';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectSince } from '../../../../tools/testing/expect-since.ts';
import { generateBody, startChallenge } from '../../harness.ts';
import { type LiveServer, liveBody, startLiveServer } from '../../support/live.ts';

let server: LiveServer;
beforeAll(async () => {
  server = await startLiveServer();
});
afterAll(() => server.close());

const codeOf = (call: Promise<unknown>) =>
  call.then(
    () => 'none',
    (error: TrefoilError) => `${error.status} ${error.code}`,
  );

async function open() {
  const { creditReportId, challengeId } = await startChallenge(server.trefoil);
  return {
    creditReportId,
    challengeId,
    submit: (code: string) => server.trefoil.submitOtp(creditReportId, { challengeId, code }),
    resend: () => server.trefoil.resendSms(creditReportId, { challengeId }),
    advance: async (seconds: number, idempotencyKey?: string) =>
      (await server.trefoil.advanceTestClock(creditReportId, seconds, idempotencyKey ? { idempotencyKey } : {})).data,
  };
}

test('410 challenge-expired: after 301 seconds of its own, for codes and resends; the report reads as failed', async () => {
  const { creditReportId, advance, submit, resend } = await open();
  const [before, listed] = [await server.trefoil.getReport(creditReportId), await server.trefoil.listReports()];
  expect(await advance(301)).toEqual({ creditReportId, status: 'failed', expiresInSeconds: null });
  expect(await codeOf(submit('123456'))).toBe('410 challenge-expired');
  expect(await codeOf(resend())).toBe('410 challenge-expired');
  const { data } = await server.trefoil.getReport(creditReportId);
  expect(data).toMatchObject({
    status: 'failed',
    errorMessage: 'The challenge has expired. Generate a new report to start again.',
    createdAt: before.data.createdAt,
  });
  const statusIn = (page: typeof listed) =>
    page.data.items.find((item) => item.creditReportId === creditReportId)?.status;
  expect(statusIn(listed)).toBe('authentication-required');
  expect(statusIn(await server.trefoil.listReports())).toBe('failed');
});

test('200: steps add up; a resend starts the five minutes again; messages keep their times', async () => {
  const beforeMs = Date.now();
  const { creditReportId, advance, submit, resend } = await open();
  const first = await advance(200);
  expect(first.status).toBe('authentication-required');
  expect(first.expiresInSeconds).toBeGreaterThanOrEqual(90);
  expect(first.expiresInSeconds).toBeLessThanOrEqual(100);
  await resend();
  const second = await advance(200);
  expect(second.expiresInSeconds).toBeGreaterThan(80);
  const { data } = await server.trefoil.getReport(creditReportId);
  if (data.status !== 'authentication-required') throw new Error(data.status);
  expect(data.challenge.sends).toHaveLength(2);
  for (const { sentAt } of data.challenge.sends) expectSince(beforeMs, sentAt);
  expect((await submit('123456')).data.status).toBe('complete');
});

test('409 challenge-closed: after 601 seconds the right code gets the completed report no more', async () => {
  const { advance, submit } = await open();
  await submit('123456');
  expect(await advance(590)).toMatchObject({ status: 'complete', expiresInSeconds: null });
  expect((await submit('123456')).data.status).toBe('complete');
  await advance(11);
  expect(await codeOf(submit('123456'))).toBe('409 challenge-closed');
});

test('an Idempotency-Key moves the clock once', async () => {
  const { advance, submit } = await open();
  const answers = [await advance(200, 'once'), await advance(200, 'once')];
  expect(answers[1]).toEqual(answers[0]);
  expect((await submit('123456')).data.status).toBe('complete');
});

test('a generate key is free again once its challenge has expired by the clock', async () => {
  const ask = async () => {
    const body = generateBody({ challengeOptions: { status: 'challenge' } });
    return (await server.trefoil.generate(body, { idempotencyKey: 'expires' })).data.creditReportId;
  };
  const first = await ask();
  expect(await ask()).toBe(first);
  await server.trefoil.advanceTestClock(first, 301);
  expect(await ask()).not.toBe(first);
});

test.each([0, -1, 1.5, 86_401, '60', null, undefined])(
  '400 validation-error: advanceSeconds %j',
  async (advanceSeconds) => {
    const { creditReportId } = await open();
    const error = await server.trefoil.advanceTestClock(creditReportId, advanceSeconds as number).catch((each) => each);
    expect(error).toMatchObject({ status: 400, details: [{ path: '/advanceSeconds' }] });
  },
);

test('200: a whole day at a time, as often as you like', async () => {
  const { advance } = await open();
  for (let day = 0; day < 5; day += 1) expect((await advance(86_400)).status).toBe('failed');
});

test('409 conflict: a report without a challenge has no clock', async () => {
  for (const status of ['allow', 'block'] as const) {
    const { data } = await server.trefoil.generate(generateBody({ challengeOptions: { status } }));
    expect(await codeOf(server.trefoil.advanceTestClock(data.creditReportId, 1))).toBe('409 conflict');
  }
});

test('404 credit-report-not-found alike: a live report, an unknown one, another tenant’s, no UUID; nothing moves', async () => {
  await server.fund(server.demo.tenantId, 10_000);
  const live = (await server.trefoil.generate(liveBody(server.mintSession()))).data.creditReportId;
  const { creditReportId } = await open();
  const times = () => server.query('select last_sent_at, completed_at, due_at from challenges order by id');
  const before = await times();
  const errors = await Promise.all([
    server.trefoil.advanceTestClock(live, 301).catch((error) => error),
    server.trefoil.advanceTestClock('01890000-0000-7000-8000-000000000000', 301).catch((error) => error),
    server.otherTrefoil.advanceTestClock(creditReportId, 301).catch((error) => error),
    server.trefoil.advanceTestClock('not-a-uuid', 301).catch((error) => error),
  ]);
  for (const { status, code, message } of errors) {
    expect([status, code]).toEqual([404, 'credit-report-not-found']);
    expect(message).toMatch(/^No test report with this id\./);
  }
  expect(await times()).toEqual(before);
});

test('races: two moves of the clock and a right code at once, forty times: complete or expired, never anything else', async () => {
  await Promise.all(
    Array.from({ length: 40 }, async () => {
      const { creditReportId, advance, submit } = await open();
      const [one, two, code] = await Promise.all([
        advance(151),
        advance(151),
        submit('123456').then(
          ({ data }) => data.status,
          (error: TrefoilError) => `${error.status} ${error.code}`,
        ),
      ]);
      expect(['complete', '410 challenge-expired']).toContain(code);
      // Both moves count, whatever their order, and each saw either the open challenge or what the code made of it.
      const [row] = await server.query<{ age: number; status: string }>(
        `select extract(epoch from clock_timestamp() - last_sent_at)::float8 as age, status
           from challenges join credit_reports on credit_reports.id = credit_report_id where credit_report_id = $1`,
        [creditReportId],
      );
      expect(row?.age).toBeGreaterThan(302);
      // The job may have ended it meanwhile.
      expect(code === 'complete' ? ['complete'] : ['challenged', 'expired']).toContain(row?.status);
      const shown = [one.status, two.status].toSorted();
      if (code !== 'complete') expect(shown).toEqual(['authentication-required', 'failed']);
      // Beside the other races: a read waits its turn for the head of the audit log.
      const { data } = await server.trefoil.getReport(creditReportId);
      expect(data.status).toBe(code === 'complete' ? 'complete' : 'failed');
    }),
  );
});
