// The metrics of reports, codes and messages.
import { Counter, type Registry } from 'prom-client';
import { watchGauge } from '../lib/metrics.ts';

export type ReportMetrics = ReturnType<typeof createReportMetrics>;

export function createReportMetrics(registry: Registry) {
  const registers = [registry];
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
    asks: new Counter({
      name: 'trefoil_sms_asks_total',
      help: 'Asks about messages without a final word, by what the carrier said',
      labelNames: ['outcome'],
      registers,
    }),
  };
}
