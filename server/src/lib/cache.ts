// A small cache for look-ups, on lru-cache: bounded, short-lived, and one load per key however many ask at once. A value that
// is asked for again when its time is over is given once more while it is loaded anew: a frequent caller never waits
// (docs/decisions/0193-libraries-for-caches-and-headers.md).
import { LRUCache } from 'lru-cache';

export type CacheOptions = {
  readonly maxEntries: number;
  readonly ttlMs: number;
  /** From when on a value is not given any more, not even while it is loaded anew; `ttlMs` unless told. */
  readonly staleMs?: number;
};

export type Loads<T> = {
  load(key: string): Promise<T>;
  /** Nobody waits for it; `load` unless told. */
  reload?(key: string): Promise<T>;
};

/** The library takes undefined for "nothing was found" and forgets it; to us it is an answer. */
type Kept<T> = { readonly value: T };

export function createCache<T>(
  { maxEntries, ttlMs, staleMs = ttlMs }: CacheOptions,
  { load, reload = load }: Loads<T>,
  now: () => number = () => performance.now(),
) {
  const cache = new LRUCache<string, Kept<T>>({
    max: maxEntries,
    ttl: ttlMs,
    // The clock is read at each look: by default the library looks at it once a millisecond, with a timer.
    ttlResolution: 0,
    // An instant of 0 is none to the library.
    perf: { now: () => 1 + now() },
    fetchMethod: async (key, stale) => ({ value: await (stale ? reload : load)(key) }),
    // After a reload that failed, the value is given until it is too old; then the caller hears what is wrong.
    noDeleteOnFetchRejection: true,
    // A load whose entry made room for others still has callers who wait for it.
    ignoreFetchAbort: true,
  });
  return {
    async get(key: string): Promise<T> {
      const ageMs = ttlMs - cache.getRemainingTTL(key);
      // The library would give a stale value however old it is.
      if (ageMs >= staleMs) cache.delete(key);
      const kept = await cache.forceFetch(key, { allowStale: true, forceRefresh: ageMs >= ttlMs });
      return kept.value;
    },
  };
}
