// The operator's changes to tenants and their members. Each takes an open system transaction, so that a command can
// make several in one.
import type { Role } from '@trefoil/contract';
import { newId } from '../lib/ids.ts';
import type { Tx } from '../lib/postgres/sql.ts';
import { insertTenant, upsertMembership } from './store.ts';

export {
  findRole,
  findTenant,
  listTenants as listAllTenants,
  listTenantsByName,
  updateTenantEnabled as enableTenant,
  updateTenantRate as changeRate,
} from './store.ts';

export async function createTenant(tx: Tx, name: string): Promise<string> {
  const id = newId();
  await insertTenant(tx, { id, name });
  return id;
}

export async function addMember(tx: Tx, tenantId: string, userId: string, role: Role): Promise<void> {
  await upsertMembership(tx, tenantId, userId, role);
}
