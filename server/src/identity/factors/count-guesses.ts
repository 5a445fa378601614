// Judges a second factor under the lock on the person's count, so that parallel guesses are judged one after the other and
// the sixth wrong one in a quarter of an hour is not judged. Kept in PostgreSQL, since Redis may lose its data.
import type { Tx } from '../../lib/postgres/sql.ts';
import { queueMail } from '../../mail/queue-mail.ts';
import { findUser } from '../people/people-store.ts';
import { allowGuess, countOfDay, isWarningDue } from '../rules/guesses.ts';
import { lockGuesses, updateGuesses } from './factor-store.ts';

export type FactorVerdict =
  | { readonly kind: 'right' }
  | { readonly kind: 'wrong' }
  | { readonly kind: 'locked'; readonly retryAfterSeconds: number };

/** `judge` gets the database's time, read after the lock is held. */
export async function judgeGuess(
  tx: Tx,
  userId: string,
  judge: (now: Date) => Promise<boolean>,
): Promise<FactorVerdict> {
  const { now, ...counted } = await lockGuesses(tx, userId);
  const allowance = allowGuess(counted, now);
  if (allowance.kind === 'locked') return allowance;
  if (await judge(now)) {
    await updateGuesses(tx, userId, { ...counted, failures: 0, since: now });
    return { kind: 'right' };
  }
  const { failures: dayFailures, since: daySince } = countOfDay(
    { failures: counted.dayFailures, since: counted.daySince },
    now,
  );
  const wrong = { ...counted, ...allowance.guesses, dayFailures, daySince };
  const failures = wrong.failures + 1;
  const isTold = isWarningDue({ ...wrong, failures }, now);
  if (isTold) await warn(tx, userId);
  await updateGuesses(tx, userId, { ...wrong, failures, warnedAt: isTold ? now : counted.warnedAt });
  return { kind: 'wrong' };
}

/** Runs in the transaction that counts: fifty wrong guesses at once make one mail. */
async function warn(tx: Tx, userId: string): Promise<void> {
  const user = await findUser(tx, userId);
  if (user) await queueMail(tx, { kind: 'factors-guessed', subjectId: userId, recipient: user.email });
}
