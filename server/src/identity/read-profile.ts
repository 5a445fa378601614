// The person behind a token; for a credential, its accountable owner (docs/decisions/0026).
import type { Profile } from '@trefoil/contract';
import type { Database } from '../lib/database.ts';
import { findUser } from './store.ts';

export async function readProfile(
  database: Database,
  caller: { tenantId: string; ownerUserId: string },
): Promise<Profile> {
  const user = await database.forTenants([caller.tenantId], (tx) => findUser(tx, caller.ownerUserId));
  if (!user) throw new Error('a credential has no owner');
  return {
    id: user.id,
    firstName: user.firstName,
    lastName: user.lastName,
    email: user.email,
    totpEnabled: user.totpEnabled,
    createdAt: user.createdAt.toISOString(),
  };
}
