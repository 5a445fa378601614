// What happened to a report, step by step with its seconds, and how long each bureau took.
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { type TimelineOf, timelineQuery } from '../api/report-queries.ts';
import { describeTime, formatClock } from '../format/time.ts';
import { BUREAU_OUTCOMES, BUREAUS } from '../format/words.ts';
import { Card } from '../ui/card.tsx';
import { Skeleton, SmallFailure } from '../ui/states.tsx';
import styles from './timeline.module.css';
import { type BureauBar, barsOf, durationOf, type Step, stepsOf } from './timeline-steps.ts';

export function Timeline(of: TimelineOf) {
  const { data, isError, refetch } = useQuery(timelineQuery(of));
  const duration = data && durationOf(data);
  return (
    <Card title="Timeline" note={duration && `${duration} from request to outcome`}>
      {data ? (
        <ol className={styles.steps}>
          {stepsOf(data).map((step) => (
            <Line key={`${step.kind} ${step.at}`} {...step}>
              {step.kind === 'completed' && <Bars bars={barsOf(data)} />}
            </Line>
          ))}
        </ol>
      ) : isError ? (
        <SmallFailure what="The timeline" onRetry={refetch} />
      ) : (
        <div role="status">
          <span className="visually-hidden">Loading the timeline</span>
          <Skeleton height="14rem" />
        </div>
      )}
    </Card>
  );
}

function Line({ title, at, tone, details, children }: Step & { readonly children: ReactNode }) {
  return (
    <li data-tone={tone}>
      <div className={styles.line}>
        <b>{title}</b>
        <time dateTime={at} title={describeTime(at)}>
          {formatClock(at)}
        </time>
      </div>
      {details.length > 0 && <p>{details.join('. ')}</p>}
      {children}
    </li>
  );
}

/** The bars repeat what the words beside them say. */
function Bars({ bars }: { readonly bars: readonly BureauBar[] }) {
  if (bars.length === 0) return null;
  return (
    <ul className={styles.bars} aria-label="Bureaus">
      {bars.map(({ bureau, outcome, span, share }) => (
        <li key={bureau}>
          <span>{BUREAUS[bureau]}</span>
          {span && (
            <>
              <span className={styles.track} aria-hidden="true">
                <i style={{ width: `${Math.max(4, share * 100)}%` }} />
              </span>
              <span className="num">{span}</span>
            </>
          )}
          {(outcome !== 'ok' || !span) && <small>{BUREAU_OUTCOMES[outcome]}</small>}
        </li>
      ))}
    </ul>
  );
}
