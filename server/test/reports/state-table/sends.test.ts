// The state table (docs/decisions/0050-when-the-report-is-charged.md) over HTTP against the simulators: a message, from
// its submit to its receipt.
import { Client } from 'pg';
import { afterAll, describe, expect, test } from 'vitest';
import { eventually } from '../../../../tools/testing/eventually.ts';
import { reportJobs } from '../../../src/credit-reports/jobs.ts';
import { createReportQueue } from '../../../src/credit-reports/queue.ts';
import { openMetrics } from '../../../src/open-metrics.ts';
import {
  applyReceipt,
  CHALLENGED,
  challenge,
  codeOf,
  letTimePass,
  messages,
  resend,
  sendsOf,
  story,
  submit,
} from '../../support/challenges.ts';
import { readMetrics } from '../../support/dump.ts';
import { type LiveServer, liveBody } from '../../support/live.ts';
import { useLiveServer } from '../../support/one-node.ts';
import { control } from '../../support/providers.ts';
import { SHORT_RESTS } from '../../support/rests.ts';
import { refusalOf, type Story } from '../../support/tenant.ts';
import { FUNDS, newMobile, P, quietMobile, S } from '../../support/words.ts';

let server: LiveServer;
useLiveServer(
  (started) => {
    server = started;
  },
  { overrides: { rests: SHORT_RESTS } },
);
// Runs before the server closes, which otherwise waits for the end of the submit that hangs.
afterAll(() => server.providers.stop());

/** Runs one job now, as a node would: for those that rest longer than a test can wait. */
async function runJob(name: string, metrics = openMetrics()): Promise<number> {
  const queue = createReportQueue(server.database.queue, () => undefined);
  const needs = {
    ...{ database: server.database.jobs, queue, metrics },
    reachableForMs: () => Number.POSITIVE_INFINITY,
  };
  const job = reportJobs(needs, {} as Parameters<typeof reportJobs>[1]).find((each) => each.name === name);
  if (!job) throw new Error(`no job ${name}`);
  return job.run();
}

test('the gauge of unsettled work has the age of the oldest, and 0 when there is none', async () => {
  const metrics = openMetrics();
  const seconds = async () => {
    await runJob('watch-settlement', metrics);
    return (await metrics.unsettled.get()).values[0]?.value ?? Number.NaN;
  };
  expect(await seconds()).toBe(0);
  const open = await challenge(server);
  const blocker = new Client({ connectionString: server.environment['TREFOIL_OWNER_DATABASE_URL'] ?? '' });
  await blocker.connect();
  try {
    // Until the gauge is read, no sweep can settle it.
    await blocker.query('begin');
    await blocker.query('select from credit_reports where id = $1 for update', [open.creditReportId]);
    await letTimePass(server, open, '7 minutes');
    expect(await seconds()).toBeGreaterThan(60);
  } finally {
    await blocker.end();
  }
  await eventually(async () => expect(await seconds()).toBe(0));
});

describe.concurrent('a send', () => {
  test('receipt delivered: S is charged as its own line; sent before it and anything after it changes nothing', async () => {
    const open = await challenge(server);
    await messages(server, open.to);
    const [send] = await sendsOf(server, open);
    expect(await applyReceipt(server, send?.id ?? '', 'sent')).toEqual([204]);
    expect(await story(server, open)).toEqual(CHALLENGED);
    expect(await applyReceipt(server, send?.id ?? '', 'delivered')).toEqual([204]);
    const delivered: Story = {
      ...CHALLENGED,
      balance: FUNDS - P - S,
      held: 0,
      holds: ['report 2000 captured 2000', 'sms 40 captured 40'],
      lines: ['report-charge -2000 8000', 'sms-charge -40 7960'],
      events: [...CHALLENGED.events, 'challenge.delivered send 1', 'wallet.charged send 1'],
      audit: [...CHALLENGED.audit, 'sms.settled by twilio send 1'],
      sends: ['delivered'],
    };
    expect(await story(server, open)).toEqual(delivered);
    for (const status of ['delivered', 'sent', 'undelivered', 'failed', 'delivered', 'queued']) {
      expect(await applyReceipt(server, send?.id ?? '', status)).toEqual([204]);
    }
    expect(await story(server, open)).toEqual(delivered);
    // The right code after it charges no second S.
    const { meta } = await submit(open, await codeOf(server, open));
    expect(meta.wallet).toEqual({ cost: 0, balance: FUNDS - P - S });
  });

  const undelivered = (state: string): Story => ({
    ...CHALLENGED,
    held: 0,
    holds: ['report 2000 captured 2000', 'sms 40 voided'],
    events: [...CHALLENGED.events, 'challenge.undelivered send 1'],
    audit: [...CHALLENGED.audit, `sms.settled by ${state === 'undelivered' ? 'twilio' : 'system'} send 1`],
    sends: [state],
  });

  test('receipt undelivered: S is given back, the challenge stays open, and a right code still proves the message', async () => {
    const open = await challenge(server, { to: newMobile(2) });
    const code = await codeOf(server, open);
    await eventually(async () => expect(await story(server, open)).toEqual(undelivered('undelivered')));
    // The carrier was wrong: the consumer typed the code. Charged late, out of what is there.
    const { meta, data } = await submit(open, code);
    expect(data.status).toBe('complete');
    expect(meta.wallet).toEqual({ cost: 0, balance: FUNDS - P - S });
    expect(await story(server, open)).toMatchObject({
      lines: ['report-charge -2000 8000', 'sms-charge -40 7960'],
      holds: ['report 2000 captured 2000', 'sms 40 voided'],
      sends: ['delivered'],
    });
  });

  test('refused by the carrier: S is given back, it counts as a send, the next one is held anew', async () => {
    const open = await challenge(server, { to: newMobile(6) });
    await eventually(async () => expect(await story(server, open)).toEqual(undelivered('refused')));
    expect((await resend(open)).data).toEqual({ smsSentCount: 2, remainingSmsCount: 1 });
    await eventually(async () => expect((await story(server, open)).sends).toEqual(['refused', 'refused']));
    expect(await story(server, open)).toMatchObject({ held: 0, lines: CHALLENGED.lines });
  });

  test('72 hours of silence: S is given back and the message is known as silent', async () => {
    const open = await challenge(server);
    await messages(server, open.to);
    const [send] = await sendsOf(server, open);
    await server.query(
      `update sms_sends set sent_at = sent_at - interval '72 hours' + interval '1 minute' where id = $1`,
      [send?.id],
    );
    await runJob('end-silent-messages');
    expect(await story(server, open)).toEqual(CHALLENGED);
    await server.query(`update sms_sends set sent_at = sent_at - interval '2 minutes' where id = $1`, [send?.id]);
    await runJob('end-silent-messages');
    expect(await story(server, open)).toEqual(undelivered('silent'));
    await runJob('end-silent-messages');
    expect(await story(server, open)).toEqual(undelivered('silent'));
  });

  test('delivered after all, with funds: charged late, once', async () => {
    const open = await challenge(server, { to: newMobile(2) });
    await messages(server, open.to);
    await eventually(async () => expect(await story(server, open)).toEqual(undelivered('undelivered')));
    const [send] = await sendsOf(server, open, true);
    for (let count = 0; count < 3; count += 1) await applyReceipt(server, send?.id ?? '', 'delivered');
    expect(await story(server, open)).toEqual({
      ...undelivered('undelivered'),
      balance: FUNDS - P - S,
      lines: ['report-charge -2000 8000', 'sms-charge -40 7960'],
      events: [...undelivered('').events, 'challenge.delivered send 1', 'wallet.charged send 1'],
      audit: [...undelivered('undelivered').audit, 'sms.settled by twilio send 1'],
      sends: ['delivered'],
    });
  });

  test('delivered after all, without funds: written off, once, with an alarm; the wallet is untouched', async () => {
    const alarms = async () =>
      Number(/trefoil_alarms_total\{alarm="sms-writeoff"\} (\d+)/.exec(await readMetrics(server))?.[1] ?? 0);
    const alarmsBefore = await alarms();
    const open = await challenge(server, { to: newMobile(2), credits: P + S });
    await messages(server, open.to);
    const [send] = await sendsOf(server, open, true);
    await server.query(
      `insert into tenant_prices values ($1, 'report', '2001-01-01Z', 1), ($1, 'bureau', '2001-01-01Z', 0)`,
      [open.tenant.tenantId],
    );
    // One credit short of S: what is left is not taken.
    await open.tenant.trefoil.generate(liveBody(server.mintSession()));
    for (let count = 0; count < 3; count += 1) await applyReceipt(server, send?.id ?? '', 'delivered');
    const end = await story(server, open);
    expect(end).toMatchObject({
      balance: S - 1,
      held: 0,
      lines: ['report-charge -2000 40', 'report-charge -1 39', 'sms-writeoff 0 39'],
      sends: ['delivered'],
    });
    expect(end.events.slice(-1)).toEqual(['challenge.delivered send 1']);
    expect(await alarms()).toBe(alarmsBefore + 1);
    expect(server.logText()).toContain('a delivered message was written off');
  });

  test('an unknown submit is never repeated; its receipt bills it', async () => {
    const open = await challenge(server, { to: newMobile(7) });
    await eventually(async () => expect((await story(server, open)).sends).toEqual(['delivered']));
    expect(await story(server, open)).toMatchObject({ balance: FUNDS - P - S, held: 0 });
    expect(await server.inbox(open.to)).toMatchObject([{ submits: 1 }]);
  });

  test('a submit that hangs stays open: neither charged nor sent again', async () => {
    const open = await challenge(server, { to: newMobile(8) });
    await eventually(async () => expect((await story(server, open)).sends).toEqual(['submitted']));
    // Two rests of the job that hands over what has been queued for seconds.
    await server.query(`update sms_sends set sent_at = sent_at - interval '5 seconds' where credit_report_id = $1`, [
      open.creditReportId,
    ]);
    const runs = async () =>
      Number(
        /trefoil_job_runs_total\{name="submit-messages",outcome="done"\} (\d+)/.exec(await readMetrics(server))?.[1] ??
          0,
      );
    const before = await runs();
    await eventually(async () => expect(await runs()).toBeGreaterThanOrEqual(before + 2));
    expect(await story(server, open)).toEqual(CHALLENGED);
    const [send] = await server.query<{ id: string }>('select id from sms_sends where credit_report_id = $1', [
      open.creditReportId,
    ]);
    const response = await fetch(`${server.providers.addresses.carrier}/control/submits`);
    const { submits } = (await response.json()) as { submits: { sendId: string; submits: number }[] };
    expect(submits.find(({ sendId }) => sendId === send?.id)?.submits).toBe(1);
  });

  test('receipts twice, in the wrong order and against each other: charged once', async () => {
    for (const digit of [4, 5]) {
      const open = await challenge(server, { to: newMobile(digit) });
      await eventually(async () => expect((await story(server, open)).sends).toEqual(['delivered']));
      expect(await story(server, open)).toMatchObject({ balance: FUNDS - P - S, held: 0 });
    }
  });

  test('receipts that are quicker than the answer to the submit: charged once, the message keeps its reference', async () => {
    const to = quietMobile();
    await control(server, 'carrier', { match: { to }, behaviour: 'early' });
    const open = await challenge(server, { to });
    const [message] = await messages(server, to);
    const [send] = await sendsOf(server, open, true);
    await eventually(async () => expect((await story(server, open)).lines).toHaveLength(2));
    expect(send?.state).toBe('delivered');
    expect(send?.carrier_ref).toBe(message?.sid);
  });

  test('after the challenge is over its message is still settled by its own receipt', async () => {
    const open = await challenge(server);
    await messages(server, open.to);
    const [send] = await sendsOf(server, open);
    await letTimePass(server, open, '301 seconds');
    expect(await refusalOf(submit(open, '000000'))).toMatchObject({ status: 410 });
    await applyReceipt(server, send?.id ?? '', 'delivered');
    expect(await story(server, open)).toMatchObject({
      balance: FUNDS - S,
      held: 0,
      lines: ['report-charge -2000 8000', 'report-refund 2000 10000', 'sms-charge -40 9960'],
    });
  });
});
