// The tenants a token can work in. A credential belongs to one tenant and shows its owner's role there
// (docs/decisions/0024-tenant-list.md, 0026-account-calls-with-credentials.md).
import type { SelectedTenant, TenantList } from '@trefoil/contract';
import { ServiceError } from '../lib/errors.ts';
import type { Database } from '../lib/postgres/database.ts';
import { findSelectedTenant, listMemberships, updateSelectedTenant } from './store.ts';

export { listAllTenantIds, listTenantIdsOf } from './store.ts';

type Member = {
  readonly kind: 'credential' | 'person';
  readonly userId: string;
  /** The tenants the token can work in. */
  readonly accesses: readonly { readonly tenantId: string }[];
};

export async function listMyTenants(database: Database, member: Member): Promise<TenantList> {
  // Only people select a tenant; a credential always works in its own.
  const isPerson = member.kind === 'person';
  const [memberships, selectedId] = await database.forTenants(
    member.accesses.map(({ tenantId }) => tenantId),
    (tx) =>
      Promise.all([
        listMemberships(tx, member.userId),
        isPerson ? findSelectedTenant(tx, member.userId) : Promise.resolve(undefined),
      ]),
  );
  const items = memberships.map(({ tenant, role }) => ({
    id: tenant.id,
    name: tenant.name,
    role,
    isEnabled: tenant.isEnabled,
    isSelected: tenant.id === selectedId,
    createdAt: tenant.createdAt.toISOString(),
  }));
  return { items, total: items.length };
}

/**
 * Stored for a person; with a credential the call checks access and stores nothing (docs/decisions/0025-tenant-select.md,
 * 0026-account-calls-with-credentials.md).
 */
export async function selectTenant(database: Database, member: Member, tenantId: string): Promise<SelectedTenant> {
  const { items } = await listMyTenants(database, member);
  const selected = items.find((item) => item.id === tenantId);
  if (!selected) throw new ServiceError('forbidden', 'The access token does not give access to this tenant.');
  if (member.kind === 'person') {
    await database.asSystem((tx) => updateSelectedTenant(tx, member.userId, selected.id));
  }
  return { id: selected.id, name: selected.name };
}
