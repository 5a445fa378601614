// Reconciles the ledger and raises an alarm for a person if it does not agree: recent entries every five minutes,
// everything that may still be unsettled every hour, everything once a day.

import type { Job } from '../lib/jobs.ts';
import type { Log } from '../lib/log.ts';
import type { Metrics } from '../lib/metrics.ts';
import type { Database } from '../lib/postgres/database.ts';
import { reconcile } from './reconcile.ts';

const EVERY_MS = 300_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** As long as a message may wait for its carrier's final status, plus a margin. */
const UNSETTLED_MS = 80 * HOUR_MS;

export function reconciliationJobs(database: Database, metrics: Metrics, log: Log): Job[] {
  async function check(sinceMs?: number): Promise<number> {
    const since = sinceMs === undefined ? undefined : new Date(Date.now() - sinceMs);
    const { findings } = await reconcile(database, since);
    const breaks = findings.filter(({ isBreak }) => isBreak);
    if (breaks.length > 0) {
      metrics.alarms.inc({ alarm: 'books-do-not-agree' }, breaks.length);
      log.error('the books do not agree: run wallet reconcile', { count: breaks.length });
    }
    return breaks.length;
  }
  return [
    { name: 'reconcile', everyMs: EVERY_MS, run: () => check(HOUR_MS) },
    { name: 'reconcile-unsettled', everyMs: HOUR_MS, run: () => check(UNSETTLED_MS) },
    // Soon after a start: a process that is replaced every day would otherwise never run it.
    { name: 'reconcile-all', everyMs: DAY_MS, firstAfterMs: 2 * HOUR_MS, run: () => check() },
  ];
}
