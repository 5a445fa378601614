// Wraps the data keys of reports anew, by the key that wraps now: what sealed them before can then leave. Nothing of a report is
// encrypted again, since its data key stays. Safe under load and safe to stop: each batch is one short transaction, and the
// rows themselves say what is left (docs/decisions/0258-a-key-service.md). The newest report comes first: the start of a process
// looks at the oldest one, which so shows a rotation that was cut off.
import { auditOperator } from '../../audit/audit-operator.ts';
import { KeyNotAtHand } from '../../lib/crypto/key-not-at-hand.ts';
import type { Vault } from '../../lib/crypto/vault.ts';
import type { Database } from '../../lib/postgres/database.ts';
import { listAllTenantIds } from '../../tenants/list-tenants.ts';
import { listRewrappable, type RewrappableKey, type RewrappedKey, type Settled, updateDataKeys } from './ring-store.ts';

/** A few milliseconds of work and of locks. */
const AT_A_TIME = 200;
const HIGHEST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

export type Rewrapped = { readonly count: number; readonly skipped: number };

type Rotation = {
  readonly vault: Vault;
  readonly settled: Settled;
  onProgress(sentence: string): void;
};

/** None for a key that cannot be opened, such as one whose ring key the operator has declared lost. */
function rewrap(vault: Vault, tenantId: string, key: RewrappableKey): RewrappedKey[] {
  try {
    return [{ ...key, to: vault.rewrapDataKey({ tenantId, subjectId: key.creditReportId }, key) }];
  } catch (error) {
    if (error instanceof KeyNotAtHand) throw error;
    return [];
  }
}

async function rewrapTenant(
  database: Database,
  tenantId: string,
  { vault, settled, onProgress }: Rotation,
): Promise<Rewrapped> {
  let beforeId = HIGHEST_ID;
  let count = 0;
  let skipped = 0;
  for (;;) {
    const place = { beforeId, limit: AT_A_TIME };
    // The keys are opened inside: whatever is not in memory is loaded with the transaction rolled back.
    const batch = await database.forTenants([tenantId], async (tx) => {
      const found = await listRewrappable(tx, tenantId, settled, place);
      if (found.length === 0) return undefined;
      const changed = found.flatMap((key) => rewrap(vault, tenantId, key));
      const updated = changed.length > 0 ? await updateDataKeys(tx, tenantId, changed) : 0;
      return { lastId: found.at(-1)?.creditReportId ?? beforeId, found: found.length, updated };
    });
    if (!batch) return { count, skipped };
    beforeId = batch.lastId;
    count += batch.updated;
    skipped += batch.found - batch.updated;
    onProgress(`${count.toLocaleString('en-GB')} data keys of tenant ${tenantId} are re-wrapped.`);
  }
}

/** `skipped` are those that cannot be opened. */
export async function rewrapDataKeys(database: Database, rotation: Rotation): Promise<Rewrapped> {
  const tenantIds = await database.asSystem(listAllTenantIds);
  const sum = { count: 0, skipped: 0 };
  for (const tenantId of tenantIds) {
    const { count, skipped } = await rewrapTenant(database, tenantId, rotation);
    sum.count += count;
    sum.skipped += skipped;
    if (count > 0) await auditOperator(database, [tenantId], { action: 'vault-key.rotated', details: { count } });
  }
  return sum;
}
