// The person behind a token; for a credential, its accountable owner
// (docs/decisions/0026-account-calls-with-credentials.md).
import type { Profile } from '@trefoil/contract';
import type { Database } from '../../lib/postgres/database.ts';
import { findUser } from './people-store.ts';

export async function readProfile(database: Database, { userId }: { readonly userId: string }): Promise<Profile> {
  const user = await database.asSystem((tx) => findUser(tx, userId));
  if (!user) throw new Error('the person of a token does not exist');
  return {
    id: user.id,
    firstName: user.firstName,
    lastName: user.lastName,
    email: user.email,
    totpEnabled: user.totpEnabled,
    createdAt: user.createdAt.toISOString(),
  };
}
