// A small cache for look-ups: bounded, short-lived, and one load per key however many ask at once. What is used again when
// its time is over is given once more while it is loaded anew: whoever asks often never waits.
export type CacheOptions = {
  readonly maxEntries: number;
  readonly ttlMs: number;
  /** From when on a value is not given any more, not even while it is loaded anew; `ttlMs` unless told. */
  readonly staleMs?: number;
};

type Entry<T> = { readonly value: Promise<T>; readonly loadedAtMs: number; isReloading: boolean };

export type Loads<T> = {
  load(key: string): Promise<T>;
  /** Nobody waits for it; `load` unless told. */
  reload?(key: string): Promise<T>;
};

export function createCache<T>(options: CacheOptions, loads: Loads<T>, now: () => number = Date.now) {
  const { maxEntries, ttlMs, staleMs = ttlMs } = options;
  const { load, reload = load } = loads;
  const entries = new Map<string, Entry<T>>();

  function keep(key: string, value: Promise<T>): Promise<T> {
    entries.delete(key);
    if (entries.size >= maxEntries) {
      // Maps keep insertion order: the first key is the oldest.
      const [oldest] = entries.keys();
      if (oldest !== undefined) entries.delete(oldest);
    }
    const entry = { value, loadedAtMs: now(), isReloading: false };
    entries.set(key, entry);
    // A failed load is not an answer worth keeping.
    value.catch(() => entries.get(key) === entry && entries.delete(key));
    return value;
  }

  function renew(key: string, entry: Entry<T>): void {
    entry.isReloading = true;
    reload(key).then(
      (value) => void keep(key, Promise.resolve(value)),
      () => {
        // The value may be given until it is too old; then whoever asks hears what is wrong.
        entry.isReloading = false;
      },
    );
  }

  return {
    get(key: string): Promise<T> {
      const entry = entries.get(key);
      const ageMs = entry ? now() - entry.loadedAtMs : Number.POSITIVE_INFINITY;
      if (!entry || ageMs >= staleMs) return keep(key, load(key));
      if (ageMs >= ttlMs && !entry.isReloading) renew(key, entry);
      return entry.value;
    },
  };
}
