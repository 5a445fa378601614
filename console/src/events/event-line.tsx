// One event: what happened, to which report, when. It opens to the JSON that programs get.
import { Link } from '@tanstack/react-router';
import type { Event } from '@trefoil/sdk';
import { ChevronRight } from 'lucide-react';
import { eventWords } from '../format/event-words.ts';
import { formatCredits, formatSigned } from '../format/money.ts';
import { CopyText } from '../ui/copy.tsx';
import { Time } from '../ui/time.tsx';
import styles from './events.module.css';

type Props = { readonly tenantId: string; readonly event: Event };

/** The figure of an event that has one. */
function figureOf({ data }: Event): string | undefined {
  if (data.amount !== undefined) return formatSigned(data.amount);
  if (data.balance !== undefined) return `${formatCredits(data.balance)} left`;
  return undefined;
}

export function EventLine({ tenantId, event }: Props) {
  const { creditReportId } = event.data;
  return (
    <li>
      <details className={styles.event}>
        <summary>
          <ChevronRight size={15} aria-hidden className={styles.chevron} />
          <b>{eventWords(event.type)}</b>
          <code className={styles.type}>{event.type}</code>
          <span className={`${styles.figure} num quiet`}>{figureOf(event)}</span>
          <span className={`${styles.at} quiet`}>
            <Time at={event.createdAt} />
          </span>
        </summary>
        <div className={styles.opened}>
          <pre>
            <code>{JSON.stringify(event, null, 2)}</code>
          </pre>
          <p className={styles.links}>
            <span className="faint">
              Event <CopyText text={event.id} label="the id of the event" />
            </span>
            {creditReportId && (
              <>
                <Link to="/$tenantId/reports/$reportId" params={{ tenantId, reportId: creditReportId }}>
                  Open the report
                </Link>
                <Link
                  from="/$tenantId/events"
                  to="."
                  search={(before: { mode?: 'test' | undefined }) => ({
                    ...before,
                    report: creditReportId,
                    type: undefined,
                  })}
                >
                  Only events of this report
                </Link>
              </>
            )}
          </p>
        </div>
      </details>
    </li>
  );
}
