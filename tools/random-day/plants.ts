// Faults to plant after a day, each in one row that a figure is counted from: the comparison must find every one of them.
import type { Scene } from './scene.ts';

type Plant = { readonly id: 'usage' | 'wallet' | 'bureaus'; readonly sentence: string; readonly sql: string };

const day = `where ctid = (select ctid from usage_days where tenant_id = $1 and item = 'report.completed' limit 1)`;
const money = `where ctid = (select ctid from wallet_days where tenant_id = $1 and kind = 'report-charge' limit 1)`;
const slot = 'where ctid = (select ctid from bureau_slots where tenant_id = $1 limit 1)';

export const PLANTS: readonly Plant[] = [
  {
    id: 'usage',
    sentence: 'one day has one complete report too many',
    sql: `update usage_days set count = count + 1 ${day}`,
  },
  {
    id: 'wallet',
    sentence: 'one day has one credit too few',
    sql: `update wallet_days set amount = amount - 1 ${money}`,
  },
  {
    id: 'bureaus',
    sentence: 'in one half hour a bureau was asked once more',
    sql: `update bureau_slots set asked = asked + 1 ${slot}`,
  },
];

export async function plant({ query }: Scene, tenantId: string, { id, sql }: Plant): Promise<void> {
  const changed = await query(`${sql} returning 1`, [tenantId]);
  if (changed.length !== 1) throw new Error(`the fault ${id} could not be planted: there is no row for it`);
}
