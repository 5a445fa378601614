// How far this node's clock is from the database's. The database's time decides money and codes, so a wrong clock here
// breaks tokens, sessions and logs, not the ledger: a start refuses it, and later it is logged
// (docs/decisions/0149-the-clock.md).

import type { Log } from './log.ts';
import type { Metrics } from './metrics.ts';
import type { Database } from './postgres/database.ts';
import { rows, sql } from './postgres/sql.ts';

export const CLOCK_OFFSET_MAX_MS = 30_000;
const EVERY_MS = 60_000;

/**
 * How far we are at least ahead of the database; negative when behind. The database read its clock at some moment between
 * our question and its answer, so any time in between counts as equal.
 */
export function clockOffsetMs(askedMs: number, databaseMs: number, answeredMs: number): number {
  if (databaseMs > answeredMs) return answeredMs - databaseMs;
  return Math.max(0, askedMs - databaseMs);
}

export async function readClockOffset(database: Database, now: () => Date): Promise<number> {
  const askedMs = now().getTime();
  const [row] = await database.asSystem((tx) => rows<{ at: Date }>(tx, sql`select clock_timestamp() as at`));
  const answeredMs = now().getTime();
  return row ? clockOffsetMs(askedMs, row.at.getTime(), answeredMs) : 0;
}

type Watched = { readonly database: Database; readonly now: () => Date; readonly metrics: Metrics; readonly log: Log };

/** Runs in every process, even where a worker runs the other jobs: each process has its own clock. */
export function clockJob({ database, now, metrics, log }: Watched) {
  return {
    name: 'watch-clock',
    everyMs: EVERY_MS,
    async run(): Promise<number> {
      const offsetMs = await readClockOffset(database, now);
      metrics.clockOffset.set(offsetMs / 1_000);
      if (Math.abs(offsetMs) <= CLOCK_OFFSET_MAX_MS) return 0;
      metrics.alarms.inc({ alarm: 'clock' });
      log.error('the clock differs from that of the database', { timeMs: offsetMs });
      return 0;
    },
  };
}
