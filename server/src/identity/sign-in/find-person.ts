// Looks up the person behind a sign-in with their roles. Cached for a few seconds: a sign-in that was ended, a role that
// was changed or a person who was disabled takes effect on every node within that time.
import { createCache } from '../../lib/cache.ts';
import type { Database } from '../../lib/database.ts';
import { findPerson, type Person } from './sign-in-store.ts';

export type { Person } from './sign-in-store.ts';
export type FindPerson = (signInId: string) => Promise<Person | undefined>;

const CACHE = { maxEntries: 10_000, ttlMs: 5_000 };

export function cachedPersonFinder(database: Database): FindPerson {
  const cache = createCache(CACHE, { load: (signInId) => database.asSystem((tx) => findPerson(tx, signInId)) });
  return (signInId) => cache.get(signInId);
}
