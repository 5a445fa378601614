// Ten codes for a lost phone: shown once, stored as keyed hashes, each valid once.
import { randomBytes } from 'node:crypto';
import type { RingHash } from '../../lib/crypto/hash-ring.ts';
import type { Tx } from '../../lib/postgres/sql.ts';
import { RECOVERY_ALPHABET, RECOVERY_LENGTH, readRecoveryCode, writeRecoveryCode } from '../rules/recovery-code.ts';
import { deleteRecoveryCode, replaceRecoveryCodes } from './factor-store.ts';

const CODES = 10;

/** Thirty-two letters divide a byte's values evenly, so every letter is equally likely. */
function makeCode(): string {
  const letters = [...randomBytes(RECOVERY_LENGTH)].map((byte) => RECOVERY_ALPHABET[byte % RECOVERY_ALPHABET.length]);
  return writeRecoveryCode(letters.join(''));
}

/** The old codes stop working. */
export async function makeRecoveryCodes(tx: Tx, hash: RingHash, userId: string): Promise<string[]> {
  const codes = Array.from({ length: CODES }, makeCode);
  const codeHashes = codes.map((code) => hash(userId, readRecoveryCode(code) ?? ''));
  await replaceRecoveryCodes(tx, userId, { keyId: hash.keyId, codeHashes });
  return codes;
}

export async function takeRecoveryCode(tx: Tx, hash: RingHash, userId: string, text: string): Promise<boolean> {
  const code = readRecoveryCode(text);
  return code !== undefined && deleteRecoveryCode(tx, userId, hash.every(userId, code));
}
