// The totals of each month from the sums of its kinds of lines. Pure.
import type { WalletMonth } from '@trefoil/contract';
import type { TxKind } from './journal.ts';

export type MonthSum = {
  /** As YYYY-MM, in London. */
  readonly month: string;
  readonly startsAt: Date;
  readonly endsAt: Date;
  /** Null in a month without lines. */
  readonly kind: TxKind | null;
  readonly lines: number;
  readonly amount: number;
};

const FIELDS = {
  'top-up': 'topUps',
  adjust: 'adjustments',
  'report-charge': 'reports',
  'report-refund': 'refunds',
  'sms-charge': 'messages',
  // We bear it: it moves no wallet and is no line of the statement.
  'sms-writeoff': null,
} as const satisfies Record<TxKind, keyof WalletMonth | null>;

/** From sums of all months in their order; newest first. */
export function toMonths(sums: readonly MonthSum[]): WalletMonth[] {
  const months: WalletMonth[] = [];
  for (const { month, startsAt, endsAt, kind, lines, amount } of sums) {
    let last = months.at(-1);
    if (last?.month !== month) {
      const opening = last?.closing ?? 0;
      last = {
        ...{ month, startsAt: startsAt.toISOString(), endsAt: endsAt.toISOString() },
        ...{ opening, topUps: 0, adjustments: 0, reports: 0, refunds: 0, messages: 0, closing: opening, count: 0 },
      };
      months.push(last);
    }
    const field = kind && FIELDS[kind];
    if (!field) continue;
    last[field] += amount;
    last.closing += amount;
    last.count += lines;
  }
  return months.toReversed();
}
