// The latest rows of a tenant's audit log of some kinds of actions, newest first.
import { walkInKeyOrder } from '../lib/postgres/key-order.ts';
import type { Tx } from '../lib/postgres/sql.ts';
import { listNewestOfKinds, type RecentAudit } from './audit-read-store.ts';

export async function listRecentAudit(
  tx: Tx,
  tenantId: string,
  kinds: readonly string[],
  limit: number,
): Promise<RecentAudit[]> {
  await walkInKeyOrder(tx);
  return listNewestOfKinds(tx, tenantId, kinds, limit);
}
