// Holds the books against themselves and raises an alarm for a person when they do not agree: what is recent every five
// minutes, everything once a day.
import type { Database } from '../lib/database.ts';
import type { Job } from '../lib/jobs.ts';
import type { Log } from '../lib/log.ts';
import type { Metrics } from '../lib/metrics.ts';
import { reconcile } from './reconcile.ts';

const EVERY_MS = 300_000;
const DAY_MS = 24 * 3_600_000;
/** Long enough to overlap with many runs before it, short enough to cost what an hour's work costs. */
const RECENT_MS = 3_600_000;

export function walletJobs(database: Database, metrics: Metrics, log: Log): Job[] {
  async function check(since?: Date): Promise<number> {
    const { findings } = await reconcile(database, since);
    const breaks = findings.filter(({ isBreak }) => isBreak);
    if (breaks.length > 0) {
      metrics.alarms.inc({ alarm: 'books-do-not-agree' }, breaks.length);
      log.error('the books do not agree: run wallet reconcile', { count: breaks.length });
    }
    return breaks.length;
  }
  return [
    { name: 'reconcile', everyMs: EVERY_MS, run: () => check(new Date(Date.now() - RECENT_MS)) },
    { name: 'reconcile-all', everyMs: DAY_MS, run: () => check() },
  ];
}
