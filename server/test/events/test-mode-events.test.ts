// Test mode tells the same events, marked as test; without charges none is about a wallet.

import { createTrefoil } from '@trefoil/sdk';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expireInSandbox } from '../../src/credit-reports/sandbox/expire-in-sandbox.ts';
import { createCredential } from '../../src/identity/credentials/change-credential.ts';
import { generateBody, startChallenge, startServer, type TestServer } from '../harness.ts';
import { expectEvents, readAll } from '../support/events.ts';
import { addTenantWithOwner } from '../support/people.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

/** The events of one report. */
const told = (creditReportId: string, lines: readonly string[]) =>
  expectEvents(server.trefoil, lines, { creditReportId });

const CHALLENGED = ['credit-report.challenged authentication-required 0', 'challenge.sent', 'challenge.delivered'];

test('completed and blocked', async () => {
  const { data: complete } = await server.trefoil.generate(generateBody());
  const [event] = await told(complete.creditReportId, ['credit-report.completed complete 0']);
  expect(event).toMatchObject({
    test: true,
    data: { creditReportId: complete.creditReportId, status: 'complete', cost: 0 },
  });
  const { data: blocked } = await server.trefoil.generate(generateBody({ challengeOptions: { status: 'block' } }));
  await told(blocked.creditReportId, ['credit-report.blocked blocked 0']);
});

test('a challenge: sent and delivered at once, again with each resend, then verified and completed', async () => {
  const { creditReportId, challengeId } = await startChallenge(server.trefoil);
  await server.trefoil.resendSms(creditReportId, { challengeId });
  await server.trefoil.submitOtp(creditReportId, { challengeId, code: '000000' });
  await server.trefoil.submitOtp(creditReportId, { challengeId, code: '123456' });
  // A repeated right code is no second completion.
  await server.trefoil.submitOtp(creditReportId, { challengeId, code: '123456' });
  const events = await told(creditReportId, [
    ...CHALLENGED,
    'challenge.sent',
    'challenge.delivered',
    'challenge.verified',
    'credit-report.completed complete 0',
  ]);
  expect(events.every((event) => event.test)).toBe(true);
  const [challenged, sent] = events;
  expect(challenged?.data).toMatchObject({ creditReportId, challengeId });
  // Nothing was sent, so there is no message to name.
  expect(sent?.data).toEqual({ creditReportId, challengeId });
});

test('three wrong codes: failed, once', async () => {
  const { creditReportId, challengeId } = await startChallenge(server.trefoil);
  for (let count = 0; count < 4; count += 1) {
    await server.trefoil.submitOtp(creditReportId, { challengeId, code: '000000' });
  }
  await told(creditReportId, [...CHALLENGED, 'credit-report.failed failed 0']);
});

test('no code in time: expired, once, with two jobs at work; a resend in between extends it', async () => {
  const { creditReportId, challengeId } = await startChallenge(server.trefoil);
  const later = (interval: string) =>
    server.query(
      `update challenges set last_sent_at = last_sent_at - $2::interval, test_due_at = test_due_at - $2::interval
        where credit_report_id = $1`,
      [creditReportId, interval],
    );
  const expire = () => Promise.all([1, 2].map(() => expireInSandbox(server.database.jobs)));
  await later('4 minutes');
  await server.trefoil.resendSms(creditReportId, { challengeId });
  await later('4 minutes');
  await expire();
  const resent = [...CHALLENGED, 'challenge.sent', 'challenge.delivered'];
  await told(creditReportId, resent);
  await later('2 minutes');
  await expire();
  await told(creditReportId, [...resent, 'credit-report.expired failed 0']);
  const { data } = await server.trefoil.getReport(creditReportId);
  expect(data).toMatchObject({ status: 'failed', errorMessage: expect.stringContaining('expired') });
  await expect(server.trefoil.submitOtp(creditReportId, { challengeId, code: '123456' })).rejects.toMatchObject({
    code: 'challenge-expired',
  });
  await expire();
  await told(creditReportId, [...resent, 'credit-report.expired failed 0']);
  expect(
    await server.query('select from challenges where test_due_at is not null and credit_report_id = $1', [
      creditReportId,
    ]),
  ).toEqual([]);
});

test('a job runs it within seconds', async () => {
  const { creditReportId } = await startChallenge(server.trefoil);
  await server.query(
    `update challenges set last_sent_at = last_sent_at - interval '6 minutes', test_due_at = test_due_at - interval '6 minutes'
      where credit_report_id = $1`,
    [creditReportId],
  );
  await told(creditReportId, [...CHALLENGED, 'credit-report.expired failed 0']);
});

test('a test-only credential reads the events of test mode alone', async () => {
  const { tenantId, owner } = await addTenantWithOwner(server);
  const credential = await server.database.asSystem((tx) =>
    createCredential(tx, {
      ...{ tenantId, name: 'Test', ownerUserId: owner.userId, isTestOnly: true },
      scopes: ['reports:write', 'events:read'],
    }),
  );
  const trefoil = createTrefoil({
    baseUrl: server.baseUrl,
    tenantId,
    clientId: credential.clientId,
    clientSecret: credential.clientSecret ?? '',
  });
  await server.query(
    `insert into outbox (tenant_id, type, subject_id, amount) values ($1, 'wallet.topped-up', gen_random_uuid(), 5)`,
    [tenantId],
  );
  await trefoil.generate(generateBody());
  await expectEvents(trefoil, ['credit-report.completed complete 0']);
  expect(await readAll(trefoil, { test: false })).toEqual([]);
});

test('no row in a money or message table', async () => {
  const { creditReportId, challengeId } = await startChallenge(server.otherTrefoil);
  await server.otherTrefoil.resendSms(creditReportId, { challengeId });
  await server.otherTrefoil.submitOtp(creditReportId, { challengeId, code: '123456' });
  for (const table of ['holds', 'ledger_txs', 'ledger_entries', 'sms_sends', 'sms_receipts']) {
    expect(await server.query(`select from ${table} where tenant_id = $1`, [server.other.tenantId]), table).toEqual([]);
  }
  expect(await readAll(server.otherTrefoil, { type: 'wallet' })).toEqual([]);
});
