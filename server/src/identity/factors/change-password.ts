// Hashes passwords and stores them. Hashing takes tens of milliseconds, so callers hash before they open a transaction.
import { hash, verify } from '@node-rs/argon2';
import type { Tx } from '../../lib/postgres/sql.ts';
import { normalizePassword } from '../rules/password.ts';
import { upsertPassword } from './factor-store.ts';

/** Argon2id, the library's default, with OWASP's first set of parameters (docs/decisions/0128-passwords.md). */
const PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

export async function hashPassword(password: string): Promise<string> {
  return hash(normalizePassword(password), PARAMETERS);
}

export async function isPassword(password: string, passwordHash: string): Promise<boolean> {
  return verify(passwordHash, normalizePassword(password));
}

/** As the system role. The new password works once committed; the caller must end the person's other sign-ins. */
export async function setPasswordHash(tx: Tx, userId: string, passwordHash: string): Promise<void> {
  await upsertPassword(tx, userId, passwordHash);
}

/** For commands and seeds, where no other work waits for the connection; requests hash first. */
export async function setPassword(tx: Tx, userId: string, password: string): Promise<void> {
  await setPasswordHash(tx, userId, await hashPassword(password));
}
