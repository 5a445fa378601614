// The state table (docs/decisions/0050-when-the-report-is-charged.md) over HTTP against the simulators: the right code,
// and the report that is fetched for it.
import { createTrefoil } from '@trefoil/sdk';
import { describe, expect, test } from 'vitest';
import { eventually } from '../../../../tools/testing/eventually.ts';
import { BUDGET_MS } from '../../../src/bureaus/ask-bureaus.ts';
import { FETCH_WAIT_MS } from '../../../src/credit-reports/challenge/fetch-after-challenge.ts';
import {
  applyReceipt,
  CHALLENGED,
  challenge,
  codeOf,
  leasesAreSwept,
  resend,
  sendsOf,
  statusOf,
  story,
  submit,
} from '../../support/challenges.ts';
import type { LiveServer } from '../../support/live.ts';
import { useLiveServer } from '../../support/one-node.ts';
import { askedTimes, release, spoil } from '../../support/providers.ts';
import { SHORT_RESTS } from '../../support/rests.ts';
import { refusalOf, type Story } from '../../support/tenant.ts';
import { FUNDS, P, S, wrongCode } from '../../support/words.ts';

let server: LiveServer;
useLiveServer(
  (started) => {
    server = started;
  },
  { overrides: { rests: SHORT_RESTS } },
);

describe.concurrent('challenged → fetching → complete, failed', () => {
  const verified: Story = {
    ...CHALLENGED,
    balance: FUNDS - P - S,
    held: 0,
    reports: ['fetching'],
    holds: ['report 2000 captured 2000', 'sms 40 captured 40'],
    lines: ['report-charge -2000 8000', 'sms-charge -40 7960'],
    events: [
      ...CHALLENGED.events,
      'challenge.delivered send 1',
      'wallet.charged send 1',
      'challenge.verified report 1',
    ],
    audit: [...CHALLENGED.audit, 'sms.settled by caller send 1', 'challenge.verified by caller report 1'],
    sends: ['delivered'],
  };
  const completed: Story = {
    ...verified,
    reports: ['complete'],
    events: [...verified.events, 'report.completed report 1'],
    audit: [...verified.audit, 'report.completed by caller report 1'],
  };

  test('200 complete: the code proves the message, S is charged once, the submit costs 0', async () => {
    const open = await challenge(server);
    const code = await codeOf(server, open);
    await sendsOf(server, open);
    const spaced = `${code.slice(0, 3)} ${code.slice(3, 5)}-${code.slice(5)}`;
    const { meta, data } = await submit(open, spaced);
    expect(data).toMatchObject({ status: 'complete', creditReportId: open.creditReportId });
    expect(meta.wallet).toEqual({ cost: 0, balance: FUNDS - P - S });
    expect(await story(server, open)).toEqual(completed);
    expect(await askedTimes(server, open.creditReportId)).toEqual([1, 1, 1]);
    // A receipt that comes after the code charges nothing more, whatever it says.
    const [send] = await sendsOf(server, open);
    for (const status of ['sent', 'delivered', 'undelivered', 'failed'])
      await applyReceipt(server, send?.id ?? '', status);
    expect(await story(server, open)).toEqual(completed);
  });

  test('while one fetches: the same code waits and shares the report, another code is refused; one enquiry each', async () => {
    const open = await challenge(server);
    await spoil(server, open.lastName, `held=${open.lastName}`, ['albion']);
    const code = await codeOf(server, open);
    await sendsOf(server, open);
    const first = submit(open, code);
    await eventually(async () => expect(await story(server, open)).toEqual(verified));
    const waiting = [submit(open, code), submit(open, code)];
    const keyed = open.tenant.trefoil.submitOtp(
      open.creditReportId,
      { challengeId: open.challengeId, code },
      { idempotencyKey: 'waits' },
    );
    expect(await refusalOf(submit(open, wrongCode(code)))).toEqual({ status: 409, code: 'challenge-closed' });
    expect(await refusalOf(resend(open))).toEqual({ status: 409, code: 'challenge-closed' });
    await release(server, open.lastName, 'albion');
    const answers = await Promise.all([first, ...waiting, keyed]);
    for (const { meta, data } of answers) {
      expect(data).toEqual(answers[0]?.data);
      expect(meta.wallet).toEqual({ cost: 0, balance: FUNDS - P - S });
    }
    expect(answers[0]?.data.status).toBe('complete');
    expect(await story(server, open)).toEqual(completed);
    expect(await askedTimes(server, open.creditReportId)).toEqual([1, 1, 1]);
    const replayed = await open.tenant.trefoil.submitOtp(
      open.creditReportId,
      { challengeId: open.challengeId, code },
      { idempotencyKey: 'waits' },
    );
    expect(replayed.data).toEqual(answers[0]?.data);
  });

  test('200 complete: a bureau that did not answer is refunded, as a line of its own', async () => {
    const open = await challenge(server);
    await spoil(server, open.lastName, 'reset', ['beacon']);
    const { meta, data } = await submit(open, await codeOf(server, open));
    expect(data.status).toBe('complete');
    if (data.status === 'complete') {
      expect(data.bureauResults?.map(({ outcome }) => outcome)).toEqual(['no-trace', 'unavailable', 'no-trace']);
    }
    expect(meta.wallet).toEqual({ cost: 0, balance: FUNDS - P - S + 600 });
    expect(await story(server, open)).toEqual({
      ...completed,
      balance: FUNDS - P - S + 600,
      lines: [...completed.lines, 'report-refund 600 8560'],
      events: [...completed.events, 'wallet.refunded report 1'],
    });
  });

  test('200 failed: no bureau answers, all of P is refunded, the message stays paid', async () => {
    const open = await challenge(server);
    await spoil(server, open.lastName, 'reset');
    const code = await codeOf(server, open);
    const { meta, data } = await submit(open, code);
    expect(data).toMatchObject({ status: 'failed' });
    expect(meta.wallet).toEqual({ cost: 0, balance: FUNDS - S });
    const failed: Story = {
      ...verified,
      balance: FUNDS - S,
      reports: ['failed no-bureau-answered'],
      lines: [...verified.lines, 'report-refund 2000 9960'],
      events: [...verified.events, 'report.failed report 1', 'wallet.refunded report 1'],
      audit: [...verified.audit, 'report.failed by caller report 1'],
    };
    expect(await story(server, open)).toEqual(failed);
    expect((await submit(open, code)).data).toEqual(data);
    expect(await story(server, open)).toEqual(failed);
    expect(await askedTimes(server, open.creditReportId)).toEqual([1, 1, 1]);
  });

  test('the worker of a fetch is gone: failed and refunded by the job; the late worker changes nothing', async () => {
    await leasesAreSwept(server, SHORT_RESTS.reachableMs);
    const open = await challenge(server);
    await spoil(server, open.lastName, `held=${open.lastName}`, ['albion']);
    const zombie = submit(open, await codeOf(server, open));
    await eventually(async () => expect(await statusOf(server, open.creditReportId)).toBe('fetching'));
    await server.query(
      `update challenges set due_at = clock_timestamp() - interval '1 second' where credit_report_id = $1`,
      [open.creditReportId],
    );
    const swept: Story = {
      ...verified,
      balance: FUNDS - S,
      reports: ['failed interrupted'],
      lines: [...verified.lines, 'report-refund 2000 9960'],
      events: [...verified.events, 'report.failed report 1', 'wallet.refunded report 1'],
      audit: [...verified.audit, 'report.failed by system report 1'],
    };
    await eventually(async () => expect(await story(server, open)).toEqual(swept));
    await release(server, open.lastName, 'albion');
    const { meta, data } = await zombie;
    expect(data).toMatchObject({ status: 'failed' });
    expect(meta.wallet).toEqual({ cost: 0, balance: FUNDS - S });
    expect(await story(server, open)).toEqual(swept);
    expect(await askedTimes(server, open.creditReportId)).toEqual([1, 1, 1]);
  });

  test('409 request-in-progress: the same code waits for its budget and no longer', async ({ onTestFinished }) => {
    // In production it outlasts the budget of the bureaus. On a node of its own, since the others here wait for reports.
    expect(FETCH_WAIT_MS).toBeGreaterThan(BUDGET_MS);
    const fetchMs = 2_000;
    const node = await server.startNode({ TREFOIL_JOBS: 'off' }, { rests: { fetchMs } });
    onTestFinished(() => node.close());
    const open = await challenge(server);
    const code = await codeOf(server, open);
    const [send] = await sendsOf(server, open);
    // As a worker on another node leaves it while it fetches.
    await server.query(`update credit_reports set status = 'fetching', fence = 1 where id = $1`, [open.creditReportId]);
    await server.query(
      `update challenges set completing_send_id = $2, due_at = clock_timestamp() + interval '30 seconds'
        where credit_report_id = $1`,
      [open.creditReportId, send?.id],
    );
    const { creditReportId, challengeId } = open;
    const there = createTrefoil({ ...open.tenant, baseUrl: node.baseUrl, maxRetries: 0 });
    const startedMs = performance.now();
    expect(await refusalOf(there.submitOtp(creditReportId, { challengeId, code }))).toEqual({
      status: 409,
      code: 'request-in-progress',
      retryAfterSeconds: 1,
    });
    // steady: at least so long; a slow machine only takes longer.
    expect(performance.now() - startedMs).toBeGreaterThanOrEqual(fetchMs);
    await server.query(`update challenges set due_at = clock_timestamp() where credit_report_id = $1`, [
      open.creditReportId,
    ]);
    await eventually(async () => expect(await statusOf(server, open.creditReportId)).toBe('failed'));
    expect((await server.wallet(open.tenant.tenantId)).balance).toBe(FUNDS);
  });
});
