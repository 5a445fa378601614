// Limits under fire: two nodes on one database, hundreds of parallel requests on one challenge.

import { createTrefoil, type Trefoil, TrefoilError } from '@trefoil/sdk';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isUuid } from '../../src/lib/ids.ts';
import { CLIENT, generateBody, startChallenge, startServer, type TestServer } from '../harness.ts';
import { expectThreeJudged, grave } from '../support/grave.ts';

let server: TestServer;
let nodes: Trefoil[];
let secondNode: { baseUrl: string; close(): Promise<void> };
beforeAll(async () => {
  server = await startServer();
  secondNode = await server.startNode();
  nodes = [server.trefoil, createTrefoil({ ...CLIENT, ...server.demo, baseUrl: secondNode.baseUrl })];
});
afterAll(async () => {
  await secondNode.close();
  await server.close();
});

/** The same call many times at once, spread over the nodes; refusals come back as their code. */
function inParallel<T>(times: number, call: (trefoil: Trefoil, index: number) => Promise<T>): Promise<(T | string)[]> {
  return Promise.all(
    Array.from({ length: times }, (_, index) =>
      call(nodes[index % nodes.length] ?? server.trefoil, index).catch((error) => {
        if (error instanceof TrefoilError) return error.code;
        throw error;
      }),
    ),
  );
}

function count(values: readonly string[]): Record<string, number> {
  return Object.fromEntries(
    [...new Set(values)].toSorted().map((value) => [value, values.filter((v) => v === value).length]),
  );
}

const counters = (creditReportId: string) =>
  server.query<{ attempts_used: number; sms_sent_count: number; status: string }>(
    `select attempts_used, sms_sent_count, status from challenges join credit_reports
       on credit_reports.id = challenges.credit_report_id where credit_report_id = $1`,
    [creditReportId],
  );

test('200 parallel wrong codes: exactly two retries, then failed, never a fourth judged', async () => {
  const { creditReportId, challengeId } = await startChallenge(server.trefoil);
  const answers = await inParallel(200, async (trefoil) => {
    const { data } = await trefoil.submitOtp(creditReportId, { challengeId, code: '000000' });
    return data.status === 'retry' ? `retry ${data.attemptsRemaining}` : data.status;
  });
  await expectThreeJudged(answers);
  expect(count(answers)).toEqual({ 'retry 1': 1, 'retry 2': 1, failed: 198 });
  expect(await counters(creditReportId)).toEqual([{ attempts_used: 3, sms_sent_count: 1, status: 'failed' }]);
});

test('200 parallel codes, one of them right: never more than three judged', async () => {
  const { creditReportId, challengeId } = await startChallenge(server.trefoil);
  const answers = await inParallel(200, async (trefoil, index) => {
    const { data } = await trefoil.submitOtp(creditReportId, {
      challengeId,
      code: index === 150 ? '123456' : '000000',
    });
    return data.status;
  });
  await expectThreeJudged(answers);
  const counted = count(answers);
  const [row] = await counters(creditReportId);
  expect(row?.attempts_used).toBe(row?.status === 'failed' ? 3 : (counted['retry'] ?? 0));
});

test('50 parallel resends: exactly two are sent', async () => {
  const { creditReportId, challengeId } = await startChallenge(server.trefoil);
  const answers = await inParallel(50, async (trefoil) => {
    const { data } = await trefoil.resendSms(creditReportId, { challengeId });
    return `sent ${data.smsSentCount} left ${data.remainingSmsCount}`;
  });
  expect(count(answers)).toEqual({ 'sent 2 left 1': 1, 'sent 3 left 0': 1, 'sms-limit-reached': 48 });
  expect(await counters(creditReportId)).toEqual([{ attempts_used: 0, sms_sent_count: 3, status: 'challenged' }]);
});

test('100 parallel right codes: all complete with the same report, one verification', async () => {
  const { creditReportId, challengeId } = await startChallenge(server.trefoil);
  const answers = await inParallel(100, async (trefoil) => {
    const { data } = await trefoil.submitOtp(creditReportId, { challengeId, code: '123456' });
    return data.status === 'complete' ? JSON.stringify(data.creditReport) : data.status;
  });
  expect(Object.values(count(answers as string[]))).toEqual([100]);
  expect(answers[0]).toContain('"person"');
  expect(await counters(creditReportId)).toEqual([{ attempts_used: 0, sms_sent_count: 1, status: 'complete' }]);
  // Metrics of both nodes count verifications: the second node's are in its own registry, so look at the row's time.
  const [before] = await server.query('select completed_at from challenges where credit_report_id = $1', [
    creditReportId,
  ]);
  await server.trefoil.submitOtp(creditReportId, { challengeId, code: '123456' });
  const [after] = await server.query('select completed_at from challenges where credit_report_id = $1', [
    creditReportId,
  ]);
  expect(after).toEqual(before);
});

test('50 parallel requests with one Idempotency-Key: one report, the others replay it or are told to wait', async () => {
  const answers = await inParallel(50, async (trefoil) => {
    const { data } = await trefoil.generate(generateBody(), { idempotencyKey: 'parallel-generate' });
    return data.creditReportId;
  });
  const ids = new Set(answers.filter((answer) => answer !== 'request-in-progress'));
  await grave('one key', () => expect([...ids].filter(isUuid).length).toBeLessThanOrEqual(1));
  expect(ids.size).toBe(1);
  const [kept] = await server.query('select count(*)::int from idempotency_keys where credit_report_id = any($1)', [
    [...ids],
  ]);
  expect(kept).toEqual({ count: 1 });
});

test('20 parallel wrong codes with one Idempotency-Key use one attempt', async () => {
  const { creditReportId, challengeId } = await startChallenge(server.trefoil);
  await inParallel(20, (trefoil) =>
    trefoil.submitOtp(creditReportId, { challengeId, code: '000000' }, { idempotencyKey: 'parallel-code' }),
  );
  expect(await counters(creditReportId)).toEqual([{ attempts_used: 1, sms_sent_count: 1, status: 'challenged' }]);
});
