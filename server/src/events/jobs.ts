// Keeps the sequences of events near to where they are read, and deletes events that are older than 30 days.
import type { Job } from '../lib/jobs.ts';
import type { Database } from '../lib/postgres/database.ts';
import { markEvents } from './mark-events.ts';

export { OUTBOX } from './store.ts';

const MARK_MS = 1_000;

export function eventJobs(database: Database): Job[] {
  return [{ name: 'mark-events', everyMs: MARK_MS, run: (signal) => markEvents(database, signal) }];
}
