// What tenants pay: the current prices, for a charge; and with known future changes, for a tenant that asks.
import assert from 'node:assert/strict';
import type { PriceChange, PricesData } from '@trefoil/contract';
import type { Database } from '../lib/postgres/database.ts';
import type { Tx } from '../lib/postgres/sql.ts';
import { listPriceRows } from './price-store.ts';
import { PRICE_ITEMS, type PriceItem, type PriceStep, priceSteps } from './rules/price-list.ts';

export { listCurrentPrices, listListPrices } from './price-store.ts';

const shown = ({ credits, source, effectiveFrom }: PriceStep) => ({
  credits,
  source,
  effectiveFrom: effectiveFrom.toISOString(),
});

export async function findPrices(tx: Tx, tenantId: string): Promise<PricesData> {
  const found = await listPriceRows(tx, tenantId);
  const steps = (item: PriceItem) => priceSteps(found.filter((row) => row.item === item));
  const current = (item: PriceItem) => {
    const now = steps(item).findLast(({ hasBegun }) => hasBegun);
    assert(now, `there is no list price for ${item}`);
    return shown(now);
  };
  const changes = PRICE_ITEMS.flatMap((item) =>
    steps(item)
      .filter(({ hasBegun }) => !hasBegun)
      .map((step): PriceChange => ({ item, ...shown(step) })),
  ).toSorted((a, b) => a.effectiveFrom.localeCompare(b.effectiveFrom));
  return { report: current('report'), bureau: current('bureau'), sms: current('sms'), changes };
}

export function readPrices(database: Database, tenantId: string): Promise<PricesData> {
  return database.forTenants([tenantId], (tx) => findPrices(tx, tenantId));
}
