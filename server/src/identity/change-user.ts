// What an operator does to people.
import { newId } from '../lib/ids.ts';
import type { Tx } from '../lib/sql.ts';
import { insertUser } from './store.ts';

export { findUser, findUserByEmail, listUsers, updateUserEnabled as enableUser } from './store.ts';

export async function createUser(
  tx: Tx,
  user: { email: string; firstName: string; lastName: string },
): Promise<string> {
  const id = newId();
  await insertUser(tx, { ...user, email: user.email.toLowerCase(), id });
  return id;
}
