// The code of a message, derived from the message's id: nothing has to be stored, and a worker can write the text again
// (docs/decisions/0035).
import { timingSafeEqual } from 'node:crypto';
import type { KeyedHash } from './keyed-hash.ts';

const DIGITS = 6;
/** 48 of the hash's bits: what they leave over a multiple of a million does not show in any count of guesses. */
const BYTES = 6;

export type CodeOf = (sendId: string) => string;

export function createCodeOf(hash: KeyedHash): CodeOf {
  return (sendId) => String(hash(sendId).readUIntBE(0, BYTES) % 10 ** DIGITS).padStart(DIGITS, '0');
}

/** In a time that does not tell how much of the guess was right. */
export function isSameCode(guess: string, code: string): boolean {
  const [a, b] = [Buffer.from(guess), Buffer.from(code)];
  return a.length === b.length && timingSafeEqual(a, b);
}
