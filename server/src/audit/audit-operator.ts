// Audit rows of the operator's changes to tenants. Those changes run as the system role, which cannot write to a chain,
// so a separate transaction writes the row after the change.
import type { Database } from '../lib/postgres/database.ts';
import { type AuditEntry, appendAudit } from './append-audit.ts';
import { listChainTenants } from './audit-read-store.ts';

export type OperatorChange = Pick<AuditEntry, 'action' | 'details'>;

/** Locks few chain heads at a time, and briefly: reports need them too. */
const TENANTS_AT_A_TIME = 50;

export async function auditOperator(
  database: Database,
  tenantIds: readonly string[],
  change: OperatorChange,
): Promise<void> {
  const entries = tenantIds.map((tenantId) => ({ tenantId, actor: 'operator', subjectId: tenantId, ...change }));
  await database.forTenants(tenantIds, (tx) => appendAudit(tx, entries));
}

/** For a change that applies to every tenant. */
export async function auditEveryTenant(database: Database, change: OperatorChange): Promise<void> {
  const tenantIds = await database.asSystem(listChainTenants);
  for (let at = 0; at < tenantIds.length; at += TENANTS_AT_A_TIME) {
    await auditOperator(database, tenantIds.slice(at, at + TENANTS_AT_A_TIME), change);
  }
}
