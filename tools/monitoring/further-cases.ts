// Further cases of alerts with more than one condition: each condition alone, and what must not be mistaken for it.
import type { RuleCase } from './promtool.ts';

const JOBS = 'trefoil_job_runs_total';
const EXPIRES = `${JOBS}{name="expire-test-challenges",outcome="done"}`;
const SETTLES = `${JOBS}{name="settle-abandoned",outcome="done"}`;
const WATCHES = `${JOBS}{name="watch-webhooks",outcome="done"}`;
const LIVE = 'trefoil_screenings_total{outcome="allow",reason=""}';
const OURS = 'up{instance="api-1",job="trefoil"}';
const runs = '0+3x60';
const up = '1x60';

type Look = Pick<RuleCase, 'name' | 'series' | 'fires'> & Partial<Pick<RuleCase, 'interval' | 'evaluateEvery' | 'at'>>;

/** Runs at these minutes. */
const runsAt = (minutes: readonly number[], length: number) =>
  Array.from({ length: length + 1 }, (_, minute) => minutes.filter((each) => each <= minute).length).join(' ');

/** A job whose only runs are these: what failed, and what was done. */
const job = (name: string, failed: string, done: string) => ({
  [`${JOBS}{name="${name}",outcome="failed"}`]: failed,
  [`${JOBS}{name="${name}",outcome="done"}`]: done,
});

const HOURS_4 = 4 * 60;
const HOURS_52 = 52 * 60;
/** Minutes of runs that rest for an hour and a little, and of one that rests for a day and a little. */
const HOURLY = [66, 138, 204];
const DAILY = [120, 1_620, 3_110];
const hourly = { interval: '1m', evaluateEvery: '5m', at: `${HOURS_4}m` };
const daily = { interval: '1m', evaluateEvery: '20m', at: `${HOURS_52}m` };

const LOOKS: Readonly<Record<string, readonly Look[]>> = {
  TrefoilDown: [{ name: 'no target is known', series: {}, fires: [{ job: 'trefoil' }] }],
  TrefoilJobsStopped: [
    {
      name: 'no process has ever run the jobs',
      series: { [OURS]: up },
      fires: [{ name: 'expire-test-challenges', outcome: 'done' }],
    },
    {
      name: 'workers without live mode, while nodes serve live reports',
      series: { [OURS]: up, [EXPIRES]: runs, [LIVE]: '40x60' },
      fires: [{ name: 'settle-abandoned', outcome: 'done' }],
    },
    { name: 'test mode alone', series: { [OURS]: up, [EXPIRES]: runs, [LIVE]: '0x60' }, fires: [] },
    { name: 'both modes', series: { [OURS]: up, [EXPIRES]: runs, [SETTLES]: runs, [LIVE]: '40x60' }, fires: [] },
  ],
  TrefoilSlowJobFails: [
    {
      name: 'people are not indexed: a job of every five minutes fails',
      series: job('index-subjects', runsAt([6, 12, 18, 24, 30, 36, 42, 48, 54, 60, 66, 72], 75), '3x75'),
      fires: [{ name: 'index-subjects' }],
      interval: '1m',
      at: '75m',
    },
    {
      name: 'an hourly job fails and was not done for three hours',
      series: job('reconcile-unsettled', runsAt(HOURLY, HOURS_4), '2x240'),
      fires: [{ name: 'reconcile-unsettled' }],
      ...hourly,
    },
    {
      name: 'late receipts are not erased: an hourly job of another feature',
      series: job('erase-late-receipts', runsAt(HOURLY, HOURS_4), '2x240'),
      fires: [{ name: 'erase-late-receipts' }],
      ...hourly,
    },
    {
      name: 'an hourly job failed once',
      series: job('reconcile-unsettled', runsAt(HOURLY.slice(2), HOURS_4), runsAt(HOURLY.slice(0, 2), HOURS_4)),
      fires: [],
      ...hourly,
    },
    {
      name: 'a daily job fails and was not done for a day',
      series: job('reconcile-all', runsAt(DAILY.slice(1), HOURS_52), runsAt(DAILY.slice(0, 1), HOURS_52)),
      fires: [{ name: 'reconcile-all' }],
      ...daily,
    },
    {
      name: 'one worker, whose destruction of month keys fails every day',
      series: job('month-keys', runsAt(DAILY, HOURS_52), '0x3120'),
      fires: [{ name: 'month-keys' }],
      ...daily,
    },
    {
      name: 'a daily job failed yesterday and was done today',
      series: job('reconcile-all', runsAt(DAILY.slice(1, 2), HOURS_52), runsAt(DAILY.slice(2), HOURS_52)),
      fires: [],
      ...daily,
    },
  ],
  TrefoilPostgresDown: [
    {
      name: 'the exporter is gone with the machine',
      series: { 'up{instance="db",job="postgres"}': '1x30 0x30', 'pg_up{instance="db",job="postgres"}': '1x30 stale' },
      fires: [{ instance: 'db', job: 'postgres' }],
    },
    { name: 'no exporter is installed', series: { [OURS]: up }, fires: [] },
  ],
  TrefoilMailLate: [
    {
      name: 'a mail server is configured, and mail is in time',
      series: { trefoil_mails_oldest_seconds: '30x60', [`${JOBS}{name="send-mails",outcome="done"}`]: '0+15x60' },
      fires: [],
    },
  ],
  TrefoilWebhooksLate: unmeasured('trefoil_webhooks_oldest_seconds'),
  TrefoilEventsNotHandedOut: unmeasured('trefoil_webhooks_not_handed_out_seconds'),
};

/** The gauge keeps its last good value, or its first. */
function unmeasured(gauge: string): Look[] {
  return [
    { name: 'measuring ended', series: { [gauge]: '0x60', [WATCHES]: '0 0 1 1 2 2 3 3 4 4 5x50' }, fires: [{}] },
    { name: 'nobody ever measured', series: { [gauge]: '0x60' }, fires: [{}] },
    { name: 'measuring has just begun', series: { [gauge]: '0x4', [WATCHES]: '1x4' }, fires: [], at: '1m' },
  ];
}

export function furtherCases(): RuleCase[] {
  return Object.entries(LOOKS).flatMap(([alert, looks]) =>
    looks.map(({ name, ...look }) => ({ interval: '15s', at: '15m', alert, ...look, name: `${alert}: ${name}` })),
  );
}
