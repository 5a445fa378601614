// Checks a password at sign-in. Every attempt is counted before it is judged, so that parallel guesses gain nothing; a right
// password undoes its own count. An unknown address and a wrong password get the same answer
// (docs/decisions/0128-passwords.md).

import type { KeyedHash } from '../../lib/crypto/keyed-hash.ts';
import type { Limits } from '../../lib/limits/limits.ts';
import type { Database } from '../../lib/postgres/database.ts';
import { accountEmail } from '../../lib/values/email.ts';
import { networkOf } from '../../lib/values/ip-address.ts';
import { PASSWORD_LENGTH_MAX } from '../rules/password.ts';
import { hashPassword, isPassword } from './change-password.ts';
import { findPasswordHolder } from './factor-store.ts';

export type PasswordVerdict =
  | { readonly kind: 'right'; readonly userId: string; readonly seenAtSeconds: number }
  /** The person with this address, if any: for the audit log, never for the response. */
  | { readonly kind: 'wrong'; readonly userId: string | undefined }
  | { readonly kind: 'locked'; readonly retryAfterSeconds: number };

export type PasswordGuess = { readonly email: string; readonly password: string; readonly ip: string };
export type CheckPassword = (guess: PasswordGuess) => Promise<PasswordVerdict>;

export type PasswordCheckOptions = {
  readonly database: Database;
  readonly limits: Limits;
  /** Redis stores this hash of the address and never the address itself. */
  readonly hashAccount: KeyedHash;
};

const MINUTE_US = 60_000_000;
const PER_MINUTE = { max: 10, windowUs: MINUTE_US };
const PER_HOUR = { max: 30, windowUs: 60 * MINUTE_US };
/** A text far over the limit cannot be a password, and must not occupy the hash function. */
const TEXT_LENGTH_MAX = PASSWORD_LENGTH_MAX * 4;

export function createPasswordCheck({ database, limits, hashAccount }: PasswordCheckOptions): CheckPassword {
  // Verified against when the address is unknown, so that both cases take the same time.
  let nobody: Promise<string> | undefined;

  async function judge(email: string, password: string): Promise<PasswordVerdict> {
    const person = await database.asSystem((tx) => findPasswordHolder(tx, email));
    nobody ??= hashPassword('a password that nobody has');
    const isRight = await isPassword(password, person?.passwordHash ?? (await nobody));
    return isRight && person?.passwordHash && person.isEnabled
      ? { kind: 'right', userId: person.userId, seenAtSeconds: person.seenAtSeconds }
      : { kind: 'wrong', userId: person?.userId };
  }

  return async ({ email, password, ip }) => {
    const address = accountEmail(email);
    const account = hashAccount(address).toString('base64url');
    const counts = [
      { key: `sign-in-address:${networkOf(ip)}`, policy: PER_MINUTE },
      { key: `sign-in-minute:${account}`, policy: PER_MINUTE },
      { key: `sign-in-hour:${account}`, policy: PER_HOUR },
    ];
    for (const { key, policy } of counts) {
      const lockedUs = await limits.failures(key, policy, true);
      if (lockedUs > 0) return { kind: 'locked', retryAfterSeconds: Math.ceil(lockedUs / 1_000_000) };
    }
    const verdict = await judge(address, password.slice(0, TEXT_LENGTH_MAX));
    if (verdict.kind === 'right') await Promise.all(counts.map(({ key }) => limits.forgive(key)));
    return verdict;
  };
}
