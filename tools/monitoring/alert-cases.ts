// For every alert of deploy/prometheus/trefoil-alerts.yml: what processes report when it must fire, and what when it must not.
// Values are in promtool's notation: `0+5x60` begins at 0 and grows by 5, sixty times.
import { furtherCases } from './further-cases.ts';
import type { RuleCase } from './promtool.ts';

type Series = Readonly<Record<string, string>>;
type Labels = Readonly<Record<string, string>>;
type Pair = {
  readonly fires: Series;
  readonly silent: Series;
  /** Of the alert that fires, besides those of the rule. */
  readonly labels?: Labels;
  /** How long the samples run, and when the alert is looked at; by default every 15 s and after 15 minutes. */
  readonly interval?: string;
  readonly at?: string;
};

const I = 'instance="api-1"';
const T = 'instance="api-1",job="trefoil"';
const P = 'instance="db",job="postgres"';
const still = '0x60';
const HTTP = 'trefoil_http_request_duration_seconds';
const GENERATE = 'method="POST",route="/:tenantId/v1/credit-reports"';
const BUREAU = 'trefoil_bureau_answer_seconds_count{bureau="equifax"';
const SUBMITS = 'trefoil_sms_submits_total';
const CODES = 'trefoil_otp_codes_total{mode="live",outcome="complete"}';
const JOBS = 'trefoil_job_runs_total';
const REPORTS = 'trefoil_reports_total';
const LIVE = 'trefoil_screenings_total{outcome="allow",reason=""}';
const WATCHES = `${JOBS}{name="watch-webhooks",outcome="done"}`;
const SENDS = `${JOBS}{name="send-mails",outcome="done"}`;

/** A counter that has been 0 and counts one event, just before the look. */
const once = '0x58 1 1';
/** Some events at once, four and a half minutes before the look. */
const aMoment = '0x41 9x18';

/** A counter that counts one event in so many samples. */
const every = (samples: number, count: number) =>
  Array.from({ length: count + 1 }, (_, place) => Math.floor(place / samples)).join(' ');
/** A job that runs every 30 to 36 s. */
const watched = every(3, 60);

const PAIRS: Readonly<Record<string, Pair>> = {
  TrefoilLedgerBroken: {
    fires: { 'trefoil_alarms_total{alarm="books-do-not-agree"}': once },
    silent: { 'trefoil_alarms_total{alarm="books-do-not-agree"}': '3x60', 'trefoil_alarms_total{alarm="clock"}': once },
  },
  TrefoilMessageWrittenOff: {
    fires: { 'trefoil_alarms_total{alarm="sms-writeoff"}': once },
    silent: { 'trefoil_alarms_total{alarm="sms-writeoff"}': still },
  },
  TrefoilDown: {
    fires: { [`up{${T}}`]: '1x30 0x30' },
    silent: { [`up{${T}}`]: '1x55 0x3 1x2', 'up{instance="other",job="node"}': '0x60' },
    labels: { instance: 'api-1', job: 'trefoil' },
  },
  TrefoilNotReady: {
    fires: { [`${HTTP}_count{${I},route="/readyz",status="503"}`]: '0+3x60' },
    silent: {
      [`${HTTP}_count{${I},route="/readyz",status="200"}`]: '0+3x60',
      [`${HTTP}_count{${I},route="/readyz",status="503"}`]: '9x60',
    },
    labels: { instance: 'api-1' },
  },
  TrefoilVersionsDiffer: {
    fires: { 'trefoil_build_info{version="0.1.0"}': '1x300', 'trefoil_build_info{version="0.2.0"}': '1x300' },
    silent: { 'trefoil_build_info{version="0.1.0"}': '1x300', 'trefoil_build_info{version="0.2.0"}': '_x240 1x60' },
    at: '75m',
  },
  TrefoilClockWrong: {
    fires: { [`trefoil_alarms_total{${I},alarm="clock"}`]: once },
    silent: { [`trefoil_alarms_total{${I},alarm="clock"}`]: still },
    labels: { instance: 'api-1' },
  },
  TrefoilEventLoopSlow: {
    fires: { [`nodejs_eventloop_lag_p99_seconds{${T}}`]: '0.3x60' },
    silent: { [`nodejs_eventloop_lag_p99_seconds{${T}}`]: '0.05x50 0.9x4 0.05x6' },
    labels: { instance: 'api-1', job: 'trefoil' },
  },
  TrefoilConnectionsRefused: {
    fires: { [`trefoil_connections_closed_total{${I},limit="address",closed="new"}`]: once },
    silent: { [`trefoil_connections_closed_total{${I},limit="address",closed="idle"}`]: '0+5x60' },
    labels: { instance: 'api-1', limit: 'address' },
  },
  TrefoilClientsMisbehave: {
    fires: { [`trefoil_connections_closed_total{${I},limit="time",closed="unread"}`]: once },
    silent: { [`trefoil_connections_closed_total{${I},limit="all",closed="unread"}`]: '0+5x60' },
    labels: { instance: 'api-1', limit: 'time' },
  },
  TrefoilProxyWithoutAddress: {
    fires: { [`trefoil_proxies_without_address_total{${I},setting="TREFOIL_TRUSTED_PROXIES"}`]: once },
    silent: { [`trefoil_proxies_without_address_total{${I},setting="TREFOIL_TRUSTED_PROXIES"}`]: still },
    labels: { instance: 'api-1', setting: 'TREFOIL_TRUSTED_PROXIES' },
  },
  TrefoilRedisDown: {
    fires: { [`trefoil_limit_fallbacks_total{${I}}`]: '0+2x60' },
    silent: { [`trefoil_limit_fallbacks_total{${I}}`]: aMoment },
  },
  TrefoilJobsStopped: {
    fires: {
      [`${JOBS}{name="settle-abandoned",outcome="done"}`]: '0+3x30 90x30',
      [`${JOBS}{name="expire-test-challenges",outcome="done"}`]: '0+3x60',
    },
    silent: {
      [`${JOBS}{${I},name="settle-abandoned",outcome="done"}`]: '90x60',
      [`${JOBS}{instance="worker",name="settle-abandoned",outcome="done"}`]: '0+3x60',
      [`${JOBS}{instance="worker",name="expire-test-challenges",outcome="done"}`]: '0+3x60',
      [LIVE]: '40x60',
    },
    labels: { name: 'settle-abandoned' },
  },
  TrefoilJobFails: {
    // It runs every five to six seconds.
    fires: { [`${JOBS}{name="submit-messages",outcome="failed"}`]: '0x40 0+2.5x20' },
    silent: {
      [`${JOBS}{name="submit-messages",outcome="failed"}`]: '0x40 2x20',
      [`${JOBS}{name="submit-messages",outcome="done"}`]: '0+2.5x60',
    },
    labels: { name: 'submit-messages' },
  },
  TrefoilSlowJobFails: {
    // One worker, which runs it every five minutes and always fails.
    fires: {
      [`${JOBS}{${I},name="forget-mails",outcome="failed"}`]: every(5, 120),
      [`${JOBS}{${I},name="forget-mails",outcome="done"}`]: '7x120',
    },
    // It fails on one worker and not on the other; another job fails now and then.
    silent: {
      [`${JOBS}{${I},name="forget-mails",outcome="failed"}`]: every(5, 120),
      [`${JOBS}{${I},name="forget-mails",outcome="done"}`]: '0x120',
      [`${JOBS}{instance="worker",name="forget-mails",outcome="failed"}`]: '0x120',
      [`${JOBS}{instance="worker",name="forget-mails",outcome="done"}`]: every(6, 120),
      [`${JOBS}{name="reconcile",outcome="failed"}`]: every(30, 120),
      [`${JOBS}{name="reconcile",outcome="done"}`]: every(6, 120),
    },
    labels: { name: 'forget-mails' },
    interval: '1m',
    at: '2h',
  },
  TrefoilDeletionLate: {
    fires: { 'trefoil_overdue_seconds{table="credit_reports"}': '4000x60' },
    silent: { 'trefoil_overdue_seconds{table="credit_reports"}': '3500x60' },
    labels: { table: 'credit_reports' },
  },
  TrefoilDatabaseSilent: {
    fires: { [`trefoil_database_timeouts_total{${I},pool="queue"}`]: once },
    silent: { [`trefoil_database_timeouts_total{${I},pool="queue"}`]: '4x60' },
    labels: { instance: 'api-1' },
  },
  TrefoilQueueStuck: {
    fires: { [`trefoil_queue_oldest_seconds{${I}}`]: '0x50 3x10', [`trefoil_queue_run_seconds{${I}}`]: '4x60' },
    silent: { [`trefoil_queue_oldest_seconds{${I}}`]: '1x60', [`trefoil_queue_run_seconds{${I}}`]: '4x60' },
    labels: { instance: 'api-1' },
  },
  TrefoilPostgresDown: {
    fires: { [`pg_up{${P}}`]: '1x30 0x30', [`up{${P}}`]: '1x60' },
    silent: { [`pg_up{${P}}`]: '1x60', [`up{${P}}`]: '1x60', [`up{${T}}`]: '0x60' },
    labels: { instance: 'db', job: 'postgres' },
  },
  TrefoilPostgresConnections: {
    fires: {
      'pg_stat_activity_count{instance="db",state="idle"}': '185x60',
      'pg_settings_max_connections{instance="db"}': '200x60',
    },
    silent: {
      'pg_stat_activity_count{instance="db",state="idle"}': '150x60',
      'pg_settings_max_connections{instance="db"}': '200x60',
    },
    labels: { instance: 'db' },
  },
  TrefoilPostgresLongTransaction: {
    fires: {
      'pg_stat_activity_max_tx_duration{instance="db",datname="trefoil",state="idle in transaction"}': '0+15x60',
    },
    silent: {
      'pg_stat_activity_max_tx_duration{instance="db",datname="trefoil",state="active"}': '20x60',
      'pg_stat_activity_max_tx_duration{instance="db",datname="trefoil",state="idle"}': '900x60',
    },
    labels: { instance: 'db', datname: 'trefoil' },
  },
  TrefoilErrors: {
    // Neither refused callers nor probes make the share smaller.
    fires: {
      [`${HTTP}_count{route="/x",status="200"}`]: '0+95x60',
      [`${HTTP}_count{route="/x",status="500"}`]: '0+5x60',
      [`${HTTP}_count{route="/x",status="401"}`]: '0+900x60',
      [`${HTTP}_count{route="/livez",status="200"}`]: '0+900x60',
    },
    silent: {
      [`${HTTP}_count{route="/x",status="200"}`]: '0+1000x60',
      [`${HTTP}_count{route="/x",status="500"}`]: '0+5x60',
      [`${HTTP}_count{route="/readyz",status="503"}`]: '0+900x60',
    },
  },
  TrefoilRefusing: {
    fires: { 'trefoil_refusals_total{reason="places"}': '0+1x60' },
    silent: { 'trefoil_refusals_total{reason="places"}': aMoment },
    labels: { reason: 'places' },
  },
  TrefoilReportsSlow: {
    fires: {
      [`${HTTP}_bucket{${GENERATE},le="5"}`]: '0+90x60',
      [`${HTTP}_bucket{${GENERATE},le="15"}`]: '0+100x60',
      [`${HTTP}_bucket{${GENERATE},le="+Inf"}`]: '0+100x60',
    },
    silent: {
      [`${HTTP}_bucket{${GENERATE},le="5"}`]: '0+100x60',
      [`${HTTP}_bucket{${GENERATE},le="15"}`]: '0+100x60',
      [`${HTTP}_bucket{${GENERATE},le="+Inf"}`]: '0+100x60',
    },
  },
  TrefoilReportsFail: {
    // A usual share of 3 %, then 20 %; and a usual share of 20 % that stays.
    fires: {
      [`${REPORTS}{mode="live",status="complete"}`]: '0+97x1440 139760+80x60',
      [`${REPORTS}{mode="live",status="failed"}`]: '0+3x1440 4340+20x60',
    },
    silent: {
      [`${REPORTS}{mode="live",status="complete"}`]: '0+80x1500',
      [`${REPORTS}{mode="live",status="failed"}`]: '0+20x1500',
    },
    interval: '1m',
    at: '25h',
  },
  TrefoilBureauUnavailable: {
    fires: { [`${BUREAU},outcome="ok"}`]: '0+80x60', [`${BUREAU},outcome="unavailable",reason="timeout"}`]: '0+20x60' },
    silent: { [`${BUREAU},outcome="ok"}`]: '0+95x60', [`${BUREAU},outcome="unavailable",reason="timeout"}`]: '0+5x60' },
    labels: { bureau: 'equifax' },
  },
  TrefoilBureauWarnings: {
    fires: { 'trefoil_bureau_warnings_total{bureau="equifax",field="state",kind="unknown-code"}': '1x30 2x30' },
    silent: { 'trefoil_bureau_warnings_total{bureau="equifax",field="state",kind="unknown-code"}': '2x60' },
    labels: { bureau: 'equifax' },
  },
  TrefoilScreeningUnavailable: {
    fires: {
      'trefoil_screenings_total{outcome="allow"}': '0+8x60',
      'trefoil_screenings_total{outcome="unavailable"}': '0+2x60',
    },
    silent: {
      'trefoil_screenings_total{outcome="allow"}': '0+99x60',
      'trefoil_screenings_total{outcome="unavailable"}': '0+1x60',
    },
  },
  TrefoilCarrierFails: {
    fires: { [`${SUBMITS}{outcome="accepted"}`]: '0+9x80', [`${SUBMITS}{outcome="unknown"}`]: '0+1x80' },
    silent: { [`${SUBMITS}{outcome="accepted"}`]: '0+99x80', [`${SUBMITS}{outcome="unknown"}`]: '0+1x80' },
    at: '20m',
  },
  TrefoilReceiptsRefused: {
    fires: { 'trefoil_sms_receipts_total{outcome="refused"}': once },
    silent: {
      'trefoil_sms_receipts_total{outcome="applied"}': '0+9x60',
      'trefoil_sms_receipts_total{outcome="refused"}': '2x60',
    },
  },
  TrefoilAsksUnanswered: {
    fires: {
      'trefoil_sms_asks_total{outcome="open"}': '0+6x160',
      'trefoil_sms_asks_total{outcome="unknown"}': '0+4x160',
    },
    silent: {
      'trefoil_sms_asks_total{outcome="open"}': '0+9x160',
      'trefoil_sms_asks_total{outcome="unknown"}': '0+1x160',
    },
    at: '40m',
  },
  TrefoilReceiptsLost: {
    fires: { 'trefoil_sms_asks_total{outcome="delivered"}': once },
    silent: {
      'trefoil_sms_asks_total{outcome="open"}': '0+1x60',
      'trefoil_sms_asks_total{outcome="delivered"}': still,
    },
  },
  TrefoilMessagePumping: {
    fires: { [`${SUBMITS}{outcome="accepted"}`]: '0+5x1440 7220+20x120', [CODES]: '0+4x1560' },
    // As many more codes as messages: a busy day.
    silent: { [`${SUBMITS}{outcome="accepted"}`]: '0+5x1440 7220+20x120', [CODES]: '0+4x1440 5776+16x120' },
    interval: '1m',
    at: '26h',
  },
  TrefoilMailLate: {
    fires: { trefoil_mails_oldest_seconds: '900x60', [SENDS]: '0+15x60' },
    // No mail server is configured: mail waits, as it should.
    silent: { trefoil_mails_oldest_seconds: '900x60', [WATCHES]: watched },
  },
  TrefoilMailRefused: {
    fires: { 'trefoil_mails_total{outcome="sent"}': '0+9x100', 'trefoil_mails_total{outcome="refused"}': '0+1x100' },
    silent: { 'trefoil_mails_total{outcome="sent"}': '0+99x100', 'trefoil_mails_total{outcome="refused"}': '0+1x100' },
    at: '25m',
  },
  TrefoilWebhooksLate: {
    fires: { trefoil_webhooks_oldest_seconds: '0+15x60', [WATCHES]: watched },
    silent: { trefoil_webhooks_oldest_seconds: '59x60', [WATCHES]: watched },
  },
  TrefoilEventsNotHandedOut: {
    fires: { trefoil_webhooks_not_handed_out_seconds: '0+15x60', [WATCHES]: watched },
    silent: { trefoil_webhooks_not_handed_out_seconds: '2x60', [WATCHES]: watched },
  },
  TrefoilWebhooksFail: {
    fires: {
      'trefoil_webhook_attempts_total{outcome="delivered"}': '0+4x100',
      'trefoil_webhook_attempts_total{outcome="failed"}': '0+6x100',
    },
    silent: {
      'trefoil_webhook_attempts_total{outcome="delivered"}': '0+6x100',
      'trefoil_webhook_attempts_total{outcome="failed"}': '0+4x100',
    },
    at: '25m',
  },
};

export function alertCases(): RuleCase[] {
  const cases = Object.entries(PAIRS).flatMap(
    ([alert, { fires, silent, labels = {}, interval = '15s', at = '15m' }]) => [
      { name: `${alert} fires`, alert, interval, at, series: fires, fires: [labels] },
      { name: `${alert} stays silent`, alert, interval, at, series: silent, fires: [] },
    ],
  );
  return [...cases, ...furtherCases()];
}
