// Creates a person with the password they chose, in an open transaction of the system role: for an invitation
// that is accepted.
import type { Tx } from '../../lib/postgres/sql.ts';
import { createUser } from '../people/change-user.ts';
import { setPasswordHash } from './change-password.ts';

export type PersonToCreate = {
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly passwordHash: string;
};

export async function createPerson(tx: Tx, { passwordHash, ...user }: PersonToCreate): Promise<string> {
  const userId = await createUser(tx, user);
  await setPasswordHash(tx, userId, passwordHash);
  return userId;
}
