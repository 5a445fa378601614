// What has a price, and what a tenant pays over time from two lists: the general one and the tenant's own.
// docs/decisions/0054-prices.md.
export const PRICE_ITEMS = ['report', 'bureau', 'sms'] as const;
export type PriceItem = (typeof PRICE_ITEMS)[number];

/** Credits for a report, for each bureau asked for it, and for one message. */
export type Prices = Readonly<Record<PriceItem, number>>;

/** Of a report from so many bureaus, without its messages. */
export const priceOfReport = (price: Prices, bureaus: number): number => price.report + price.bureau * bureaus;

/** One row of either list. Null in a tenant's own list returns to the list price from then on. */
export type PriceRow = {
  readonly source: 'list' | 'tenant';
  readonly credits: number | null;
  readonly effectiveFrom: Date;
  readonly hasBegun: boolean;
};

export type PriceStep = {
  readonly source: 'list' | 'tenant';
  readonly credits: number;
  readonly effectiveFrom: Date;
  readonly hasBegun: boolean;
};

/** The price of one item over time, from its rows in time order. Rows that change nothing add no step. */
export function priceSteps(rows: readonly PriceRow[]): PriceStep[] {
  const steps: PriceStep[] = [];
  let listed: number | null = null;
  let own: number | null = null;
  for (const { source, credits, effectiveFrom, hasBegun } of rows) {
    if (source === 'tenant') own = credits;
    else listed = credits;
    const paid = own ?? listed;
    // Both lists may change at one instant: only the price after the last of these rows counts.
    if (steps.at(-1)?.effectiveFrom.getTime() === effectiveFrom.getTime()) steps.pop();
    if (paid === null) continue;
    const step: PriceStep = { source: own === null ? 'list' : 'tenant', credits: paid, effectiveFrom, hasBegun };
    const before = steps.at(-1);
    if (before?.source !== step.source || before.credits !== step.credits) steps.push(step);
  }
  return steps;
}
