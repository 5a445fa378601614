// A signed-in person gives their password again. A wrong password goes to the audit log, since another person may be using
// their browser. An attempt refused by the limit does not, so that repeated attempts cannot fill the log.
import type { Database } from '../../lib/postgres/database.ts';
import { auditPerson } from '../people/audit-person.ts';
import type { CheckPassword, PasswordGuess, PasswordVerdict } from './check-password.ts';

export async function confirmPassword(
  { database, checkPassword }: { readonly database: Database; readonly checkPassword: CheckPassword },
  userId: string,
  guess: PasswordGuess,
): Promise<PasswordVerdict> {
  const verdict = await checkPassword(guess);
  if (verdict.kind === 'wrong') {
    await auditPerson(database, userId, 'person.proof-failed', { proof: 'password', at: 'security-page' });
  }
  return verdict;
}
