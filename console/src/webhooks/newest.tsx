// How the newest deliveries went. The figures are counted from those that the list begins with, and say so: the service has
// no totals of deliveries.
import { useInfiniteQuery } from '@tanstack/react-query';
import { TrefoilError, type WebhookEndpoint } from '@trefoil/sdk';
import { deliveriesQuery } from '../api/webhooks-queries.ts';
import { formatCount } from '../format/money.ts';
import { DELIVERY_STATES } from '../format/words.ts';
import { Card } from '../ui/card.tsx';
import { Skeleton, SmallFailure } from '../ui/states.tsx';
import { figuresOf, formatSpan } from './endpoint-words.ts';
import styles from './webhooks.module.css';

/** Fewer marks than these say nothing about time. */
const AXIS_FROM = 8;

function noteOf(count: number): string | undefined {
  if (count === 0) return undefined;
  return count === 1 ? 'The newest delivery' : `The newest ${formatCount(count)} deliveries`;
}

export function Newest({ tenantId, endpoint }: { readonly tenantId: string; readonly endpoint: WebhookEndpoint }) {
  const deliveries = useInfiniteQuery(deliveriesQuery(tenantId, endpoint.id));
  const newest = deliveries.data?.pages[0]?.items;
  const note = newest && noteOf(newest.length);
  return (
    <Card title="How it goes" note={note}>
      {deliveries.isError && !newest ? (
        <Unknown error={deliveries.error} onRetry={deliveries.refetch} />
      ) : !newest ? (
        <Skeleton height="6.5rem" />
      ) : newest.length === 0 ? (
        <p className="quiet">Nothing has been sent in the last 30 days. Send a test event to see whether it arrives.</p>
      ) : (
        <Figures
          {...figuresOf(newest)}
          rest={DELIVERY_STATES[endpoint.status === 'disabled' ? 'waiting' : 'pending'].label}
          marks={newest.map(({ id, state }) => ({ id, state }))}
        />
      )}
    </Card>
  );
}

/** A refusal by role is not repeated; the list below says why. */
function Unknown({ error, onRetry }: { readonly error: unknown; readonly onRetry: () => unknown }) {
  const isRefused = error instanceof TrefoilError && error.status === 403;
  return isRefused ? <p className="quiet">Not known.</p> : <SmallFailure what="Deliveries" onRetry={onRetry} />;
}

type FigureProps = ReturnType<typeof figuresOf> & {
  /** What those are that are neither delivered nor failed. */
  readonly rest: string;
  readonly marks: readonly { readonly id: string; readonly state: keyof typeof DELIVERY_STATES }[];
};

function Figures({ delivered, pending, failed, typicalMs, rest, marks }: FigureProps) {
  return (
    <>
      <dl className={styles.figures}>
        <div>
          <dt>Delivered</dt>
          <dd>{formatCount(delivered)}</dd>
        </div>
        <div>
          <dt>{rest}</dt>
          <dd>{formatCount(pending)}</dd>
        </div>
        <div>
          <dt>Failed</dt>
          <dd>{formatCount(failed)}</dd>
        </div>
        {typicalMs !== undefined && (
          <div>
            <dt>Typical time</dt>
            <dd>{formatSpan(typicalMs)}</dd>
          </div>
        )}
      </dl>
      {/* The figures above say the same in words. */}
      <div className={styles.marks} aria-hidden="true">
        {marks.toReversed().map(({ id, state }) => (
          <span key={id} className={styles[state]} title={DELIVERY_STATES[state].label} />
        ))}
      </div>
      {marks.length >= AXIS_FROM && (
        <p className={styles.axis} aria-hidden="true">
          <span>Oldest of these</span>
          <span>Newest</span>
        </p>
      )}
    </>
  );
}
