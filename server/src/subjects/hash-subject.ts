// The keyed hashes by which a person's reports are found in one company (docs/decisions/0261-a-person-is-found-by-a-keyed-hash.md). Written under the first key of the
// hash ring, looked up under every key and the retired ones.
import { createRingHash, type HashKey, type HashRing } from '../lib/crypto/hash-ring.ts';
import type { PersonKey } from './rules/person.ts';

/** Long enough to tell people apart, and half the size of the index. */
const HASH_BYTES = 16;

export type SubjectHash = {
  /** The fingerprint of the key that new hashes are under. */
  readonly keyId: string;
  /** Those of every key under which a hash can be found. */
  readonly keyIds: readonly string[];
  hash(tenantId: string, person: PersonKey): Buffer;
  /** Under each key. */
  every(tenantId: string, person: PersonKey): readonly Buffer[];
};

export function createSubjectHash(keys: HashRing, retired: readonly HashKey[] = []): SubjectHash {
  const all = [...keys, ...retired] as const;
  const ring = createRingHash(all, 'subject');
  const cut = (hash: Buffer) => hash.subarray(0, HASH_BYTES);
  return {
    keyId: keys[0].fingerprint,
    keyIds: all.map(({ fingerprint }) => fingerprint),
    hash: (tenantId, person) => cut(ring(tenantId, ...person)),
    every: (tenantId, person) => ring.every(tenantId, ...person).map(cut),
  };
}
