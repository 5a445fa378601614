// Parts of a whole: one bar for eyes, and a list that names each part with its count and share.
import { formatCount } from '../format/money.ts';
import { formatShare, shareOf } from '../format/shares.ts';
import styles from './charts.module.css';

export type Part = { readonly label: string; readonly count: number; readonly color: string };

/** Of the whole bar: a part of one in a thousand must still be seen. */
const SEEN_MIN = 0.012;

export function Shares({ parts }: { readonly parts: readonly Part[] }) {
  const total = parts.reduce((sum, { count }) => sum + count, 0);
  return (
    <div>
      <div className={styles.whole} aria-hidden="true">
        {parts
          .filter(({ count }) => count > 0)
          .map(({ label, count, color }) => (
            <span key={label} style={{ flexGrow: Math.max(count / total, SEEN_MIN), background: color }} />
          ))}
      </div>
      <dl className={styles.parts}>
        {parts.map(({ label, count, color }) => (
          <div key={label}>
            <dt>
              <i style={{ background: color }} />
              {label}
            </dt>
            <dd className="num">
              <b>{formatCount(count)}</b>{' '}
              <span className={styles.through}>{formatShare(shareOf(count, total) ?? 0)}</span>
            </dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
