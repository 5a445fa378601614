// Forgets what the token endpoint no longer needs to remember.
import type { Database } from '../lib/database.ts';
import type { Job } from '../lib/jobs.ts';
import { purgePayloads } from './provider/purge-payloads.ts';

const HOUR_MS = 3_600_000;

export function payloadJob(database: Database): Job {
  return { name: 'purge-payloads', everyMs: HOUR_MS, run: () => database.asSystem(purgePayloads) };
}
