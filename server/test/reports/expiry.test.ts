// The five minutes, judged by the database's clock. Tests move the row's times, never a clock.
import { TrefoilError } from '@trefoil/sdk';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startChallenge, startServer, type TestServer } from '../harness.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

async function challengeSentAgo(ago: string) {
  const challenge = await startChallenge(server.trefoil);
  await server.query(
    `update challenges set last_sent_at = clock_timestamp() - $2::interval where credit_report_id = $1`,
    [challenge.creditReportId, ago],
  );
  const submit = (code: string) =>
    server.trefoil.submitOtp(challenge.creditReportId, { challengeId: challenge.challengeId, code });
  const resend = () => server.trefoil.resendSms(challenge.creditReportId, { challengeId: challenge.challengeId });
  return { ...challenge, submit, resend };
}

async function completedAgo(ago: string) {
  const challenge = await challengeSentAgo('0 seconds');
  await challenge.submit('123456');
  await server.query(
    `update challenges set completed_at = clock_timestamp() - $2::interval where credit_report_id = $1`,
    [challenge.creditReportId, ago],
  );
  return challenge;
}

const codeOf = (call: Promise<unknown>) =>
  call.then(
    () => 'none',
    (error) => (error instanceof TrefoilError ? `${error.status} ${error.code}` : String(error)),
  );

test('200 complete: within the five minutes the right code is right', async () => {
  const { submit } = await challengeSentAgo('4 minutes 59 seconds');
  expect((await submit('123456')).data.status).toBe('complete');
});

test('410 challenge-expired: past the five minutes neither code nor resend counts', async () => {
  const { creditReportId, submit, resend } = await challengeSentAgo('5 minutes 1 millisecond');
  expect(await codeOf(submit('123456'))).toBe('410 challenge-expired');
  expect(await codeOf(submit('000000'))).toBe('410 challenge-expired');
  expect(await codeOf(resend())).toBe('410 challenge-expired');
  expect(
    await server.query('select attempts_used, sms_sent_count from challenges where credit_report_id = $1', [
      creditReportId,
    ]),
  ).toEqual([{ attempts_used: 0, sms_sent_count: 1 }]);
});

test('200: a resend starts the five minutes again', async () => {
  const { creditReportId, submit, resend } = await challengeSentAgo('4 minutes 59 seconds');
  await resend();
  const [row] = await server.query<{ age: number }>(
    'select extract(epoch from clock_timestamp() - last_sent_at)::float8 as age from challenges where credit_report_id = $1',
    [creditReportId],
  );
  expect(row?.age).toBeLessThan(60);
  expect((await submit('123456')).data.status).toBe('complete');
});

test('429 sms-limit-reached: a refused resend moves no time', async () => {
  const { creditReportId, resend } = await challengeSentAgo('0 seconds');
  await resend();
  await resend();
  const sentAt = () =>
    server.query('select last_sent_at from challenges where credit_report_id = $1', [creditReportId]);
  const before = await sentAt();
  expect(await codeOf(resend())).toBe('429 sms-limit-reached');
  expect(await sentAt()).toEqual(before);
});

test('200 complete: the completing code replays for ten minutes, past the five of the challenge', async () => {
  const { submit } = await completedAgo('9 minutes 59 seconds');
  expect((await submit('123456')).data.status).toBe('complete');
});

test('409 challenge-closed: after ten minutes the completing code replays no more', async () => {
  const { submit } = await completedAgo('10 minutes 1 second');
  expect(await codeOf(submit('123456'))).toBe('409 challenge-closed');
});

test('409 challenge-closed: three other codes end the replay, although they were refused', async () => {
  const { submit } = await completedAgo('0 seconds');
  for (const code of ['000001', '000002', '000003']) expect(await codeOf(submit(code))).toBe('409 challenge-closed');
  expect(await codeOf(submit('123456'))).toBe('409 challenge-closed');
});
