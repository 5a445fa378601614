// Reconciles the ledger and raises an alarm for a person if it does not agree: recent entries every five minutes,
// everything that may still be unsettled every hour, everything once a day.

import { markJob } from '../lib/job-marks.ts';
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

/** Those whose findings stay an alarm until the next run: `doctor` itself looks at the last hour alone. */
export const LONG_RECONCILIATIONS = ['reconcile-unsettled', 'reconcile-all'] as const;

export function reconciliationJobs(database: Database, metrics: Metrics, log: Log): Job[] {
  const [unsettled, all] = LONG_RECONCILIATIONS;
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
  async function checkAndMark(name: string, sinceMs?: number): Promise<number> {
    const count = await check(sinceMs);
    await markJob(database, name, count);
    return count;
  }
  return [
    { name: 'reconcile', everyMs: EVERY_MS, run: () => check(HOUR_MS) },
    { name: unsettled, everyMs: HOUR_MS, run: () => checkAndMark(unsettled, UNSETTLED_MS) },
    // Soon after a start: a process that is replaced every day would otherwise never run it.
    { name: all, everyMs: DAY_MS, firstAfterMs: 2 * HOUR_MS, run: () => checkAndMark(all) },
  ];
}
