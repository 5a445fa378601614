// Changes prices from now or a later instant on. Rows are only added, never for a time that is over: a hold copied the
// price of its moment, and the lists must still be able to explain it.
import type { Tx } from '../lib/sql.ts';
import { insertListPrice, insertTenantPrice } from './price-store.ts';
import type { PriceItem } from './rules/price-list.ts';

export type PriceOrder = {
  readonly item: PriceItem;
  /** Null, for a tenant only: the list price again. */
  readonly credits: number | null;
  readonly from: Date | undefined;
};

/** When the price begins; undefined when that instant is over and nothing was changed. */
export function setTenantPrice(tx: Tx, tenantId: string, order: PriceOrder): Promise<Date | undefined> {
  return insertTenantPrice(tx, tenantId, order);
}

export function setListPrice(tx: Tx, order: PriceOrder & { readonly credits: number }): Promise<Date | undefined> {
  return insertListPrice(tx, order);
}
