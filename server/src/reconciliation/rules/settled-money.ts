// What the ledger must contain for a report and for a message in each state: the state table of
// docs/decisions/0050-when-the-report-is-charged.md read backwards. Only reconciliation uses these two functions.

export type HoldShape = 'open' | 'captured' | 'voided' | 'none';

/** A live report as the ledger sees it. The amounts are already compared: with the hold, and the refund with the charge. */
export type ReportShape = {
  readonly status: 'pending' | 'challenged' | 'fetching' | 'complete' | 'failed' | 'blocked' | 'expired';
  readonly hold: HoldShape;
  readonly charged: 'none' | 'all' | 'part' | 'other';
  readonly refunded: 'none' | 'all' | 'part' | 'other';
  /** Whether charge less refund is the price of the bureaus that answered; unknown where no results are stored. */
  readonly net: 'right' | 'wrong' | 'unknown';
};

/** The fault in a few words; undefined when there is none. */
export function faultOfReport({ status, hold, charged, refunded, net }: ReportShape): string | undefined {
  const isUntouched = charged === 'none' && refunded === 'none';
  switch (status) {
    case 'pending':
      if (hold !== 'open') return `pending with its hold ${hold}`;
      return isUntouched ? undefined : 'pending and already in the books';
    case 'blocked':
      if (hold !== 'voided') return `blocked with its hold ${hold}`;
      return isUntouched ? undefined : 'blocked and yet charged';
    case 'challenged':
    case 'fetching':
      if (hold !== 'captured') return `${status} with its hold ${hold}`;
      if (charged !== 'all') return `${status} and not charged in full`;
      return refunded === 'none' ? undefined : `${status} and already refunded`;
    case 'complete':
      if (hold !== 'captured') return `complete with its hold ${hold}`;
      if (charged === 'none' || charged === 'other') return 'complete and not charged as held';
      if (refunded === 'other') return 'complete and refunded more than its charge';
      if (net === 'unknown') return refunded === 'all' ? 'complete and refunded in full' : undefined;
      return net === 'right' ? undefined : 'complete and not charged for exactly the bureaus that answered';
    case 'expired':
    case 'failed':
      // At generate nothing was charged; after a challenge everything was refunded.
      if (hold === 'voided' && status === 'failed') return isUntouched ? undefined : 'failed at once and yet charged';
      if (hold !== 'captured') return `${status} with its hold ${hold}`;
      return charged === 'all' && refunded === 'all'
        ? undefined
        : `${status} after a challenge and not refunded in full`;
  }
}

/** A message as the ledger sees it. */
export type SendShape = {
  readonly state: 'queued' | 'submitted' | 'delivered' | 'undelivered' | 'refused' | 'silent';
  readonly hold: HoldShape;
  readonly charged: 'none' | 'all' | 'other';
  readonly writtenOff: 'none' | 'all' | 'other';
};

export function faultOfSend({ state, hold, charged, writtenOff }: SendShape): string | undefined {
  if (state === 'delivered') {
    // Captured, or charged or written off after its hold was released.
    if (hold !== 'captured' && hold !== 'voided') return `delivered with its hold ${hold}`;
    if (charged === 'none' && writtenOff === 'none') return 'delivered and neither charged nor written off';
    if (charged !== 'none' && writtenOff !== 'none') return 'delivered, charged and written off as well';
    if (hold === 'captured' && charged === 'none') return 'delivered, its hold captured and not charged';
    return charged === 'other' || writtenOff === 'other' ? 'delivered and not charged as held' : undefined;
  }
  if (charged !== 'none' || writtenOff !== 'none') return `${state} and yet charged or written off`;
  const expected = state === 'queued' || state === 'submitted' ? 'open' : 'voided';
  return hold === expected ? undefined : `${state} with its hold ${hold}`;
}

const HOLDS: readonly HoldShape[] = ['open', 'captured', 'voided', 'none'];
const SHARES = ['none', 'all', 'part', 'other'] as const;
const WHOLES = ['none', 'all', 'other'] as const;

/** Every sound shape of a report: any other shape is a finding. */
export const SOUND_REPORTS: readonly ReportShape[] = (
  ['pending', 'challenged', 'fetching', 'complete', 'failed', 'blocked', 'expired'] as const
)
  .flatMap((status) => HOLDS.map((hold) => ({ status, hold })))
  .flatMap((shape) => SHARES.map((charged) => ({ ...shape, charged })))
  .flatMap((shape) => SHARES.map((refunded) => ({ ...shape, refunded })))
  .flatMap((shape) => (['right', 'wrong', 'unknown'] as const).map((net) => ({ ...shape, net })))
  .filter((shape) => faultOfReport(shape) === undefined);

export const SOUND_SENDS: readonly SendShape[] = (
  ['queued', 'submitted', 'delivered', 'undelivered', 'refused', 'silent'] as const
)
  .flatMap((state) => HOLDS.map((hold) => ({ state, hold })))
  .flatMap((shape) => WHOLES.map((charged) => ({ ...shape, charged })))
  .flatMap((shape) => WHOLES.map((writtenOff) => ({ ...shape, writtenOff })))
  .filter((shape) => faultOfSend(shape) === undefined);
