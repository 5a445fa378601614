// The origins whose pages may call the API: the origins of applications without a secret. One cache entry holds all of them
// and is reloaded every few seconds, so a request with an invented origin never reaches the database
// (docs/decisions/0165-browser-applications.md).
import { createCache } from '../../lib/cache.ts';
import type { Database } from '../../lib/postgres/database.ts';
import { listPublicRedirectUris } from './app-store.ts';

/** The pages of a disabled application lose access within ten seconds, as its tokens do. */
const CACHE = { maxEntries: 1, ttlMs: 4_000, staleMs: 8_000 };

export function createOriginCheck(database: Database): (origin: string) => Promise<boolean> {
  const cache = createCache(CACHE, {
    async load() {
      const uris = await database.asSystem(listPublicRedirectUris);
      return new Set(uris.map((uri) => URL.parse(uri)?.origin));
    },
  });
  return async (origin) => (await cache.get('all')).has(origin);
}
