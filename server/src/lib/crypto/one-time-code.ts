// A message's code, derived from the message's id: nothing has to be stored, and a worker can write the text again
// (docs/decisions/0035-codes-and-caps.md). The message's row names the key, so that a guess meets one code and not one for
// each key of the ring (docs/decisions/0260-the-hash-key-is-a-ring.md).
import { timingSafeEqual } from 'node:crypto';
import type { HashRing } from './hash-ring.ts';
import { createKeyedHash, type KeyedHash } from './keyed-hash.ts';

const DIGITS = 6;
/** 48 bits of the hash: the bias of taking them modulo a million is too small to help a guesser. */
const BYTES = 6;

export function createCodeOf(hash: KeyedHash): (sendId: string) => string {
  return (sendId) => String(hash(sendId).readUIntBE(0, BYTES) % 10 ** DIGITS).padStart(DIGITS, '0');
}

export interface Codes {
  /** The key that new messages are queued with. */
  readonly keyId: string;
  /** Undefined under a key that this node does not have: no guess is right then, and the message is left to other nodes. */
  codeOf(sendId: string, keyId: string | null): string | undefined;
}

export function createCodes(ring: HashRing): Codes {
  const codesOf = new Map(
    ring.map(({ key, fingerprint }) => [fingerprint, createCodeOf(createKeyedHash(key, 'one-time-code'))]),
  );
  const [{ fingerprint: first }] = ring;
  // A row without a key is from the previous release, which had one key: no ring begins with a newer one until half an hour after
  // that release has ended, so it is the first.
  return { keyId: first, codeOf: (sendId, keyId) => codesOf.get(keyId ?? first)?.(sendId) };
}

/** In constant time, so that the duration does not reveal how much of the guess was right. */
export function isSameCode(guess: string, code: string): boolean {
  const [a, b] = [Buffer.from(guess), Buffer.from(code)];
  return a.length === b.length && timingSafeEqual(a, b);
}
