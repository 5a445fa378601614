// The state table (docs/decisions/0050-when-the-report-is-charged.md) over HTTP against the simulators: a challenge that
// nobody has answered in time.
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../../../../tools/testing/eventually.ts';
import {
  CHALLENGED,
  challenge,
  codeOf,
  letTimePass,
  messages,
  resend,
  sendsOf,
  statusOf,
  story,
  submit,
} from '../../support/challenges.ts';
import type { LiveServer } from '../../support/live.ts';
import { useLiveServer } from '../../support/one-node.ts';
import { askedTimes } from '../../support/providers.ts';
import { SHORT_RESTS } from '../../support/rests.ts';
import { refusalOf, type Story } from '../../support/tenant.ts';
import { FUNDS, wrongCode } from '../../support/words.ts';

let server: LiveServer;
// Without jobs: a sweep would end a challenge that a request should find. So the two groups of tests do not overlap either.
useLiveServer(
  (started) => {
    server = started;
  },
  { environment: { TREFOIL_JOBS: 'off' } },
);

const expired: Story = {
  ...CHALLENGED,
  balance: FUNDS,
  reports: ['expired expired'],
  lines: ['report-charge -2000 8000', 'report-refund 2000 10000'],
  events: [...CHALLENGED.events, 'report.expired report 1', 'wallet.refunded report 1'],
  audit: [...CHALLENGED.audit, 'report.expired by system report 1'],
};
const seen: Story = { ...expired, audit: [...CHALLENGED.audit, 'report.expired by caller report 1'] };
const gone = { status: 410, code: 'challenge-expired' };

describe('challenged → expired, seen by a request', () => {
  test.concurrent('410 seen by a submit, even with the right code: refunded once, no attempt used, for good', async () => {
    const open = await challenge(server);
    const code = await codeOf(server, open);
    await sendsOf(server, open);
    await letTimePass(server, open, '301 seconds');
    for (const each of [code, wrongCode(code), code]) expect(await refusalOf(submit(open, each))).toEqual(gone);
    expect(await refusalOf(resend(open))).toEqual(gone);
    expect(await story(server, open)).toEqual(seen);
    const [row] = await server.query(
      'select attempts_used, due_at, completed_at from challenges where credit_report_id = $1',
      [open.creditReportId],
    );
    expect(row).toEqual({ attempts_used: 0, due_at: null, completed_at: null });
  });

  test.concurrent('410 seen by a resend: refunded once, no message', async () => {
    const open = await challenge(server);
    await messages(server, open.to);
    await sendsOf(server, open);
    await letTimePass(server, open, '301 seconds');
    expect(await refusalOf(resend(open))).toEqual(gone);
    expect(await story(server, open)).toEqual(seen);
    expect(await refusalOf(resend(open))).toEqual(gone);
    expect(await refusalOf(submit(open, '000000'))).toEqual(gone);
    expect(await story(server, open)).toEqual(seen);
    expect(await server.inbox(open.to)).toHaveLength(1);
  });

  test.concurrent('the last instant still counts: at 4:59 the right code completes', async () => {
    const open = await challenge(server);
    const code = await codeOf(server, open);
    await letTimePass(server, open, '298 seconds');
    expect((await submit(open, code)).data.status).toBe('complete');
  });
});

describe('challenged → expired, seen by the job', () => {
  let sweeping: { close(): Promise<void> };
  beforeAll(async () => {
    sweeping = await server.startNode({ TREFOIL_JOBS: 'on' }, { rests: SHORT_RESTS });
  });
  afterAll(() => sweeping.close());

  test.concurrent('seen by the job alone: refunded; every later call is 410 and moves nothing', async () => {
    const open = await challenge(server);
    const code = await codeOf(server, open);
    await sendsOf(server, open);
    await letTimePass(server, open, '301 seconds');
    await eventually(async () => expect(await story(server, open)).toEqual(expired));
    expect(await refusalOf(submit(open, code))).toEqual(gone);
    expect(await refusalOf(resend(open))).toEqual(gone);
    expect(await story(server, open)).toEqual(expired);
  });

  test.concurrent('410: once expired and refunded, no code opens it, whatever the clock says then', async () => {
    const open = await challenge(server);
    const code = await codeOf(server, open);
    await sendsOf(server, open);
    await letTimePass(server, open, '301 seconds');
    await eventually(async () => expect(await story(server, open)).toEqual(expired));
    await letTimePass(server, open, '-301 seconds');
    expect(await refusalOf(submit(open, code))).toEqual(gone);
    expect(await refusalOf(resend(open))).toEqual(gone);
    expect(await story(server, open)).toEqual(expired);
    expect(await askedTimes(server, open.creditReportId)).toEqual([0, 0, 0]);
  });

  test.concurrent('a message sent while the job waits for the lock keeps the challenge open', async () => {
    const open = await challenge(server);
    const code = await codeOf(server, open);
    await sendsOf(server, open);
    const blocker = new Client({ connectionString: server.environment['TREFOIL_OWNER_DATABASE_URL'] ?? '' });
    await blocker.connect();
    try {
      // A resend holds the report while the job finds the challenge due and waits.
      await blocker.query('begin');
      await blocker.query('select from credit_reports where id = $1 for update', [open.creditReportId]);
      await letTimePass(server, open, '301 seconds', false);
      await eventually(async () => {
        const waiting = await server.query(
          `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
              and query like '%for no key update%'`,
        );
        expect(waiting.length).toBeGreaterThan(0);
      });
      await blocker.query(
        `update challenges set last_sent_at = clock_timestamp(), due_at = clock_timestamp() + interval '5 minutes'
          where credit_report_id = $1`,
        [open.creditReportId],
      );
      await blocker.query('commit');
    } finally {
      await blocker.end();
    }
    // One that was found beside it shows that the job has been through.
    const other = await challenge(server);
    await letTimePass(server, other, '301 seconds');
    await eventually(async () => expect(await statusOf(server, other.creditReportId)).toBe('expired'));
    expect(await story(server, open)).toEqual(CHALLENGED);
    expect((await submit(open, code)).data.status).toBe('complete');
  });

  test.concurrent('the job does not end it before its five minutes are over, even when told to look', async () => {
    const open = await challenge(server);
    await sendsOf(server, open);
    await letTimePass(server, open, '200 seconds');
    await server.query('update challenges set due_at = clock_timestamp() where credit_report_id = $1', [
      open.creditReportId,
    ]);
    const other = await challenge(server);
    await letTimePass(server, other, '301 seconds');
    await eventually(async () => expect(await statusOf(server, other.creditReportId)).toBe('expired'));
    expect(await story(server, open)).toEqual(CHALLENGED);
  });
});
