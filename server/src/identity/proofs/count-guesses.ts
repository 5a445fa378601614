// Judges a second factor under the lock of the person's count, so that parallel guesses come one after the other and
// the sixth wrong one in a quarter of an hour is not looked at. In PostgreSQL, since Redis may forget.
import type { Tx } from '../../lib/sql.ts';
import { allowGuess } from '../rules/guesses.ts';
import { lockGuesses, updateGuesses } from './proof-store.ts';

export type FactorVerdict =
  | { readonly kind: 'right' }
  | { readonly kind: 'wrong' }
  | { readonly kind: 'locked'; readonly retryAfterSeconds: number };

/** `judge` gets the database's time, read after the lock. */
export async function judgeGuess(
  tx: Tx,
  userId: string,
  judge: (now: Date) => Promise<boolean>,
): Promise<FactorVerdict> {
  const { now, ...counted } = await lockGuesses(tx, userId);
  const allowance = allowGuess(counted, now);
  if (allowance.kind === 'locked') return allowance;
  const { failures, since } = allowance.guesses;
  if (await judge(now)) {
    await updateGuesses(tx, userId, { failures: 0, since: now });
    return { kind: 'right' };
  }
  await updateGuesses(tx, userId, { failures: failures + 1, since });
  return { kind: 'wrong' };
}
