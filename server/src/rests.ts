// How long the service rests between two looks at the same thing, for tests that wait for what it does by itself. In
// production each rest is part of a promise, so none of them is a setting.
import type { Job } from './lib/jobs.ts';

/** Shorter than in production; what is left out keeps the rest of production. */
export type Rests = {
  /** Of the jobs that rest for seconds; those that rest for minutes keep their rest. */
  readonly jobMs?: number;
  /** Which jobs `jobMs` is for, by name; all when left out. The more of them hurry, the less a test gets of the machine. */
  readonly jobNames?: readonly string[];
  /** How long the database must have been reachable before a sweep takes over a lease. */
  readonly reachableMs?: number;
  /** How long a credential, or a person with their roles, is kept before it is looked up anew. */
  readonly lookUpMs?: number;
  /** How long a right code waits for the request that fetches its report. */
  readonly fetchMs?: number;
};

/** Jobs that rest longer are not waited for by anything that a caller can see. */
const SHORT_REST_MS = 10_000;

export function shortenRest(job: Job, { jobMs = job.everyMs, jobNames }: Rests): Job {
  if (job.everyMs > SHORT_REST_MS || jobNames?.includes(job.name) === false) return job;
  return { ...job, everyMs: Math.min(job.everyMs, jobMs) };
}
