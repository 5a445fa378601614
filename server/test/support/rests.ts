// Shorter rests for tests that wait for what the service does by itself. The rests of production are checked as figures,
// where a test's name promises a time.
import type { Rests } from '../../src/rests.ts';

/** For tests that wait for a job: in production it rests for seconds, and takes no lease in its first ten. */
export const SHORT_RESTS = { jobMs: 200, reachableMs: 1_000 } as const satisfies Rests;
/** For tests that wait until credentials and people are looked up anew. */
export const SHORT_LOOK_UPS = { lookUpMs: 200 } as const satisfies Rests;
