// The state table (docs/decisions/0050-when-the-report-is-charged.md) over HTTP against the simulators: an open challenge,
// its message and its wrong codes.
import { describe, expect, test } from 'vitest';
import { eventually } from '../../../../tools/testing/eventually.ts';
import { CHALLENGED, challenge, codeOf, messages, resend, sendsOf, story, submit } from '../../support/challenges.ts';
import type { LiveServer } from '../../support/live.ts';
import { useLiveServer } from '../../support/one-node.ts';
import { askedTimes } from '../../support/providers.ts';
import { addTenant, refusalOf, type Story } from '../../support/tenant.ts';
import { codeIn, FUNDS, P, wrongCode } from '../../support/words.ts';

let server: LiveServer;
useLiveServer((started) => {
  server = started;
});

describe.concurrent('pending → challenged', () => {
  test('200 authentication-required: P charged, S held, one message in GSM-7 that names the tenant', async () => {
    const open = await challenge(server);
    const [message] = await messages(server, open.to);
    await sendsOf(server, open);
    expect(await story(server, open)).toEqual(CHALLENGED);
    expect(message).toMatchObject({ encoding: 'GSM-7', segments: 1, submits: 1 });
    expect(message?.body).toMatch(/^\d{6} is your code for Larkfield Loans\. /);
    expect(message?.body).not.toMatch(/@/);
    expect(await askedTimes(server, open.creditReportId)).toEqual([0, 0, 0]);
  });

  test('the message ends with the origin-bound line once the tenant has set its host', async () => {
    const tenant = await addTenant(server, FUNDS);
    await server.query(`update tenants set otp_host = 'apply.example.com' where id = $1`, [tenant.tenantId]);
    const open = await challenge(server, { tenant });
    const [message] = await messages(server, open.to);
    expect(message?.body.endsWith(`\n@apply.example.com #${codeIn(message)}`)).toBe(true);
    expect(message).toMatchObject({ encoding: 'GSM-7', segments: 1 });
  });

  test('a queued message that nobody has handed over is handed over by the job, with the same code', async () => {
    const open = await challenge(server);
    const code = await codeOf(server, open);
    await sendsOf(server, open);
    // As a crash after the settlement leaves it.
    await server.query(
      `update sms_sends set state = 'queued', submitted_at = null, carrier_ref = null, sent_at = sent_at - interval '3 seconds'
        where credit_report_id = $1`,
      [open.creditReportId],
    );
    const again = await eventually(async () => {
      const found = await server.inbox(open.to);
      expect(found).toHaveLength(2);
      return found;
    });
    expect(again.map(codeIn)).toEqual([code, code]);
    await sendsOf(server, open);
    expect(await story(server, open)).toEqual(CHALLENGED);
  });

  test('a queued message whose code has run out is never handed over; its hold is given back', async () => {
    const open = await challenge(server);
    await messages(server, open.to);
    await sendsOf(server, open);
    await server.query(
      `update sms_sends set state = 'queued', submitted_at = null, sent_at = sent_at - interval '301 seconds'
        where credit_report_id = $1`,
      [open.creditReportId],
    );
    await eventually(async () => expect((await story(server, open)).sends).toEqual(['undelivered']));
    expect(await story(server, open)).toMatchObject({ held: 0, holds: ['report 2000 captured 2000', 'sms 40 voided'] });
    expect(await server.inbox(open.to)).toHaveLength(1);
  });
});

describe.concurrent('challenged → challenged, failed', () => {
  test('200 retry, 200 retry, 200 failed: two move nothing, the third refunds P once; then always the same answer', async () => {
    const open = await challenge(server);
    const code = await codeOf(server, open);
    await sendsOf(server, open);
    const wrong = wrongCode(code);
    for (const attemptsRemaining of [2, 1]) {
      const { meta, data } = await submit(open, wrong);
      expect(data).toMatchObject({ status: 'retry', attemptsRemaining });
      expect(meta.wallet).toEqual({ cost: 0, balance: FUNDS - P });
      expect(await story(server, open)).toEqual(CHALLENGED);
    }
    const failed = await submit(open, wrong);
    expect(failed.data).toMatchObject({ status: 'failed' });
    expect(failed.meta.wallet).toEqual({ cost: 0, balance: FUNDS });
    const refunded: Story = {
      ...CHALLENGED,
      balance: FUNDS,
      reports: ['failed attempts-used'],
      lines: ['report-charge -2000 8000', 'report-refund 2000 10000'],
      events: [...CHALLENGED.events, 'report.failed report 1', 'wallet.refunded report 1'],
      audit: [...CHALLENGED.audit, 'report.failed by caller report 1'],
    };
    expect(await story(server, open)).toEqual(refunded);
    // The right code is not examined any more.
    for (const each of [code, wrong]) {
      const again = await submit(open, each);
      expect(again.data).toEqual(failed.data);
      expect(again.meta.wallet).toEqual({ cost: 0, balance: FUNDS });
    }
    expect(await refusalOf(resend(open))).toEqual({ status: 409, code: 'challenge-closed' });
    expect(await story(server, open)).toEqual(refunded);
    expect(await askedTimes(server, open.creditReportId)).toEqual([0, 0, 0]);
  });

  test('a resend gives no new attempts: two wrong, resend, one wrong is failed', async () => {
    const open = await challenge(server);
    const wrong = wrongCode(await codeOf(server, open));
    await submit(open, wrong);
    await submit(open, wrong);
    await resend(open);
    const codes = (await messages(server, open.to, 2)).map(codeIn);
    expect((await submit(open, wrongCode(...codes))).data.status).toBe('failed');
  });

  test('the code of test mode is a wrong code', async () => {
    const open = await challenge(server);
    expect(await codeOf(server, open)).not.toBe('123456');
    expect((await submit(open, '123456')).data.status).toBe('retry');
  });

  test('404: neither another tenant nor another report can answer a challenge', async () => {
    const [open, other] = [await challenge(server), await challenge(server)];
    const code = await codeOf(server, open);
    expect(await refusalOf(submit({ ...open, tenant: other.tenant }, code))).toMatchObject({
      status: 404,
      code: 'credit-report-not-found',
    });
    const crossed = submit({ ...open, creditReportId: other.creditReportId, tenant: other.tenant }, code);
    expect(await refusalOf(crossed)).toMatchObject({ status: 404, code: 'challenge-not-found' });
    expect((await submit(other, code)).data.status).toBe('retry');
  });
});
