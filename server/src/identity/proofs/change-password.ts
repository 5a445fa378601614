// Hashes passwords and stores them. Hashing takes tens of milliseconds, so do it before a transaction and not inside.
import { hash, verify } from '@node-rs/argon2';
import type { Tx } from '../../lib/sql.ts';
import { normalizePassword } from '../rules/password.ts';
import { upsertPassword } from './proof-store.ts';

/** Argon2id, which is the library's own choice, with OWASP's first set of parameters (docs/decisions/0128). */
const PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

export async function hashPassword(password: string): Promise<string> {
  return hash(normalizePassword(password), PARAMETERS);
}

export async function isPassword(password: string, passwordHash: string): Promise<boolean> {
  return verify(passwordHash, normalizePassword(password));
}

/** As the system role. The new password works from the commit on; other sign-ins are the caller's to end. */
export async function setPasswordHash(tx: Tx, userId: string, passwordHash: string): Promise<void> {
  await upsertPassword(tx, userId, passwordHash);
}

/** For commands and seeds, where nobody waits for the connection; requests hash first. */
export async function setPassword(tx: Tx, userId: string, password: string): Promise<void> {
  await setPasswordHash(tx, userId, await hashPassword(password));
}
