// The state table (docs/decisions/0050-when-the-report-is-charged.md) over HTTP against the simulators: more messages of
// an open challenge.
import { describe, expect, test } from 'vitest';
import { eventually } from '../../../../tools/testing/eventually.ts';
import {
  CHALLENGED,
  challenge,
  letTimePass,
  messages,
  resend,
  sendsOf,
  story,
  submit,
} from '../../support/challenges.ts';
import type { LiveServer } from '../../support/live.ts';
import { useLiveServer } from '../../support/one-node.ts';
import { refusalOf, type Story } from '../../support/tenant.ts';
import { codeIn, P, S } from '../../support/words.ts';

let server: LiveServer;
useLiveServer((started) => {
  server = started;
});

describe.concurrent('resend', () => {
  test('200, 200, 429: each holds S of its own, starts five minutes anew and has a code of its own', async () => {
    const open = await challenge(server);
    await letTimePass(server, open, '4 minutes 50 seconds', false);
    const [before] = await server.query<{ at: string }>('select clock_timestamp()::text as at');
    expect((await resend(open)).data).toEqual({ smsSentCount: 2, remainingSmsCount: 1 });
    const [row] = await server.query<{ fresh: boolean }>(
      `select last_sent_at > $2::timestamptz and due_at >= $2::timestamptz + interval '5 minutes' as fresh
         from challenges where credit_report_id = $1`,
      [open.creditReportId, before?.at],
    );
    expect(row?.fresh).toBe(true);
    expect((await resend(open)).data).toEqual({ smsSentCount: 3, remainingSmsCount: 0 });
    const sent: Story = {
      ...CHALLENGED,
      held: 3 * S,
      holds: ['report 2000 captured 2000', 'sms 40 open', 'sms 40 open', 'sms 40 open'],
      events: [...CHALLENGED.events, 'challenge.sent send 2', 'challenge.sent send 3'],
      audit: [...CHALLENGED.audit, 'challenge.resent by caller report 1', 'challenge.resent by caller report 1'],
      sends: ['submitted', 'submitted', 'submitted'],
    };
    await messages(server, open.to, 3);
    await eventually(async () => expect(await story(server, open)).toEqual(sent));
    expect(await refusalOf(resend(open))).toEqual({ status: 429, code: 'sms-limit-reached' });
    expect(await story(server, open)).toEqual(sent);
    const codes = (await messages(server, open.to, 3)).map(codeIn);
    expect(new Set(codes).size).toBe(3);
    for (const { submits } of await server.inbox(open.to)) expect(submits).toBe(1);
  });

  test('402 insufficient-funds: nothing is sent, counted or held', async () => {
    const open = await challenge(server, { credits: P + 2 * S - 1 });
    await sendsOf(server, open);
    const before = await story(server, open);
    expect(await refusalOf(resend(open))).toEqual({
      status: 402,
      code: 'insufficient-funds',
      required: S,
      available: S - 1,
    });
    expect(await story(server, open)).toEqual(before);
    const [uses] = await server.query<{ count: number }>(
      'select sms_sent_count as count from challenges where credit_report_id = $1',
      [open.creditReportId],
    );
    expect(uses?.count).toBe(1);
    await server.fund(open.tenant.tenantId, 1);
    expect((await resend(open)).data).toEqual({ smsSentCount: 2, remainingSmsCount: 1 });
  });

  test('429 before 402: a poor tenant with no message left hears of the limit', async () => {
    const open = await challenge(server, { credits: P + 3 * S });
    await resend(open);
    await resend(open);
    expect(await refusalOf(resend(open))).toEqual({ status: 429, code: 'sms-limit-reached' });
  });

  test('the same Idempotency-Key sends one message', async () => {
    const open = await challenge(server);
    const { challengeId } = open;
    const call = () => open.tenant.trefoil.resendSms(open.creditReportId, { challengeId }, { idempotencyKey: 'again' });
    expect((await call()).data).toEqual((await call()).data);
    expect(await messages(server, open.to, 2)).toHaveLength(2);
    expect((await story(server, open)).held).toBe(2 * S);
  });

  test('an earlier message’s code is right within its own five minutes, and proves that message', async () => {
    const open = await challenge(server);
    await resend(open);
    const [first] = (await messages(server, open.to, 2)).map(codeIn);
    await sendsOf(server, open);
    await server.query(
      `update sms_sends set sent_at = sent_at - interval '290 seconds'
        where id = (select min(id::text)::uuid from sms_sends where credit_report_id = $1)`,
      [open.creditReportId],
    );
    expect((await submit(open, first ?? '')).data.status).toBe('complete');
    const { holds, sends, held } = await story(server, open);
    expect({ holds, sends, held }).toEqual({
      holds: ['report 2000 captured 2000', 'sms 40 captured 40', 'sms 40 open'],
      sends: ['delivered', 'submitted'],
      held: S,
    });
  });

  test('an outlived code is a wrong code and uses an attempt', async () => {
    const open = await challenge(server);
    await resend(open);
    const [first = '', second = ''] = (await messages(server, open.to, 2)).map(codeIn);
    await server.query(
      `update sms_sends set sent_at = sent_at - interval '301 seconds'
        where id = (select min(id::text)::uuid from sms_sends where credit_report_id = $1)`,
      [open.creditReportId],
    );
    expect((await submit(open, first)).data).toMatchObject({ status: 'retry', attemptsRemaining: 2 });
    expect((await submit(open, second)).data.status).toBe('complete');
  });
});
