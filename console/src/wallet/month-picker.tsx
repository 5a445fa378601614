// Which month the statement shows. The address holds it, so that a month can be linked to.
import { useNavigate } from '@tanstack/react-router';
import { ChevronDown, ChevronLeft, ChevronRight } from 'lucide-react';
import { formatMonth } from '../format/time.ts';
import { Button } from '../ui/button.tsx';
import { monthsToOffer, neighboursOf } from './months.ts';
import styles from './wallet.module.css';

type Props = {
  readonly month: string;
  /** The current one. */
  readonly now: string;
  /** Those that the wallet has, newest first. */
  readonly months: readonly string[];
};

export function MonthPicker({ month, now, months }: Props) {
  const navigate = useNavigate({ from: '/$tenantId/wallet' });
  const offered = monthsToOffer(months, now, month);
  const { before, after } = neighboursOf(offered, month);
  const go = (next: string) =>
    void navigate({
      search: (search: { mode?: 'test' | undefined }) => ({ ...search, month: next === now ? undefined : next }),
    });
  return (
    <div className={styles.month}>
      <Button
        look="plain"
        isIcon
        aria-label="Month before"
        disabled={before === undefined}
        onClick={() => before && go(before)}
      >
        <ChevronLeft size={17} aria-hidden />
      </Button>
      <label className={styles.monthName}>
        <span className="visually-hidden">Month</span>
        <span aria-hidden="true">
          {formatMonth(month)}
          <ChevronDown size={14} />
        </span>
        <select value={month} onChange={(event) => go(event.target.value)}>
          {offered.map((each) => (
            <option key={each} value={each}>
              {formatMonth(each)}
            </option>
          ))}
        </select>
      </label>
      <Button
        look="plain"
        isIcon
        aria-label="Month after"
        disabled={after === undefined}
        onClick={() => after && go(after)}
      >
        <ChevronRight size={17} aria-hidden />
      </Button>
    </div>
  );
}
