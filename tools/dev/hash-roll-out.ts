// The states of a rotation of the hash key, in the order of docs/operate/hash-key.md. Nodes may be mixed in two states that
// follow each other, and in no others.

export const HASH_STATES = ['before', 'added', 'swapped', 'after'] as const;
export type HashState = (typeof HASH_STATES)[number];

/** Settings of a node in each state. `old` and `next` are `id:key`, as in the ring. */
export function hashSettings(old: string, next: string): Readonly<Record<HashState, Record<string, string>>> {
  // An empty variable counts as one that is not set.
  const settings = (ring: string, retired = '') => ({
    TREFOIL_HASH_KEY: '',
    TREFOIL_HASH_KEYS: ring,
    TREFOIL_RETIRED_HASH_KEYS: retired,
  });
  return {
    before: settings(old),
    added: settings(`${old},${next}`),
    swapped: settings(`${next},${old}`),
    after: settings(next, old),
  };
}

/** Before the state `after`: makes the rings that have ended as old as they must be then. */
export const RINGS_ARE_OLD = `update hash_rings set seen_at = seen_at - interval '26 hours' where stopped_at is not null`;
