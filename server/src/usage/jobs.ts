// Counts events by day, and forgets days that no answer shows any more.
import type { Job } from '../lib/jobs.ts';
import type { Database } from '../lib/postgres/database.ts';
import { agedTable } from '../lib/postgres/retention.ts';
import { rollUpUsage } from './roll-up-usage.ts';

const COUNT_MS = 5_000;

/** More than twice the longest period that can be asked for, with its period before. */
export const USAGE_DAYS = agedTable('usage_days', 'counted_at', '400 days');

/** A day is shown; a week helps to explain it. */
export const BUREAU_SLOTS = agedTable('bureau_slots', 'slot', '7 days');

export function usageJobs(database: Database): Job[] {
  return [{ name: 'roll-up-usage', everyMs: COUNT_MS, run: (signal) => rollUpUsage(database, signal) }];
}
