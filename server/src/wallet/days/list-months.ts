// The totals of each month: what the wallet began and ended with, and what moved it. Exact to the journal at this moment.
import type { WalletMonthsData } from '@trefoil/contract';
import type { Database } from '../../lib/postgres/database.ts';
import { walkByKey } from '../../lib/postgres/key-order.ts';
import { toMonths } from '../rules/months.ts';
import { listMonthSums } from './day-store.ts';
import { requireCounted } from './require-counted.ts';

/** Ten years. */
const MONTHS_MAX = 120;

export async function listMonths(database: Database, tenantId: string): Promise<WalletMonthsData> {
  const sums = await database.forTenants([tenantId], async (tx) => {
    await requireCounted(tx, tenantId);
    await walkByKey(tx);
    return listMonthSums(tx, tenantId);
  });
  return { items: toMonths(sums).slice(0, MONTHS_MAX) };
}
