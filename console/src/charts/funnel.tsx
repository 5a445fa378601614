// Steps that each lose some: a bar for what is left, and the share of the step before that came through.
import { formatCount } from '../format/money.ts';
import { formatShare, shareOf } from '../format/shares.ts';
import styles from './charts.module.css';

export type Step = { readonly label: string; readonly count: number };

export function Funnel({ steps }: { readonly steps: readonly Step[] }) {
  const first = steps[0]?.count ?? 0;
  return (
    <ol className={styles.funnel}>
      {steps.map(({ label, count }, index) => {
        const before = steps[index - 1];
        const through = before && shareOf(count, before.count);
        return (
          <li key={label}>
            <div className={styles.step}>
              <span>{label}</span>
              <span className="num">
                <b>{formatCount(count)}</b>{' '}
                {before && <span className={styles.through}>{through === undefined ? '–' : formatShare(through)}</span>}
              </span>
            </div>
            <div className={styles.track}>
              <span className={styles.fill} style={{ width: `${(shareOf(count, first) ?? 1) * 100}%` }} />
            </div>
          </li>
        );
      })}
    </ol>
  );
}
