// The totals of a month, exact to its lines: what the wallet began with, what moved it, and what it ended with.
import type { WalletMonth } from '../api/wallet-queries.ts';
import { formatCredits, formatSigned } from '../format/money.ts';
import { Skeleton, SmallFailure } from '../ui/states.tsx';
import styles from './wallet.module.css';

type Props = {
  readonly query: { readonly data: unknown; readonly isError: boolean; refetch(): unknown };
  /** Undefined for a month in which the wallet did not exist. */
  readonly totals: WalletMonth | undefined;
  readonly isCurrent: boolean;
};

export function Totals({ query, totals, isCurrent }: Props) {
  if (query.data === undefined && query.isError) {
    return (
      <div className={styles.noTotals}>
        <SmallFailure what="The totals of the month" onRetry={query.refetch} />
      </div>
    );
  }
  if (query.data === undefined) {
    return (
      <div className={styles.totals}>
        <div className={styles.total}>
          <Skeleton height="2.25rem" />
        </div>
      </div>
    );
  }
  if (!totals) return null;
  const { opening, topUps, adjustments, reports, messages, refunds, closing } = totals;
  const parts: readonly (readonly [string, string])[] = [
    ['Opening balance', formatCredits(opening)],
    ['Top-ups', formatSigned(topUps)],
    // Corrections by the operator are rare: without one there is no column.
    ...(adjustments === 0 ? [] : [['Adjustments', formatSigned(adjustments)] as const]),
    ['Reports', formatSigned(reports)],
    ['Text messages', formatSigned(messages)],
    ['Refunds', formatSigned(refunds)],
    [isCurrent ? 'Balance now' : 'Closing balance', formatCredits(closing)],
  ];
  return (
    <dl className={styles.totals}>
      {parts.map(([name, amount]) => (
        <div key={name} className={styles.total}>
          <dt>{name}</dt>
          <dd className="num">{amount}</dd>
        </div>
      ))}
    </dl>
  );
}
