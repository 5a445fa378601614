// For every objective: three stretches of bad minutes, each of which fires exactly one of its three alerts, and two that fire
// none. Minutes are wholly good or wholly bad, so that one pattern fits objectives about requests and those about time.
import { BURNS, type Burn, type Objective } from './objectives.ts';
import type { RuleCase } from './promtool.ts';

const DAYS_3 = 3 * 24 * 60;
const HOURS_6 = 6 * 60;
const HOUR = 60;
/** Enough to pass a threshold, and not so much that the next alert fires too. */
const A_LITTLE_MORE = 1.15;
const PER_MINUTE = 1_000;

type Pattern = {
  readonly name: string;
  readonly fires: readonly Burn['name'][];
  readonly badMinutesAgo: readonly number[];
};

/** So many minutes, evenly over a window that ended some minutes ago. */
function spread(count: number, minutes: number, endedAgo: number): number[] {
  const step = Math.floor((minutes - endedAgo) / count);
  return Array.from({ length: count }, (_, place) => endedAgo + place * step);
}

function patternsOf({ target }: Objective): Pattern[] {
  const budget = 1 - target;
  const minutesOf = (window: number, factor: number) =>
    Math.ceil(Number((window * factor * budget * A_LITTLE_MORE).toFixed(3)));
  const burst = Array.from({ length: minutesOf(HOUR, 14.4) }, (_, place) => place);
  return [
    { name: 'all bad for a moment', fires: ['fast'], badMinutesAgo: burst },
    { name: 'often bad for six hours', fires: ['medium'], badMinutesAgo: spread(minutesOf(HOURS_6, 6), HOURS_6, 7) },
    {
      name: 'now and then bad for three days',
      fires: ['slow'],
      badMinutesAgo: spread(minutesOf(DAYS_3, 1), DAYS_3, 40),
    },
    { name: 'the moment is over', fires: [], badMinutesAgo: burst.map((ago) => ago + 7) },
    { name: 'all good', fires: [], badMinutesAgo: [] },
  ];
}

function counter(increases: readonly number[]): string {
  let sum = 0;
  return increases.map((increase) => (sum += increase)).join(' ');
}

type Feed = (isBad: readonly boolean[]) => Record<string, string>;

const all = (isBad: readonly boolean[]) => counter(isBad.map(() => PER_MINUTE));
const bad = (isBad: readonly boolean[]) => counter(isBad.map((each) => (each ? PER_MINUTE : 0)));
const good = (isBad: readonly boolean[]) => counter(isBad.map((each) => (each ? 0 : PER_MINUTE)));

const GENERATE = 'method="POST",route="/:tenantId/v1/credit-reports"';
/** What the processes would say in such minutes. */
const FEEDS: Readonly<Record<string, Feed>> = {
  'generate-availability': (isBad) => ({
    [`trefoil_http_request_duration_seconds_count{${GENERATE},status="200"}`]: good(isBad),
    [`trefoil_http_request_duration_seconds_count{${GENERATE},status="503"}`]: bad(isBad),
    // Refused callers are neither good nor bad, however many.
    [`trefoil_http_request_duration_seconds_count{${GENERATE},status="401"}`]: all(isBad),
  }),
  'own-time': (isBad) => ({
    'trefoil_report_own_seconds_bucket{le="0.25"}': good(isBad),
    trefoil_report_own_seconds_count: all(isBad),
  }),
  settlement: (isBad) => ({ 'trefoil:settlement:late': isBad.map(Number).join(' ') }),
  'webhook-delivery': (isBad) => ({ 'trefoil:webhooks:late': isBad.map(Number).join(' ') }),
  'message-delivery': (isBad) => ({
    'trefoil_sms_submits_total{outcome="accepted"}': good(isBad),
    'trefoil_sms_submits_total{outcome="unknown"}': bad(isBad),
  }),
};

const run = (name: string) => `trefoil_job_runs_total{name="${name}",outcome="done"}`;
const LIVE = 'trefoil_screenings_total{outcome="allow",reason=""}';
const UP = 'up{job="trefoil"}';

/** Ten minutes of what the rules look at that say whether something is late. */
const MEASURED: Readonly<Record<string, { readonly gauges: readonly string[]; readonly job: string }>> = {
  settlement: { gauges: ['trefoil_unsettled_seconds'], job: run('watch-settlement') },
  'webhook-delivery': {
    gauges: ['trefoil_webhooks_oldest_seconds', 'trefoil_webhooks_not_handed_out_seconds'],
    job: run('watch-webhooks'),
  },
};

/** All is in time, and measured every half a minute. */
const SOUND = { [UP]: '1x10', [LIVE]: '0+9x10' };
type Play = readonly [name: string, isLate: boolean, changes: Readonly<Record<string, string | undefined>>];

function playsOf(objective: string, gauges: readonly string[], job: string): Play[] {
  const isLive = objective === 'settlement';
  return [
    ['nothing is late', false, {}],
    ...gauges.map((gauge): Play => [`${gauge} is late`, true, { [gauge]: '61x10' }]),
    ['the job ended, and the gauge stays at 0', true, { [job]: '5x10' }],
    ['no process has the job', true, { [job]: undefined }],
    ['no process has the job, in test mode alone', !isLive, { [job]: undefined, [LIVE]: '0x10' }],
    // The first runs were not seen: it says nothing until it has looked for two minutes.
    ['Prometheus has just begun', false, { [job]: '_x9 3', [UP]: '_x9 1', [LIVE]: '_x9 40' }],
  ];
}

function gaugeCases({ name: objective, alert }: Objective): RuleCase[] {
  const measured = MEASURED[objective];
  if (!measured) return [];
  const { gauges, job } = measured;
  const sound = { ...SOUND, [job]: '0+2x10', ...Object.fromEntries(gauges.map((gauge) => [gauge, '60x10'])) };
  return playsOf(objective, gauges, job).map(([name, isLate, changes]) => ({
    name: `${alert}: ${name}`,
    alert,
    ...{ interval: '1m', at: '10m', groups: ['trefoil-late', groupName(objective)] },
    series: Object.fromEntries(
      Object.entries({ ...sound, ...changes }).flatMap(([series, values]) =>
        values === undefined ? [] : [[series, values]],
      ),
    ),
    fires: isLate ? BURNS.map(({ name: burn }) => ({ burn })) : [],
  }));
}

const groupName = (objective: string) => `trefoil-objective-${objective}`;

export function objectiveCases(objective: Objective): RuleCase[] {
  const feed = FEEDS[objective.name];
  if (!feed) throw new Error(`no case says what processes report for the objective ${objective.name}`);
  const played = patternsOf(objective).map(({ name, fires, badMinutesAgo }) => {
    const isBad = Array.from({ length: DAYS_3 + 1 }, (_, minute) => badMinutesAgo.includes(DAYS_3 - minute));
    return {
      name: `${objective.alert}: ${name}`,
      alert: objective.alert,
      interval: '1m',
      at: `${DAYS_3}m`,
      // Once at the beginning and once at the end: these alerts look at no earlier evaluation.
      evaluateEvery: `${DAYS_3}m`,
      series: feed(isBad),
      fires: BURNS.filter((burn) => fires.includes(burn.name)).map(({ name: burn }) => ({ burn })),
      groups: [groupName(objective.name)],
    };
  });
  return [...played, ...gaugeCases(objective)];
}
