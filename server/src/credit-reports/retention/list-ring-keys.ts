// The keys of the ring that reports still need: checked at start-up, before a read meets a report that cannot be
// opened.
import type { Database } from '../../lib/postgres/database.ts';
import { listAllTenantIds } from '../../tenants/list-tenants.ts';
import { listEdgeKeys } from './ring-store.ts';

const TENANTS_AT_A_TIME = 500;

export async function listReportKeys(database: Database): Promise<ReadonlySet<string>> {
  const tenantIds = await database.asSystem(listAllTenantIds);
  const found = new Set<string>();
  for (let from = 0; from < tenantIds.length; from += TENANTS_AT_A_TIME) {
    const some = tenantIds.slice(from, from + TENANTS_AT_A_TIME);
    for (const id of await database.forTenants(some, (tx) => listEdgeKeys(tx, some))) found.add(id);
  }
  return found;
}
