// How the newest deliveries went. The figures are counted from those that the list begins with, and say so: the service has
// no totals of deliveries.
import { useInfiniteQuery } from '@tanstack/react-query';
import { TrefoilError, type WebhookDelivery, type WebhookEndpoint } from '@trefoil/sdk';
import { deliveriesQuery } from '../api/webhooks-queries.ts';
import { formatCount } from '../format/money.ts';
import { DELIVERY_STATES } from '../format/words.ts';
import { Card } from '../ui/card.tsx';
import { Skeleton, SmallFailure } from '../ui/states.tsx';
import { figuresOf, formatSpan, statesShown } from './endpoint-words.ts';
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
        <Figures endpoint={endpoint} newest={newest} />
      )}
    </Card>
  );
}

/** A refusal by role is not repeated; the list below says why. */
function Unknown({ error, onRetry }: { readonly error: unknown; readonly onRetry: () => unknown }) {
  const isRefused = error instanceof TrefoilError && error.status === 403;
  return isRefused ? <p className="quiet">Not known.</p> : <SmallFailure what="Deliveries" onRetry={onRetry} />;
}

type FigureProps = { readonly endpoint: WebhookEndpoint; readonly newest: readonly WebhookDelivery[] };

function Figures({ endpoint, newest }: FigureProps) {
  const { typicalMs, ...counts } = figuresOf(newest);
  return (
    <>
      <dl className={styles.figures}>
        {statesShown(endpoint, (state) => counts[state] > 0).map((state) => (
          <div key={state}>
            <dt>{DELIVERY_STATES[state].label}</dt>
            <dd>{formatCount(counts[state])}</dd>
          </div>
        ))}
        {typicalMs !== undefined && (
          <div>
            <dt>Typical time</dt>
            <dd>{formatSpan(typicalMs)}</dd>
          </div>
        )}
      </dl>
      {/* The figures above say the same in words. A few marks are not drawn out to the width of the card. */}
      <div className={styles.course} style={{ maxWidth: `${newest.length * 2}rem` }} aria-hidden="true">
        <div className={styles.marks}>
          {newest.toReversed().map(({ id, state }) => (
            <span key={id} className={styles[state]} title={DELIVERY_STATES[state].label} />
          ))}
        </div>
        {newest.length >= AXIS_FROM && (
          <p className={styles.axis}>
            <span>Oldest of these</span>
            <span>Newest</span>
          </p>
        )}
      </div>
    </>
  );
}
