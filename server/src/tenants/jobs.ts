// Forgets the addresses of people who were invited long ago and whom nobody needs to write to any more.
import type { Database } from '../lib/database.ts';
import type { Job } from '../lib/jobs.ts';
import { forgetInvited } from './invitation-store.ts';

const HOUR_MS = 3_600_000;
/** Long enough to see whom one has invited and what became of it. */
const KEEP_DAYS = 30;

export function invitationJob(database: Database): Job {
  return {
    name: 'forget-invited',
    everyMs: HOUR_MS,
    run: () => database.asSystem((tx) => forgetInvited(tx, KEEP_DAYS)),
  };
}
