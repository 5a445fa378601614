// What an operator does to tenants and their members. Each takes an open system transaction, so that a command can do
// several in one.
import type { Role } from '@trefoil/contract';
import { newId } from '../lib/ids.ts';
import type { Tx } from '../lib/sql.ts';
import { insertTenant, upsertMembership } from './store.ts';

export {
  findRole,
  findTenant,
  listMembers,
  listTenants as listAllTenants,
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
