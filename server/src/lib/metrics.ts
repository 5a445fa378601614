// Prometheus metrics. Labels are closed lists (method, route pattern, status, outcome): no id and nothing personal.
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

export type Metrics = ReturnType<typeof createMetrics>;

export function createMetrics() {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  return {
    registry,
    requests: new Histogram({
      name: 'trefoil_http_request_duration_seconds',
      help: 'Time to answer a request, by route pattern and status',
      labelNames: ['method', 'route', 'status'],
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15],
      registers,
    }),
    reports: new Counter({
      name: 'trefoil_reports_total',
      help: 'Reports generated, by mode and status',
      labelNames: ['mode', 'status'],
      registers,
    }),
    codes: new Counter({
      name: 'trefoil_otp_codes_total',
      help: 'Codes submitted, by what became of them',
      labelNames: ['mode', 'outcome'],
      registers,
    }),
    bureauAnswers: new Histogram({
      name: 'trefoil_bureau_answer_seconds',
      help: 'Time a bureau took, by bureau, outcome and reason',
      labelNames: ['bureau', 'outcome', 'reason'],
      buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15],
      registers,
    }),
    bureauWarnings: new Counter({
      name: 'trefoil_bureau_warnings_total',
      help: 'New or odd values on a bureau wire, by bureau, field and kind',
      labelNames: ['bureau', 'field', 'kind'],
      registers,
    }),
    screenings: new Counter({
      name: 'trefoil_screenings_total',
      help: 'What the screening provider said, or why it said nothing',
      labelNames: ['outcome', 'reason'],
      registers,
    }),
    failures: new Counter({
      name: 'trefoil_report_failures_total',
      help: 'Live reports that failed in their request, by why',
      labelNames: ['failure'],
      registers,
    }),
    messages: new Counter({
      name: 'trefoil_sms_submits_total',
      help: 'Messages handed to the carrier, by what it said',
      labelNames: ['outcome'],
      registers,
    }),
    receipts: new Counter({
      name: 'trefoil_sms_receipts_total',
      help: 'Receipts from carriers, by what became of them',
      labelNames: ['outcome'],
      registers,
    }),
    mails: new Counter({
      name: 'trefoil_mails_total',
      help: 'Attempts to send a mail, by what became of them',
      labelNames: ['outcome'],
      registers,
    }),
    mailsWaiting: new Gauge({
      name: 'trefoil_mails_waiting',
      help: 'Mails that are not sent yet; they wait for ever where no mail server is configured',
      registers,
    }),
    mailsOldest: new Gauge({
      name: 'trefoil_mails_oldest_seconds',
      help: 'How long the oldest of them has waited',
      registers,
    }),
    jobs: new Counter({
      name: 'trefoil_job_runs_total',
      help: 'Runs of periodic jobs, by job and outcome',
      labelNames: ['job', 'outcome'],
      registers,
    }),
    alarms: new Counter({
      name: 'trefoil_alarms_total',
      help: 'Things a person should look at, by kind',
      labelNames: ['alarm'],
      registers,
    }),
    limitFallbacks: new Counter({
      name: 'trefoil_limit_fallbacks_total',
      help: 'Times Redis could not judge a limit and this node judged alone',
      registers,
    }),
  };
}
