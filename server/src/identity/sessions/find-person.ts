// Finds the person behind a sign-in, with their roles. Cached for a few seconds: an ended sign-in, a changed role or a
// disabled person takes effect on every node within that time.
import { createCache } from '../../lib/cache.ts';
import type { Database } from '../../lib/postgres/database.ts';
import { findPerson, type Person } from './sign-in-store.ts';

export type { Person } from './sign-in-store.ts';
export type FindPerson = (signInId: string) => Promise<Person | undefined>;

const MAX_ENTRIES = 10_000;
/** How old the answer may be. */
export const PERSON_AGE_MS = 5_000;

export function cachedPersonFinder(database: Database, ttlMs = PERSON_AGE_MS): FindPerson {
  const load = (signInId: string) => database.asSystem((tx) => findPerson(tx, signInId));
  const cache = createCache({ maxEntries: MAX_ENTRIES, ttlMs }, { load });
  return (signInId) => cache.get(signInId);
}
