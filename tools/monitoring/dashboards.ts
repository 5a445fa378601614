// What the Grafana dashboards show. `npm run dashboards` makes deploy/grafana/*.json from it (grafana.ts knows Grafana's format).
// No query may name a tenant: no metric does. Decision: docs/decisions/0250-monitoring-is-drilled.md.

/** `per-second` is of requests, `times-per-second` of anything else that happens. */
export type Unit =
  | 'per-second'
  | 'times-per-second'
  | 'bytes-per-second'
  | 'seconds'
  | 'share'
  | 'count'
  | 'bytes'
  | 'credits';

export type Panel = {
  readonly title: string;
  /** A sentence for the reader; shown at the panel's corner. */
  readonly about?: string;
  readonly unit: Unit;
  /** A single number instead of a graph. */
  readonly isNumber?: true;
  /** Legend and PromQL. `$__rate_interval` is Grafana's: at least four scrapes. */
  readonly queries: Readonly<Record<string, string>>;
};

export type Dashboard = {
  /** The file's name and the address in Grafana. */
  readonly id: string;
  readonly title: string;
  readonly rows: Readonly<Record<string, readonly Panel[]>>;
};

const REQUESTS = 'trefoil_http_request_duration_seconds';
const GENERATE = 'route="/:tenantId/v1/credit-reports",method="POST"';
const BUREAUS = 'trefoil_bureau_answer_seconds';

const rate = (metric: string) => `rate(${metric}[$__rate_interval])`;
const rateBy = (label: string, metric: string) => `sum by (${label}) (${rate(metric)})`;
const quantile = (q: number, metric: string, selector = '', by = '') =>
  `histogram_quantile(${q}, sum by (${by}le) (${rate(`${metric}_bucket${selector}`)}))`;

const overview: Dashboard = {
  id: 'trefoil-overview',
  title: 'Trefoil: overview',
  rows: {
    Objectives: [
      {
        title: 'Burn rate over the last hour',
        about:
          'How many times faster than allowed the error budget was used up; 1 lasts exactly thirty days. A person is woken when it is above 14.4 over this hour and over the last five minutes, or above 6 over six hours and over half an hour.',
        unit: 'count',
        queries: {
          availability: 'trefoil:bad:ratio_1h{objective="generate-availability"} / 0.001',
          'own time': 'trefoil:bad:ratio_1h{objective="own-time"} / 0.01',
          settlement: 'trefoil:bad:ratio_1h{objective="settlement"} / 0.001',
          webhooks: 'trefoil:bad:ratio_1h{objective="webhook-delivery"} / 0.005',
          messages: 'trefoil:bad:ratio_1h{objective="message-delivery"} / 0.01',
        },
      },
      {
        title: 'Bad over three days',
        about: 'The share that missed its objective.',
        unit: 'share',
        queries: { '{{objective}}': 'trefoil:bad:ratio_3d' },
      },
    ],
    Requests: [
      {
        title: 'Requests by status',
        unit: 'per-second',
        queries: { '{{status}}': rateBy('status', `${REQUESTS}_count`) },
      },
      {
        title: 'Time of a report request',
        about: 'Bureaus included.',
        unit: 'seconds',
        queries: {
          p50: quantile(0.5, REQUESTS, `{${GENERATE}}`),
          p99: quantile(0.99, REQUESTS, `{${GENERATE}}`),
        },
      },
      {
        title: 'Our own time of a live report',
        about: 'Without screening and bureaus. The objective is 0.25 s for 99 %.',
        unit: 'seconds',
        queries: {
          p50: quantile(0.5, 'trefoil_report_own_seconds'),
          p99: quantile(0.99, 'trefoil_report_own_seconds'),
        },
      },
      {
        title: 'Live reports by status',
        unit: 'per-second',
        queries: { '{{status}}': rateBy('status', 'trefoil_reports_total{mode="live"}') },
      },
      {
        title: 'Why live reports fail',
        unit: 'per-second',
        queries: { '{{failure}}': rateBy('failure', 'trefoil_report_failures_total') },
      },
      {
        title: 'Refused before work began',
        unit: 'per-second',
        queries: { '{{reason}}': rateBy('reason', 'trefoil_refusals_total') },
      },
    ],
    Processes: [
      {
        title: 'Processes that answer',
        unit: 'count',
        isNumber: true,
        queries: { processes: 'sum(up{job="trefoil"})' },
      },
      {
        title: 'Versions',
        unit: 'count',
        isNumber: true,
        queries: { '{{version}}': 'count by (version) (trefoil_build_info)' },
      },
      {
        title: 'Event loop, p99 delay',
        unit: 'seconds',
        queries: { '{{instance}}': 'nodejs_eventloop_lag_p99_seconds{job="trefoil"}' },
      },
      {
        title: 'Processor',
        unit: 'count',
        queries: { '{{instance}}': rate('process_cpu_seconds_total{job="trefoil"}') },
      },
      {
        title: 'Memory',
        unit: 'bytes',
        queries: { '{{instance}}': 'process_resident_memory_bytes{job="trefoil"}' },
      },
      { title: 'Open connections', unit: 'count', queries: { '{{instance}}': 'trefoil_connections' } },
      {
        title: 'Queue: oldest call',
        unit: 'seconds',
        queries: { '{{instance}}': 'trefoil_queue_oldest_seconds', 'run, {{instance}}': 'trefoil_queue_run_seconds' },
      },
      {
        title: 'Jobs that failed',
        unit: 'count',
        queries: { '{{name}}': 'sum by (name) (increase(trefoil_job_runs_total{outcome="failed"}[$__rate_interval]))' },
      },
    ],
  },
};

const bureaus: Dashboard = {
  id: 'trefoil-bureaus',
  title: 'Trefoil: bureaus and screening',
  rows: {
    Bureaus: [
      {
        title: 'Enquiries by bureau',
        unit: 'per-second',
        queries: { '{{bureau}}': rateBy('bureau', `${BUREAUS}_count`) },
      },
      {
        title: 'Share without an answer',
        unit: 'share',
        queries: {
          '{{bureau}}': `${rateBy('bureau', `${BUREAUS}_count{outcome="unavailable"}`)} / ${rateBy('bureau', `${BUREAUS}_count`)}`,
        },
      },
      {
        title: 'Outcomes',
        unit: 'per-second',
        queries: { '{{bureau}} {{outcome}} {{reason}}': rateBy('bureau, outcome, reason', `${BUREAUS}_count`) },
      },
      {
        title: 'Time, p50',
        unit: 'seconds',
        queries: { '{{bureau}}': quantile(0.5, BUREAUS, '', 'bureau, ') },
      },
      {
        title: 'Time, p99',
        unit: 'seconds',
        queries: { '{{bureau}}': quantile(0.99, BUREAUS, '', 'bureau, ') },
      },
      {
        title: 'Values that adapters do not know',
        unit: 'count',
        queries: {
          '{{bureau}} {{field}} {{kind}}':
            'sum by (bureau, field, kind) (increase(trefoil_bureau_warnings_total[$__rate_interval]))',
        },
      },
    ],
    Screening: [
      {
        title: 'Verdicts',
        unit: 'per-second',
        queries: { '{{outcome}} {{reason}}': rateBy('outcome, reason', 'trefoil_screenings_total') },
      },
    ],
  },
};

const money: Dashboard = {
  id: 'trefoil-money',
  title: 'Trefoil: money',
  rows: {
    Ledger: [
      {
        title: 'Credits moved per second',
        about:
          'Counted when a worker adds the lines to the days of their wallets, about ten seconds after they were written.',
        unit: 'credits',
        queries: { '{{kind}}': rateBy('kind', 'trefoil_ledger_credits_total') },
      },
      {
        title: 'Lines',
        unit: 'times-per-second',
        queries: { '{{kind}}': rateBy('kind', 'trefoil_ledger_lines_total') },
      },
      {
        title: 'Alarms in the last hour',
        unit: 'count',
        isNumber: true,
        queries: { '{{alarm}}': 'sum by (alarm) (increase(trefoil_alarms_total[1h]))' },
      },
    ],
    Settlement: [
      {
        title: 'Oldest work that waits for its settlement',
        about: 'The objective is a minute.',
        unit: 'seconds',
        queries: { oldest: 'max(trefoil_unsettled_seconds)' },
      },
      {
        title: 'Sweeps and reconciliations',
        unit: 'times-per-second',
        queries: {
          '{{name}} {{outcome}}': rateBy(
            'name, outcome',
            'trefoil_job_runs_total{name=~"settle-abandoned|end-due-challenges|reconcile.*|roll-up-wallets"}',
          ),
        },
      },
      {
        title: 'Rows that wait for deletion',
        unit: 'seconds',
        queries: { '{{table}}': 'max by (table) (trefoil_overdue_seconds)' },
      },
    ],
  },
};

const messages: Dashboard = {
  id: 'trefoil-messages',
  title: 'Trefoil: messages and mail',
  rows: {
    Messages: [
      {
        title: 'Submitted to the carrier',
        unit: 'per-second',
        queries: { '{{outcome}}': rateBy('outcome', 'trefoil_sms_submits_total') },
      },
      {
        title: 'Receipts',
        unit: 'per-second',
        queries: { '{{outcome}}': rateBy('outcome', 'trefoil_sms_receipts_total') },
      },
      {
        title: 'Questions to the carrier',
        unit: 'per-second',
        queries: { '{{outcome}}': rateBy('outcome', 'trefoil_sms_asks_total') },
      },
      {
        title: 'Codes, live',
        unit: 'per-second',
        queries: { '{{outcome}}': rateBy('outcome', 'trefoil_otp_codes_total{mode="live"}') },
      },
      {
        title: 'Right codes per message',
        about: 'Far below its usual value while messages rise: pumping.',
        unit: 'share',
        queries: {
          share: `sum(${rate('trefoil_otp_codes_total{mode="live",outcome="complete"}')}) / sum(${rate('trefoil_sms_submits_total')})`,
        },
      },
    ],
    Mail: [
      { title: 'Attempts', unit: 'per-second', queries: { '{{outcome}}': rateBy('outcome', 'trefoil_mails_total') } },
      { title: 'Waiting', unit: 'count', queries: { mails: 'max(trefoil_mails_waiting)' } },
      { title: 'Oldest', unit: 'seconds', queries: { oldest: 'max(trefoil_mails_oldest_seconds)' } },
    ],
  },
};

const events: Dashboard = {
  id: 'trefoil-events',
  title: 'Trefoil: events and webhooks',
  rows: {
    Webhooks: [
      {
        title: 'Attempts',
        unit: 'per-second',
        queries: { '{{outcome}}': rateBy('outcome', 'trefoil_webhook_attempts_total') },
      },
      {
        title: 'Time of an attempt',
        unit: 'seconds',
        queries: {
          p50: quantile(0.5, 'trefoil_webhook_attempt_seconds'),
          p99: quantile(0.99, 'trefoil_webhook_attempt_seconds'),
        },
      },
      { title: 'Waiting', unit: 'count', queries: { deliveries: 'max(trefoil_webhooks_waiting)' } },
      { title: 'Requests that wait for events', unit: 'count', queries: { '{{instance}}': 'trefoil_event_waits' } },
      {
        title: 'Oldest',
        about: 'The objective is a minute for both.',
        unit: 'seconds',
        queries: {
          'due for an endpoint that works': 'max(trefoil_webhooks_oldest_seconds)',
          'not handed out': 'max(trefoil_webhooks_not_handed_out_seconds)',
        },
      },
    ],
    Jobs: [
      {
        title: 'Runs',
        unit: 'times-per-second',
        queries: {
          '{{name}} {{outcome}}': rateBy(
            'name, outcome',
            'trefoil_job_runs_total{name=~"hand-out-events|deliver-webhooks|replay-events|watch-webhooks"}',
          ),
        },
      },
    ],
  },
};

const postgres: Dashboard = {
  id: 'trefoil-postgres',
  title: 'Trefoil: PostgreSQL',
  rows: {
    Load: [
      {
        title: 'Transactions',
        unit: 'times-per-second',
        queries: {
          'commit, {{datname}}': rate('pg_stat_database_xact_commit{datname!~"template.*|postgres|"}'),
          'rollback, {{datname}}': rate('pg_stat_database_xact_rollback{datname!~"template.*|postgres|"}'),
        },
      },
      {
        title: 'Sessions by state',
        unit: 'count',
        queries: { '{{state}}': 'sum by (state) (pg_stat_activity_count)', limit: 'max(pg_settings_max_connections)' },
      },
      {
        title: 'Longest transaction',
        about: 'A long one that has written something delays the events of all tenants.',
        unit: 'seconds',
        queries: { '{{datname}}': 'max by (datname) (pg_stat_activity_max_tx_duration)' },
      },
      { title: 'Locks', unit: 'count', queries: { '{{mode}}': 'sum by (mode) (pg_locks_count)' } },
      {
        title: 'Deadlocks',
        unit: 'count',
        queries: {
          '{{datname}}': 'increase(pg_stat_database_deadlocks{datname!~"template.*|postgres|"}[$__rate_interval])',
        },
      },
    ],
    Storage: [
      {
        title: 'Size',
        unit: 'bytes',
        queries: { '{{datname}}': 'pg_database_size_bytes{datname!~"template.*|postgres"}' },
      },
      {
        title: 'Blocks found in memory',
        unit: 'share',
        queries: {
          share: `sum(${rate('pg_stat_database_blks_hit')}) / (sum(${rate('pg_stat_database_blks_hit')}) + sum(${rate('pg_stat_database_blks_read')}))`,
        },
      },
      {
        title: 'Rows written',
        unit: 'times-per-second',
        queries: {
          inserted: `sum(${rate('pg_stat_database_tup_inserted')})`,
          updated: `sum(${rate('pg_stat_database_tup_updated')})`,
          deleted: `sum(${rate('pg_stat_database_tup_deleted')})`,
        },
      },
      {
        title: 'Checkpoints',
        unit: 'times-per-second',
        queries: {
          timed: rate('pg_stat_bgwriter_checkpoints_timed_total'),
          requested: rate('pg_stat_bgwriter_checkpoints_req_total'),
        },
      },
      {
        title: 'Temporary files',
        unit: 'bytes-per-second',
        queries: { written: `sum(${rate('pg_stat_database_temp_bytes')})` },
      },
    ],
    'As the nodes see it': [
      {
        title: 'Connections that stopped answering',
        unit: 'count',
        queries: { '{{pool}}': 'sum by (pool) (increase(trefoil_database_timeouts_total[$__rate_interval]))' },
      },
    ],
  },
};

export const DASHBOARDS: readonly Dashboard[] = [overview, bureaus, money, messages, events, postgres];

/** Every query of a dashboard with where it stands. */
export function queriesOf({ id, rows }: Dashboard): { readonly where: string; readonly expr: string }[] {
  return Object.values(rows).flatMap((panels) =>
    panels.flatMap(({ title, queries }) => Object.values(queries).map((expr) => ({ where: `${id}: ${title}`, expr }))),
  );
}
