// Prices as rows: a list with effective dates, and the prices of single tenants (docs/decisions/0054-prices.md). Rows are
// only added, so that every past charge can be explained.
import { rows, sql, type Tx } from '../lib/postgres/sql.ts';
import type { PriceItem, PriceRow, Prices } from './rules/price-list.ts';

/** One statement for any number of tenants. A tenant's price of null returns to the list price. */
export async function listCurrentPrices(tx: Tx, tenantIds: readonly string[]): Promise<Map<string, Prices>> {
  // A subquery reads clock_timestamp() once: every tenant and item in the result has the price of one instant.
  const found = await rows<{ tenantId: string; item: PriceItem; credits: number | null }>(
    tx,
    sql`
    select asked.tenant_id as "tenantId", items.item, coalesce(own.credits, listed.credits) as credits
      from unnest(${[...new Set(tenantIds)]}::uuid[]) as asked (tenant_id)
     cross join (values ('report'), ('bureau'), ('sms')) as items (item)
     cross join (select clock_timestamp() as at offset 0) as clock
      left join lateral (select credits from tenant_prices
                          where tenant_id = asked.tenant_id and item = items.item and effective_from <= clock.at
                          order by effective_from desc limit 1) as own on true
      left join lateral (select credits from list_prices
                          where item = items.item and effective_from <= clock.at
                          order by effective_from desc limit 1) as listed on true`,
  );
  const prices = new Map<string, Record<PriceItem, number>>();
  for (const { tenantId, item, credits } of found) {
    if (credits === null) throw new Error(`there is no list price for ${item}`);
    const own = prices.get(tenantId) ?? { report: 0, bureau: 0, sms: 0 };
    own[item] = credits;
    prices.set(tenantId, own);
  }
  return prices;
}

const HISTORY_LIMIT = 1_000;

/** A tenant's own prices and the list together, oldest first; one instant decides which rows have begun. */
export function listPriceRows(tx: Tx, tenantId: string): Promise<(PriceRow & { readonly item: PriceItem })[]> {
  return rows(
    tx,
    sql`
    select * from (
      select 'list' as source, item, credits, effective_from as "effectiveFrom",
             effective_from <= statement_timestamp() as "hasBegun"
        from list_prices
      union all
      select 'tenant', item, credits, effective_from, effective_from <= statement_timestamp()
        from tenant_prices where tenant_id = ${tenantId}
      order by "effectiveFrom" desc, source limit ${HISTORY_LIMIT}) as latest
     order by "effectiveFrom", source desc`,
  );
}

export type ListPriceRow = {
  readonly item: PriceItem;
  readonly credits: number;
  readonly effectiveFrom: Date;
  readonly hasBegun: boolean;
};

export function listListPrices(tx: Tx): Promise<ListPriceRow[]> {
  return rows<ListPriceRow>(
    tx,
    sql`
    select item, credits, effective_from as "effectiveFrom", effective_from <= statement_timestamp() as "hasBegun"
      from list_prices order by item, effective_from limit ${HISTORY_LIMIT}`,
  );
}

export type NewPrice = {
  readonly item: PriceItem;
  readonly credits: number;
  /** Undefined: from now on. */
  readonly from: Date | undefined;
};

/** Undefined when the instant is in the past: the prices behind earlier charges must stay explicable. */
export async function insertListPrice(tx: Tx, { item, credits, from }: NewPrice): Promise<Date | undefined> {
  const [added] = await rows<{ effectiveFrom: Date }>(
    tx,
    sql`
    insert into list_prices (item, effective_from, credits)
    select ${item}, coalesce(${from ?? null}::timestamptz, clock_timestamp()), ${credits}
     where ${from ?? null}::timestamptz is null or ${from ?? null}::timestamptz >= clock_timestamp()
    returning effective_from as "effectiveFrom"`,
  );
  return added?.effectiveFrom;
}

/** Null credits: return to the list price. Undefined when the instant is in the past. */
export async function insertTenantPrice(
  tx: Tx,
  tenantId: string,
  { item, credits, from }: Omit<NewPrice, 'credits'> & { readonly credits: number | null },
): Promise<Date | undefined> {
  const [added] = await rows<{ effectiveFrom: Date }>(
    tx,
    sql`
    insert into tenant_prices (tenant_id, item, effective_from, credits)
    select ${tenantId}::uuid, ${item}, coalesce(${from ?? null}::timestamptz, clock_timestamp()), ${credits}::bigint
     where ${from ?? null}::timestamptz is null or ${from ?? null}::timestamptz >= clock_timestamp()
    returning effective_from as "effectiveFrom"`,
  );
  return added?.effectiveFrom;
}
