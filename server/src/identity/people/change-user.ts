// The operator's changes to people.

import { newId } from '../../lib/ids.ts';
import type { Tx } from '../../lib/postgres/sql.ts';
import { accountEmail } from '../../lib/values/email.ts';
import { updateTokenEpochsOf } from '../credentials/client-store.ts';
import { endOtherSignIns } from '../sessions/sign-in-store.ts';
import { insertUser, updateUserEnabled } from './people-store.ts';

export { findUser, findUserByEmail, listUsers } from './people-store.ts';

/**
 * Returns false when the person does not exist. Disabling a person also stops the secrets and keys they made for other
 * people's credentials (docs/decisions/0151-what-a-member-made.md), and ends their sign-ins. Enabling ends the sign-ins
 * once more: none from before may work again, nor one that was in progress when the person was disabled.
 */
export async function enableUser(tx: Tx, userId: string, isEnabled: boolean): Promise<boolean> {
  const isThere = await updateUserEnabled(tx, userId, isEnabled);
  if (!isThere) return false;
  if (!isEnabled) await updateTokenEpochsOf(tx, userId);
  await endOtherSignIns(tx, userId, undefined);
  return true;
}

export async function createUser(
  tx: Tx,
  user: { email: string; firstName: string; lastName: string },
): Promise<string> {
  const id = newId();
  await insertUser(tx, { ...user, email: accountEmail(user.email), id });
  return id;
}
