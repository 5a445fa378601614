// Prometheus metrics. Labels are closed lists (method, route pattern, status, outcome): no id and nothing personal.
// Every process has these; a feature keeps its own metrics beside its code.
import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { VERSION } from './version.ts';

export type Metrics = ReturnType<typeof createMetrics>;

/** What a person should look at. */
const ALARMS = ['books-do-not-agree', 'sms-writeoff', 'clock'];
const POOLS = ['queue', 'requests', 'jobs', 'look-ups', 'system-jobs'];

/**
 * Creates the series of a counter with the value 0, for each combination of these labels. A series that appears with its
 * first event would hide that event: Prometheus counts increases (docs/decisions/0249-objectives-and-alerts.md).
 */
export function beginAtZero<Label extends string>(
  counter: Counter<Label>,
  labels: Readonly<Record<Label, readonly string[]>>,
): Counter<Label> {
  let series: Partial<Record<Label, string>>[] = [{}];
  for (const [label, values] of Object.entries<readonly string[]>(labels)) {
    series = series.flatMap((each) => values.map((value) => ({ ...each, [label]: value })));
  }
  for (const each of series) counter.inc(each, 0);
  return counter;
}

export function createMetrics() {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  new Gauge({
    name: 'trefoil_build_info',
    help: 'Always 1; its label says which version runs',
    labelNames: ['version'],
    registers,
  }).set({ version: VERSION }, 1);
  return {
    registry,
    jobs: new Counter({
      name: 'trefoil_job_runs_total',
      help: 'Runs of periodic jobs, by name and outcome',
      // Not `job`: Prometheus gives that name to the scrape and would rename ours.
      labelNames: ['name', 'outcome'],
      registers,
    }),
    overdue: new Gauge({
      name: 'trefoil_overdue_seconds',
      help: 'How long ago the oldest row that should be deleted or erased should have gone, by table; 0 when there is none',
      labelNames: ['table'],
      registers,
    }),
    alarms: beginAtZero(
      new Counter({
        name: 'trefoil_alarms_total',
        help: 'Things a person should look at, by kind',
        labelNames: ['alarm'],
        registers,
      }),
      { alarm: ALARMS },
    ),
    clockOffset: new Gauge({
      name: 'trefoil_clock_offset_seconds',
      help: 'How far the clock of this process is ahead of that of the database; negative when behind',
      registers,
    }),
    databaseTimeouts: beginAtZero(
      new Counter({
        name: 'trefoil_database_timeouts_total',
        help: 'Groups of statements that got no answer in time, by pool; their connections were destroyed',
        labelNames: ['pool'],
        registers,
      }),
      { pool: POOLS },
    ),
    limitFallbacks: new Counter({
      name: 'trefoil_limit_fallbacks_total',
      help: 'Times Redis could not judge a limit and this node judged alone',
      registers,
    }),
    limitsShared: new Gauge({
      name: 'trefoil_limits_shared',
      help: '1 while limits are shared with other nodes through Redis; 0 where TREFOIL_REDIS_URL is none',
      registers,
    }),
    spansDropped: beginAtZero(
      new Counter({
        name: 'trefoil_trace_spans_dropped_total',
        help: 'Spans that did not reach the collector, by why: full (the queue was), refused (by the collector), failed (after eight tries, or at the stop)',
        labelNames: ['why'],
        registers,
      }),
      { why: ['full', 'refused', 'failed'] },
    ),
  };
}

/** A gauge whose value is read when the metrics are scraped. */
export function watchGauge(registry: Registry, name: string, help: string, read: () => number): void {
  new Gauge({
    ...{ name, help, registers: [registry] },
    collect() {
      this.set(read());
    },
  });
}
