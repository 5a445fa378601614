// Prometheus metrics. Labels are closed lists (method, route pattern, status, outcome): no id and nothing personal.
// Every process has these; a feature keeps its own metrics beside its code.
import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { VERSION } from './version.ts';

export type Metrics = ReturnType<typeof createMetrics>;

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
      help: 'Runs of periodic jobs, by job and outcome',
      labelNames: ['job', 'outcome'],
      registers,
    }),
    overdue: new Gauge({
      name: 'trefoil_overdue_seconds',
      help: 'How long ago the oldest row that should be deleted or erased should have gone, by table; 0 when there is none',
      labelNames: ['table'],
      registers,
    }),
    alarms: new Counter({
      name: 'trefoil_alarms_total',
      help: 'Things a person should look at, by kind',
      labelNames: ['alarm'],
      registers,
    }),
    clockOffset: new Gauge({
      name: 'trefoil_clock_offset_seconds',
      help: 'How far the clock of this process is ahead of that of the database; negative when behind',
      registers,
    }),
    databaseTimeouts: new Counter({
      name: 'trefoil_database_timeouts_total',
      help: 'Groups of statements that got no answer in time, by pool; their connections were destroyed',
      labelNames: ['pool'],
      registers,
    }),
    limitFallbacks: new Counter({
      name: 'trefoil_limit_fallbacks_total',
      help: 'Times Redis could not judge a limit and this node judged alone',
      registers,
    }),
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
