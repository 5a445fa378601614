// What is priced, and what a tenant pays over time out of two lists: the one for everybody and the tenant's own.
// docs/decisions/0054.
export const PRICE_ITEMS = ['report', 'bureau', 'sms'] as const;
export type PriceItem = (typeof PRICE_ITEMS)[number];

/** Credits for a report, for each bureau asked for it, and for one message. */
export type Prices = Readonly<Record<PriceItem, number>>;

/** One row of either list. A tenant's own null means the list price again from then on. */
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

/** What one item costs from when on, out of its rows in the order of time. Rows that change nothing leave no step. */
export function priceSteps(rows: readonly PriceRow[]): PriceStep[] {
  const steps: PriceStep[] = [];
  let listed: number | null = null;
  let own: number | null = null;
  for (const { source, credits, effectiveFrom, hasBegun } of rows) {
    if (source === 'tenant') own = credits;
    else listed = credits;
    const paid = own ?? listed;
    // Both lists may change at one instant: only what holds after the last of them counts.
    if (steps.at(-1)?.effectiveFrom.getTime() === effectiveFrom.getTime()) steps.pop();
    if (paid === null) continue;
    const step: PriceStep = { source: own === null ? 'list' : 'tenant', credits: paid, effectiveFrom, hasBegun };
    const before = steps.at(-1);
    if (before?.source !== step.source || before.credits !== step.credits) steps.push(step);
  }
  return steps;
}
