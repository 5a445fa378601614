// What reports and messages cost on each of the last days, exact to the journal at this moment.
import { walkByKey } from '../../lib/postgres/key-order.ts';
import type { Tx } from '../../lib/postgres/sql.ts';
import { listFreeDays, listSpentDays, type SpentDay } from './day-store.ts';
import { requireCounted } from './require-counted.ts';

export type { SpentDay } from './day-store.ts';

type Asked = { readonly days: number; readonly isTest: boolean };

export async function readSpentDays(tx: Tx, tenantId: string, { days, isTest }: Asked): Promise<SpentDay[]> {
  if (isTest) return listFreeDays(tx, days);
  await requireCounted(tx, tenantId);
  await walkByKey(tx);
  return listSpentDays(tx, tenantId, days);
}
