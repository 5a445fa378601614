// Idempotency keys beyond what the conformance kit can see: age, refusals, scope, lost keys.
import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { createTrefoil, TrefoilError } from '@trefoil/sdk';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../../../tools/testing/eventually.ts';
import { lockReport, updateReport } from '../../src/credit-reports/store.ts';
import { createCredential } from '../../src/identity/credentials/change-credential.ts';
import { generateBody, startChallenge, startServer, type TestServer } from '../harness.ts';
import { grave } from '../support/grave.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

const generate = (idempotencyKey: string, changes = {}) =>
  server.trefoil.generate(generateBody(changes), { idempotencyKey });

test('200: a replay is the first answer, although the report has moved on since', async () => {
  const first = await generate('moves-on', { challengeOptions: { status: 'challenge' } });
  if (first.data.status !== 'authentication-required') throw new Error('no challenge');
  const { creditReportId, challenge } = first.data;
  await server.trefoil.submitOtp(creditReportId, { challengeId: challenge.challengeId, code: '123456' });
  const replay = await generate('moves-on', { challengeOptions: { status: 'challenge' } });
  expect(replay.data).toEqual(first.data);
});

test('200: a replay keeps its original wallet', async () => {
  await server.query('update wallets set balance = 700 where tenant_id = $1', [server.demo.tenantId]);
  await generate('wallet');
  await server.query('update wallets set balance = 900 where tenant_id = $1', [server.demo.tenantId]);
  expect((await generate('wallet')).meta.wallet).toEqual({ balance: 700, cost: 0 });
});

test('200: the same body in another order of fields is the same request', async () => {
  const first = await generate('order');
  const reversed = Object.fromEntries(Object.entries(generateBody()).toReversed()) as ReturnType<typeof generateBody>;
  expect((await server.trefoil.generate(reversed, { idempotencyKey: 'order' })).data).toEqual(first.data);
});

test('200: after 24 hours the key is free again', async () => {
  const first = await generate('old');
  await server.query("update idempotency_keys set created_at = created_at - interval '24 hours 1 second'");
  expect((await generate('old', { firstName: 'Other' })).data.creditReportId).not.toBe(first.data.creditReportId);
});

test('410 credit-report-purged: a replay of an erased report says so', async () => {
  const { data } = await generate('erased');
  await server.query('delete from data_keys where credit_report_id = $1', [data.creditReportId]);
  await expect(generate('erased')).rejects.toMatchObject({ status: 410, code: 'credit-report-purged' });
});

test('a refusal is not kept, and what it counted stays counted', async () => {
  const { creditReportId, challengeId } = await startChallenge(server.trefoil);
  await server.trefoil.submitOtp(creditReportId, { challengeId, code: '123456' });
  const late = () =>
    server.trefoil
      .submitOtp(creditReportId, { challengeId, code: '999999' }, { idempotencyKey: 'late' })
      .catch((error) => error);
  for (let index = 0; index < 3; index++) expect(await late()).toMatchObject({ code: 'challenge-closed' });
  expect(
    await server.query('select late_attempts from challenges where credit_report_id = $1', [creditReportId]),
  ).toEqual([{ late_attempts: 3 }]);
});

test('another caller of the same tenant and another tenant have keys of their own', async () => {
  const { data: mine } = await generate('scope');
  const { data: theirs } = await server.otherTrefoil.generate(generateBody(), { idempotencyKey: 'scope' });
  const [owner] = await server.query<{ owner_user_id: string }>('select owner_user_id from credentials where id = $1', [
    server.demo.clientId,
  ]);
  const second = await server.database.asSystem((tx) =>
    createCredential(tx, {
      tenantId: server.demo.tenantId,
      name: 'Second',
      ownerUserId: owner?.owner_user_id ?? '',
      scopes: ['reports:write'],
    }),
  );
  const colleague = createTrefoil({
    ...server.demo,
    baseUrl: server.baseUrl,
    clientId: second.clientId,
    clientSecret: second.clientSecret ?? '',
  });
  const { data: colleagues } = await colleague.generate(generateBody(), { idempotencyKey: 'scope' });
  expect(new Set([mine.creditReportId, theirs.creditReportId, colleagues.creditReportId]).size).toBe(3);
});

test('409 request-in-progress: while the first request runs, the second is told at once when to come back', async () => {
  // Holding the wallet's table keeps the first request in flight until the lock goes.
  await server.query('begin');
  await server.query('lock table wallets in access exclusive mode');
  const first = generate('held');
  await eventually(async () =>
    expect(
      await server.query("select from pg_locks where relation = 'wallets'::regclass and not granted"),
    ).toHaveLength(1),
  );
  const refusal = await generate('held').catch((error) => error);
  await server.query('rollback');
  expect(refusal).toMatchObject({ status: 409, code: 'request-in-progress', retryAfterSeconds: 1 });
  const { data } = await first;
  expect((await generate('held')).data).toEqual(data);
});

const submit = (path: string, headers: [string, string][]) => {
  return new Promise<{ status: number | undefined; body: string }>((resolve, reject) => {
    const call = request(`${server.baseUrl}${path}`, { method: 'POST' }, (response) => {
      text(response).then((body) => resolve({ status: response.statusCode, body }), reject);
    });
    for (const [name, value] of headers) call.appendHeader(name, value);
    call.once('error', reject).end(JSON.stringify(generateBody()));
  });
};

test('the query string is no part of the request; two keys at once are refused', async () => {
  const path = `/${server.demo.tenantId}/v1/credit-reports`;
  const headers: [string, string][] = [
    ['authorization', `Bearer ${await server.trefoil.getToken()}`],
    ['content-type', 'application/json'],
    ['idempotency-key', 'query'],
  ];
  const first = await submit(path, headers);
  const replay = await submit(`${path}?trace=1`, headers);
  expect(replay.status).toBe(200);
  // To the letter, but for the time it took.
  const untimed = (body: string) => body.replace(/"timeTakenMs":\d+/, '');
  expect(untimed(replay.body)).toBe(untimed(first.body));
  expect((await submit(path, [...headers, ['idempotency-key', 'other']])).status).toBe(400);
});

// Live: server/test/reports/free-keys.test.ts.
describe('a generate key whose challenge ended without a report', () => {
  const CHALLENGE = { challengeOptions: { status: 'challenge' } } as const;

  async function challenge(key: string, changes = {}) {
    const { data } = await generate(key, { ...CHALLENGE, ...changes });
    if (data.status !== 'authentication-required') throw new Error(`expected a challenge, got ${data.status}`);
    return { creditReportId: data.creditReportId, challengeId: data.challenge.challengeId };
  }

  type Challenged = Awaited<ReturnType<typeof challenge>>;
  const submitCode = ({ creditReportId, challengeId }: Challenged, code: string, idempotencyKey?: string) =>
    server.trefoil.submitOtp(creditReportId, { challengeId, code }, idempotencyKey ? { idempotencyKey } : {});

  async function useUpAttempts(challenged: Challenged, lastKey?: string) {
    for (const code of ['000001', '000002']) await submitCode(challenged, code);
    return submitCode(challenged, '000003', lastKey);
  }

  const letTimePass = ({ creditReportId }: Challenged, interval: string) =>
    server.query('update challenges set last_sent_at = last_sent_at - $2::interval where credit_report_id = $1', [
      creditReportId,
      interval,
    ]);

  test('200 after three wrong codes: the same request runs anew, and from then on the key replays the new report', async () => {
    const first = await challenge('used-up');
    await useUpAttempts(first);
    const second = await challenge('used-up');
    expect(second.creditReportId).not.toBe(first.creditReportId);
    expect(await challenge('used-up')).toEqual(second);
    await submitCode(second, '123456');
    expect(await challenge('used-up')).toEqual(second);
  });

  test('200 after five minutes: free by the time alone, for another body too; not a moment earlier', async () => {
    const first = await challenge('run-out');
    await letTimePass(first, '298 seconds');
    expect(await challenge('run-out')).toEqual(first);
    await expect(generate('run-out', { firstName: 'Other' })).rejects.toMatchObject({ code: 'idempotency-key-reused' });
    await letTimePass(first, '3 seconds');
    const { data } = await generate('run-out', { firstName: 'Other' });
    expect(data.status).toBe('complete');
    await expect(challenge('run-out')).rejects.toMatchObject({ status: 422, code: 'idempotency-key-reused' });
    expect((await generate('run-out', { firstName: 'Other' })).data).toEqual(data);
  });

  test('a message sent again keeps the challenge, and with it the key, for five minutes more', async () => {
    const first = await challenge('sent-again');
    await letTimePass(first, '298 seconds');
    await server.trefoil.resendSms(first.creditReportId, { challengeId: first.challengeId });
    await letTimePass(first, '298 seconds');
    expect(await challenge('sent-again')).toEqual(first);
  });

  test('a right code keeps it: a report there is, and however late, its key gives the first answer', async () => {
    const first = await challenge('answered');
    await submitCode(first, '123456');
    await letTimePass(first, '1 hour');
    expect(await challenge('answered')).toEqual(first);
  });

  test('blocked is a decision and no failure: its key keeps replaying', async () => {
    const blocked = await generate('blocked', { challengeOptions: { status: 'block' } });
    expect(blocked.data.status).toBe('blocked');
    expect((await generate('blocked', { challengeOptions: { status: 'block' } })).data).toEqual(blocked.data);
  });

  test('keys of codes and of messages keep what they answered', async () => {
    const first = await challenge('other-routes');
    const resend = () =>
      server.trefoil.resendSms(
        first.creditReportId,
        { challengeId: first.challengeId },
        { idempotencyKey: 'other-routes' },
      );
    const resent = await resend();
    const failed = await useUpAttempts(first, 'other-routes');
    expect(failed.data.status).toBe('failed');
    await letTimePass(first, '1 hour');
    expect((await submitCode(first, '000003', 'other-routes')).data).toEqual(failed.data);
    // The release before kept no reason.
    await server.query(
      `update idempotency_keys set answer = (answer::jsonb #- '{data,failureReason}')::json
        where credit_report_id = $1 and answer::jsonb #> '{data,failureReason}' is not null`,
      [first.creditReportId],
    );
    const old = await submitCode(first, '000003', 'other-routes');
    expect(old.data).toEqual({ ...failed.data, failureReason: null });
    expect((await resend()).data).toEqual(resent.data);
    await expect(submitCode(first, '000004', 'other-routes')).rejects.toMatchObject({ code: 'idempotency-key-reused' });
  });

  test('many at once: one report more; the others replay it or are told to come back, another body is refused', async () => {
    const first = await challenge('rush');
    await useUpAttempts(first);
    const told = await Promise.all(
      Array.from({ length: 20 }, async (_, index) => {
        const firstName = index % 4 === 3 ? 'Other' : 'Ada';
        const outcome = await challenge('rush', { firstName }).catch((error) => {
          if (error instanceof TrefoilError) return error;
          throw error;
        });
        return outcome instanceof TrefoilError
          ? { firstName, code: outcome.code, report: undefined }
          : { firstName, code: undefined, report: outcome.creditReportId };
      }),
    );
    const reports = new Set(told.flatMap(({ report }) => report ?? []));
    await grave('one key', () => expect(reports.size).toBeLessThanOrEqual(1));
    const winner = told.find(({ report }) => report !== undefined);
    expect(winner).toBeDefined();
    expect(winner?.report).not.toBe(first.creditReportId);
    for (const { firstName, code, report } of told) {
      if (report !== undefined) expect(firstName).toBe(winner?.firstName);
      else if (firstName === winner?.firstName) expect(code).toBe('request-in-progress');
      else expect(['idempotency-key-reused', 'request-in-progress']).toContain(code);
    }
  });

  test('409 request-in-progress while a code of the last moment is being judged: it may still bring a report', async () => {
    const first = await challenge('last-moment');
    await letTimePass(first, '301 seconds');
    const { tenantId } = server.demo;
    // As a submit does before it looks at the clock, and with a right code afterwards.
    await server.database.forTenants([tenantId], async (tx) => {
      await lockReport(tx, tenantId, first.creditReportId);
      const refusal = { status: 409, code: 'request-in-progress', retryAfterSeconds: 1 };
      await expect(challenge('last-moment')).rejects.toMatchObject(refusal);
      await expect(generate('last-moment', { firstName: 'Other' })).rejects.toMatchObject(refusal);
      await updateReport(tx, tenantId, first.creditReportId, {
        status: 'complete',
        sealedReport: null,
        sealedProvenance: null,
      });
    });
    expect(await challenge('last-moment')).toEqual(first);
  });
});
