// The keys of the keyed hashes as a ring (docs/decisions/0260-the-hash-key-is-a-ring.md). The first key derives whatever leaves
// the service: codes, tokens, links. Whatever is only compared is hashed under every key of the ring, so that two nodes with
// a key in common always meet at the same row, whichever of their keys comes first.
import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { createKeyedHash, type KeyedHash } from './keyed-hash.ts';
import { parseRing } from './secret-keys.ts';
import type { RingKey } from './vault.ts';

/** `fingerprint` names the key in rows and reveals nothing of it: the operator may call one key by different ids. */
export type HashKey = RingKey & { readonly fingerprint: string };
export type HashRing = readonly [HashKey, ...HashKey[]];

/** At least one. */
export type Hashes = readonly [Buffer, ...Buffer[]];

/** By itself it hashes under the first key. */
export type RingHash = KeyedHash & {
  /** The fingerprint of the first key, for rows that name their key. */
  readonly keyId: string | null;
  /** Under each key, in the order of the ring. */
  every(...parts: readonly string[]): Hashes;
};

const FINGERPRINT_BYTES = 8;
/** The id of a key that was configured without one. */
const ONLY_KEY_ID = 'hash';

function withFingerprint({ id, key }: RingKey): HashKey {
  const own = Buffer.from(hkdfSync('sha256', key, '', 'trefoil/fingerprint', 32));
  const mac = createHmac('sha256', own).update('hash-key').digest();
  return { id, key, fingerprint: mac.toString('hex', 0, FINGERPRINT_BYTES) };
}

export function parseHashRing(text: string): HashRing | undefined {
  return parseRing(text)?.map(withFingerprint) as HashRing | undefined;
}

/** One key, with an id or without, is a ring of one. */
export function parseHashKey(text: string): HashRing | undefined {
  const ring = parseHashRing(text.includes(':') ? text : `${ONLY_KEY_ID}:${text}`);
  return ring?.length === 1 ? ring : undefined;
}

type Keyed = { readonly key: Buffer; readonly fingerprint?: string };
type Keys = readonly [Keyed, ...Keyed[]];

export function createRingHash([first, ...others]: Keys, purpose: string): RingHash {
  const hash = createKeyedHash(first.key, purpose);
  const rest = others.map(({ key }) => createKeyedHash(key, purpose));
  return Object.assign((...parts: readonly string[]) => hash(...parts), {
    keyId: first.fingerprint ?? null,
    every: (...parts: readonly string[]): Hashes => [hash(...parts), ...rest.map((each) => each(...parts))],
  });
}

/** Whether one of the hashes is the given one; the duration reveals nothing of those that are not. */
export function isOneOf(given: Buffer, hashes: Hashes): boolean {
  return hashes.some((hash) => hash.length === given.length && timingSafeEqual(given, hash));
}
