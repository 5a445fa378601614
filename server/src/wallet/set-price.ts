// Changes prices from now on or from a later instant. Rows are only added, never for a past time: each hold copied the
// price of its time, and the lists must still explain it.
import type { Tx } from '../lib/postgres/sql.ts';
import { insertListPrice, insertTenantPrice } from './price-store.ts';
import type { PriceItem } from './rules/price-list.ts';

export type PriceOrder = {
  readonly item: PriceItem;
  /** Null, for a tenant only: return to the list price. */
  readonly credits: number | null;
  readonly from: Date | undefined;
};

/** When the price begins; undefined when that instant is in the past and nothing was changed. */
export function setTenantPrice(tx: Tx, tenantId: string, order: PriceOrder): Promise<Date | undefined> {
  return insertTenantPrice(tx, tenantId, order);
}

export function setListPrice(tx: Tx, order: PriceOrder & { readonly credits: number }): Promise<Date | undefined> {
  return insertListPrice(tx, order);
}
