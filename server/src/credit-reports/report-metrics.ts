// The metrics of reports, codes and messages.
import { OPERATIONS } from '@trefoil/contract';
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { HttpMetrics } from '../http/http-metrics.ts';
import { beginAtZero, watchGauge } from '../lib/metrics.ts';
import type { ScreeningUnavailableReason } from '../screening/port.ts';

export type ReportMetrics = ReturnType<typeof createReportMetrics>;

const MODES = ['live', 'test'];
/** Those that end a report inside its request. */
const FAILURES = [
  'screening-unavailable',
  'device-not-verified',
  'not-deliverable',
  'no-bureau-answered',
  'interrupted',
  'reservation-late',
];
/** A total map: a new reason without its series does not compile. */
const UNAVAILABLE: Readonly<Record<ScreeningUnavailableReason, true>> = {
  ...{ timeout: true, connection: true, refused: true, unintelligible: true, 'too-large': true },
  ...{ 'breaker-open': true, overloaded: true },
};

/** The objective counts these answers, and must see the first one of a node too. Other routes have too many series for this. */
export function beginFailedRequests(requests: HttpMetrics['requests']): void {
  const { method, path: route } = OPERATIONS.generateCreditReport;
  for (const status of [500, 503]) requests.zero({ method, route, status });
}

export function createReportMetrics(registry: Registry) {
  const registers = [registry];
  const screenings = new Counter({
    name: 'trefoil_screenings_total',
    help: 'What the screening provider said, or why it said nothing',
    labelNames: ['outcome', 'reason'],
    registers,
  });
  beginAtZero(screenings, { outcome: ['allow', 'challenge', 'block'], reason: [''] });
  beginAtZero(screenings, { outcome: ['unavailable'], reason: Object.keys(UNAVAILABLE) });
  return {
    /** Read when the metrics are scraped. */
    watchQueue(state: () => { readonly items: number; readonly oldestMs: number; readonly runMs: number }): void {
      watchGauge(
        registry,
        'trefoil_queue_items',
        'Reservations, reads and receipts in the queue of this node',
        () => state().items,
      );
      watchGauge(
        registry,
        'trefoil_queue_oldest_seconds',
        'Age of the oldest call that waits there',
        () => state().oldestMs / 1_000,
      );
      watchGauge(
        registry,
        'trefoil_queue_run_seconds',
        'Age of the oldest run of the queue',
        () => state().runMs / 1_000,
      );
    },
    reports: beginAtZero(
      new Counter({
        name: 'trefoil_reports_total',
        help: 'Reports generated, by mode and status',
        labelNames: ['mode', 'status'],
        registers,
      }),
      { mode: MODES, status: ['complete', 'authentication-required', 'blocked', 'failed'] },
    ),
    codes: beginAtZero(
      new Counter({
        name: 'trefoil_otp_codes_total',
        help: 'Codes submitted, by what became of them',
        labelNames: ['mode', 'outcome'],
        registers,
      }),
      { mode: MODES, outcome: ['complete', 'retry', 'failed', 'expired'] },
    ),
    ownSeconds: new Histogram({
      name: 'trefoil_report_own_seconds',
      help: 'Time to generate a live report without the time that screening and bureaus took, and the client to send its body',
      buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
      registers,
    }),
    unsettled: new Gauge({
      name: 'trefoil_unsettled_seconds',
      help: 'How long the oldest report or challenge whose time is over has waited for its settlement; 0 when there is none',
      registers,
    }),
    screenings,
    failures: beginAtZero(
      new Counter({
        name: 'trefoil_report_failures_total',
        help: 'Live reports that failed in their request, by why',
        labelNames: ['failure'],
        registers,
      }),
      { failure: FAILURES },
    ),
    messages: beginAtZero(
      new Counter({
        name: 'trefoil_sms_submits_total',
        help: 'Messages handed to the carrier, by what it said',
        labelNames: ['outcome'],
        registers,
      }),
      { outcome: ['accepted', 'refused', 'unknown'] },
    ),
    receipts: beginAtZero(
      new Counter({
        name: 'trefoil_sms_receipts_total',
        help: 'Receipts from carriers, by what became of them',
        labelNames: ['outcome'],
        registers,
      }),
      { outcome: ['applied', 'noted', 'stray', 'ignored', 'progress', 'refused', 'unreadable'] },
    ),
    asks: beginAtZero(
      new Counter({
        name: 'trefoil_sms_asks_total',
        help: 'Asks about messages without a final word, by what the carrier said',
        labelNames: ['outcome'],
        registers,
      }),
      { outcome: ['delivered', 'undelivered', 'open', 'unknown'] },
    ),
  };
}
