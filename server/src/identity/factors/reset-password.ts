// A forgotten password: a mailed link, valid once and for half an hour. It replaces only the password; a person with a
// second factor still proves it at sign-in. The answer does not reveal whether an address is known.

import { newId } from '../../lib/ids.ts';
import type { Limits } from '../../lib/limits/limits.ts';
import type { Database } from '../../lib/postgres/database.ts';
import { accountEmail } from '../../lib/values/email.ts';
import { networkOf } from '../../lib/values/ip-address.ts';
import type { LinkTokens } from '../../mail/link-tokens.ts';
import { queueMail } from '../../mail/queue-mail.ts';
import { auditPerson } from '../people/audit-person.ts';
import type { IsBreached } from './breached-passwords.ts';
import { type ChosenPasswordFault, finishChange, judgeNewPassword } from './change-factors.ts';
import { hashPassword, setPasswordHash } from './change-password.ts';
import { insertReset, lockReset, type OpenReset, updateResetsUsed } from './reset-store.ts';

export type ResetDependencies = {
  readonly database: Database;
  readonly limits: Limits;
  readonly linkTokens: LinkTokens;
  readonly isBreached: IsBreached;
};

const PER_PERSON_AN_HOUR = 3;
const PER_ADDRESS = { max: 10, windowUs: 60 * 60_000_000 };

/** False when this network has asked too many times. */
export async function mayAskForReset({ limits }: ResetDependencies, ip: string): Promise<boolean> {
  return (await limits.failures(`reset-address:${networkOf(ip)}`, PER_ADDRESS, true)) === 0;
}

export async function askForReset({ database }: ResetDependencies, email: string): Promise<void> {
  const address = accountEmail(email);
  await database.asSystem(async (tx) => {
    const id = newId();
    const reset = await insertReset(tx, { id, email: address, max: PER_PERSON_AN_HOUR });
    if (reset) await queueMail(tx, { kind: 'password-reset', subjectId: id, recipient: address });
  });
}

export async function findReset(
  { database, linkTokens }: ResetDependencies,
  token: string,
): Promise<OpenReset | undefined> {
  const id = linkTokens.read('password-reset', token);
  return id === undefined ? undefined : database.asSystem((tx) => lockReset(tx, id));
}

export type ResetOutcome =
  | { readonly kind: 'changed' }
  | { readonly kind: 'over' }
  | { readonly kind: 'refused'; readonly fault: ChosenPasswordFault };

export async function resetPassword(
  dependencies: ResetDependencies,
  token: string,
  chosen: string,
): Promise<ResetOutcome> {
  const { database, linkTokens, isBreached } = dependencies;
  const open = await findReset(dependencies, token);
  const id = linkTokens.read('password-reset', token);
  if (!open || id === undefined) return { kind: 'over' };
  const fault = await judgeNewPassword(isBreached, chosen, open.email);
  if (fault) return { kind: 'refused', fault };
  const passwordHash = await hashPassword(chosen);
  const isChanged = await database.asSystem(async (tx) => {
    // Checked again under the lock: of two requests that follow the link at once, one sets the password.
    if (!(await lockReset(tx, id))) return false;
    await setPasswordHash(tx, open.userId, passwordHash);
    await updateResetsUsed(tx, open.userId);
    await finishChange(tx, { userId: open.userId, signInId: undefined }, 'password-changed');
    return true;
  });
  if (!isChanged) return { kind: 'over' };
  await auditPerson(database, open.userId, 'password.changed', { by: 'reset' });
  return { kind: 'changed' };
}
