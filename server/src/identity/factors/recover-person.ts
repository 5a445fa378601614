// The operator's help for a person who cannot sign in: removes lost factors, and makes a link to a new password.

import { newId } from '../../lib/ids.ts';
import type { Database } from '../../lib/postgres/database.ts';
import type { LinkTokens } from '../../mail/link-tokens.ts';
import { lockPerson } from '../first-factor/factor-link-store.ts';
import { auditAs } from '../people/audit-person.ts';
import { finishChange } from './change-factors.ts';
import { deleteTotp, replaceRecoveryCodes } from './factor-store.ts';
import { deletePasskeys } from './passkey-store.ts';
import { insertResetOf } from './reset-store.ts';

/** Removes everything but the password and ends all sign-ins. Returns how many factors there were. */
export async function removeFactors(database: Database, userId: string): Promise<number> {
  const removed = await database.asSystem(async (tx) => {
    await lockPerson(tx, userId);
    const hadTotp = await deleteTotp(tx, userId);
    const passkeys = await deletePasskeys(tx, userId);
    await replaceRecoveryCodes(tx, userId);
    const count = passkeys + (hadTotp ? 1 : 0);
    if (count > 0) await finishChange(tx, { userId, signInId: undefined }, 'factor-changed');
    return count;
  });
  const details = { factor: 'all', count: removed };
  if (removed > 0) await auditAs(database, 'operator', { userId, action: 'factor.removed', details });
  return removed;
}

/** The path of a page where the person chooses a password, once, within half an hour. */
export async function makeResetPath(database: Database, linkTokens: LinkTokens, userId: string): Promise<string> {
  const id = newId();
  await database.asSystem((tx) => insertResetOf(tx, id, userId));
  return `/v1/auth/reset-password/${linkTokens.make('password-reset', id)}`;
}
