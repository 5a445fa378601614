// A small cache for look-ups: bounded, short-lived, and one load per key however many ask at once.
export type CacheOptions = { readonly maxEntries: number; readonly ttlMs: number };

export function createCache<T>(options: CacheOptions, load: (key: string) => Promise<T>, now: () => number = Date.now) {
  const entries = new Map<string, { value: Promise<T>; freshUntil: number }>();
  return {
    get(key: string): Promise<T> {
      const cached = entries.get(key);
      if (cached && cached.freshUntil > now()) return cached.value;
      const value = load(key);
      entries.delete(key);
      if (entries.size >= options.maxEntries) {
        // Maps keep insertion order: the first key is the oldest.
        const [oldest] = entries.keys();
        if (oldest !== undefined) entries.delete(oldest);
      }
      const entry = { value, freshUntil: now() + options.ttlMs };
      entries.set(key, entry);
      // A failed load is not an answer worth keeping.
      value.catch(() => entries.get(key) === entry && entries.delete(key));
      return value;
    },
  };
}
