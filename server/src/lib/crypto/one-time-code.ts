// A message's code, derived from the message's id: nothing has to be stored, and a worker can write the text again
// (docs/decisions/0035-codes-and-caps.md).
import { timingSafeEqual } from 'node:crypto';
import type { KeyedHash } from './keyed-hash.ts';

const DIGITS = 6;
/** 48 bits of the hash: the bias of taking them modulo a million is too small to help a guesser. */
const BYTES = 6;

export type CodeOf = (sendId: string) => string;

export function createCodeOf(hash: KeyedHash): CodeOf {
  return (sendId) => String(hash(sendId).readUIntBE(0, BYTES) % 10 ** DIGITS).padStart(DIGITS, '0');
}

/** In constant time, so that the duration does not reveal how much of the guess was right. */
export function isSameCode(guess: string, code: string): boolean {
  const [a, b] = [Buffer.from(guess), Buffer.from(code)];
  return a.length === b.length && timingSafeEqual(a, b);
}
