// Checks a password at sign-in. Every attempt is counted before it is judged, so that guesses at the same moment gain
// nothing; a right one is taken back. Nobody can tell an unknown address from a wrong password (docs/decisions/0128).
import type { Database } from '../../lib/database.ts';
import { networkOf } from '../../lib/ip-address.ts';
import type { KeyedHash } from '../../lib/keyed-hash.ts';
import type { Limits } from '../../lib/limits.ts';
import { PASSWORD_LENGTH_MAX } from '../rules/password.ts';
import { hashPassword, isPassword } from './change-password.ts';
import { findPersonProof } from './proof-store.ts';

export type PasswordVerdict =
  | { readonly kind: 'right'; readonly userId: string; readonly seenAtSeconds: number }
  /** The person, when there is one: for the audit log, never for the answer. */
  | { readonly kind: 'wrong'; readonly userId: string | undefined }
  | { readonly kind: 'locked'; readonly retryAfterSeconds: number };

export type PasswordGuess = { readonly email: string; readonly password: string; readonly ip: string };
export type CheckPassword = (guess: PasswordGuess) => Promise<PasswordVerdict>;

export type PasswordCheckOptions = {
  readonly database: Database;
  readonly limits: Limits;
  /** Redis sees this hash of an address and never the address. */
  readonly hashAccount: KeyedHash;
};

const MINUTE_US = 60_000_000;
const PER_MINUTE = { max: 10, windowUs: MINUTE_US };
const PER_HOUR = { max: 30, windowUs: 60 * MINUTE_US };
/** A text far over the limit can be no password, and must not keep the hash busy. */
const TEXT_LENGTH_MAX = PASSWORD_LENGTH_MAX * 4;

export function createPasswordCheck({ database, limits, hashAccount }: PasswordCheckOptions): CheckPassword {
  // Compared with when there is nobody to compare with, so that this takes as long.
  let nobody: Promise<string> | undefined;

  async function judge(email: string, password: string): Promise<PasswordVerdict> {
    const person = await database.asSystem((tx) => findPersonProof(tx, email));
    nobody ??= hashPassword('a password that nobody has');
    const isRight = await isPassword(password, person?.passwordHash ?? (await nobody));
    return isRight && person?.passwordHash && person.isEnabled
      ? { kind: 'right', userId: person.userId, seenAtSeconds: person.seenAtSeconds }
      : { kind: 'wrong', userId: person?.userId };
  }

  return async ({ email, password, ip }) => {
    const address = email.trim().toLowerCase();
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
