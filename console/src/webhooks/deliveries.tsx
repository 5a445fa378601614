// The deliveries of an endpoint, newest first. Each opens to its attempts: when, what came back, how long it took.
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import type { WebhookDelivery, WebhookEndpoint } from '@trefoil/sdk';
import { ChevronRight, Inbox, RefreshCw } from 'lucide-react';
import { useState } from 'react';
import { api } from '../api/client.ts';
import { type DeliveryState, deliveriesKey, deliveriesQuery } from '../api/webhooks-queries.ts';
import { eventWords } from '../format/event-words.ts';
import { formatAgo } from '../format/time.ts';
import { Refusal } from '../forms/refusal.tsx';
import { useSending } from '../forms/use-sending.ts';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { CopyText } from '../ui/copy.tsx';
import { ListFoot } from '../ui/list-foot.tsx';
import { Segmented } from '../ui/segmented.tsx';
import { Empty, Failure, SkeletonRows } from '../ui/states.tsx';
import { Time } from '../ui/time.tsx';
import { useToast } from '../ui/toast.tsx';
import { DELIVERY_STATES, formatSpan } from './endpoint-words.ts';
import styles from './webhooks.module.css';

type Attempt = WebhookDelivery['attempts'][number];
type Which = 'all' | DeliveryState;
const CHOICES: readonly Which[] = ['all', 'pending', 'delivered', 'failed'];

type Props = { readonly tenantId: string; readonly endpoint: WebhookEndpoint };

export function Deliveries({ tenantId, endpoint }: Props) {
  const [which, setWhich] = useState<Which>('all');
  const state = which === 'all' ? undefined : which;
  const deliveries = useInfiniteQuery(deliveriesQuery(tenantId, endpoint, state));
  const rows = deliveries.data?.pages.flatMap(({ items }) => items);
  return (
    <Card
      title="Deliveries"
      note="Kept for 30 days"
      isFlush
      action={
        <Segmented
          label="Which deliveries"
          value={which}
          onChange={setWhich}
          options={CHOICES.map((value) => ({
            value,
            label: value === 'all' ? 'All' : DELIVERY_STATES[value].label,
          }))}
        />
      }
    >
      {deliveries.isError && !rows ? (
        <Failure error={deliveries.error} what="Deliveries" onRetry={deliveries.refetch} />
      ) : !rows ? (
        <SkeletonRows count={6} label="Loading deliveries" />
      ) : rows.length > 0 ? (
        <ul className={styles.deliveries}>
          {rows.map((delivery) => (
            <Line key={delivery.id} tenantId={tenantId} endpoint={endpoint} delivery={delivery} />
          ))}
        </ul>
      ) : deliveries.hasNextPage ? (
        <Empty icon={<Inbox size={20} aria-hidden />} title="None among the newest deliveries">
          Show more to look at older ones.
        </Empty>
      ) : state ? (
        <Empty
          icon={<Inbox size={20} aria-hidden />}
          title={`No delivery ${NONE[state]}`}
          action={<Button onClick={() => setWhich('all')}>Show all</Button>}
        />
      ) : (
        <Empty icon={<Inbox size={20} aria-hidden />} title="No deliveries yet">
          Events appear here once they are sent to this address.
        </Empty>
      )}
      <ListFoot count={rows?.length ?? 0} noun="delivery" plural="deliveries" list={deliveries} />
    </Card>
  );
}

const NONE: Record<DeliveryState, string> = {
  pending: 'waits',
  delivered: 'has arrived in the last 30 days',
  failed: 'has failed in the last 30 days',
};

const answerOf = (attempt: Attempt | undefined) => (attempt ? (attempt.status ?? 'No answer') : 'Queued');

type LineProps = Props & { readonly delivery: WebhookDelivery };

function Line({ tenantId, endpoint, delivery }: LineProps) {
  const [newest] = delivery.attempts;
  const tone = newest ? (newest.error === null ? 'good' : 'bad') : 'quiet';
  return (
    <li>
      <details className={styles.delivery}>
        <summary>
          <ChevronRight size={15} aria-hidden className={styles.chevron} />
          <span className={`${styles.code} ${styles[tone]}`}>{answerOf(newest)}</span>
          <b className={styles.event}>{eventWords(delivery.eventType)}</b>
          <span className={styles.try}>{triesOf(delivery)}</span>
          <span className={`${styles.ms} num quiet`}>{newest && formatSpan(newest.timeTakenMs)}</span>
          <span className={`${styles.at} quiet`}>
            <Time at={newest?.startedAt ?? delivery.createdAt} />
          </span>
        </summary>
        <Opened tenantId={tenantId} endpoint={endpoint} delivery={delivery} />
      </details>
    </li>
  );
}

const WAITS: Record<NonNullable<WebhookDelivery['waitsFor']>, string> = {
  'earlier-event': 'waits for an earlier event of its report',
  budget: 'waits, because the receiver gets no more for now',
  receiver: 'waits, because the receiver asked for a pause',
};

/** How often it was tried, and what comes next. */
function triesOf({ state, attempts, nextAttemptAt, waitsFor }: WebhookDelivery): string {
  const count = attempts.length > 1 ? `Attempt ${attempts.length}` : '';
  const isDue = nextAttemptAt !== null && Date.parse(nextAttemptAt) > Date.now();
  const next =
    state === 'failed'
      ? 'given up'
      : state === 'delivered'
        ? ''
        : state === 'waiting'
          ? 'waits until it is enabled'
          : waitsFor !== null
            ? WAITS[waitsFor]
            : isDue
              ? `next ${formatAgo(nextAttemptAt)}`
              : 'on its way';
  const words = [count, next].filter(Boolean).join(', ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function Opened({ tenantId, endpoint, delivery }: LineProps) {
  const queryClient = useQueryClient();
  const toast = useToast();
  const { error, isSending, run } = useSending();
  const resend = () =>
    void run(async () => {
      await api(tenantId).resendWebhookDelivery(delivery.id);
      toast('It is being sent again');
      await queryClient.invalidateQueries({ queryKey: deliveriesKey(tenantId, endpoint.id) });
    });
  return (
    <div className={styles.opened}>
      {delivery.attempts.length === 0 && <p className="quiet">It has not been sent yet.</p>}
      <ol className={styles.attempts}>
        {delivery.attempts.map((attempt) => (
          <AttemptLine key={attempt.startedAt} attempt={attempt} />
        ))}
      </ol>
      {error !== undefined && <Refusal error={error} action="Send again" />}
      <div className={styles.again}>
        {endpoint.status === 'enabled' ? (
          <Button onClick={resend} aria-disabled={isSending}>
            <RefreshCw size={15} aria-hidden />
            Send again
          </Button>
        ) : (
          <span className="faint">Enable the endpoint to send it again.</span>
        )}
        <span className="faint">
          Event <CopyText text={delivery.eventId} label="the id of the event" />
        </span>
      </div>
    </div>
  );
}

function AttemptLine({ attempt }: { readonly attempt: Attempt }) {
  const { startedAt, timeTakenMs, error, answer } = attempt;
  return (
    <li>
      <p className={styles.attempt}>
        <span className={`${styles.code} ${error === null ? styles.good : styles.bad}`}>{answerOf(attempt)}</span>
        <span className={error === null ? 'quiet' : styles.error}>{error ?? 'Accepted.'}</span>
        <span className="faint num">
          {formatSpan(timeTakenMs)} · <Time at={startedAt} />
        </span>
      </p>
      {answer && (
        <>
          <h3>Came back</h3>
          <pre>
            <code>{answer}</code>
          </pre>
        </>
      )}
    </li>
  );
}
