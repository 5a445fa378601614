// One delivery. It opens to its attempts, which say when, what came back and how long it took, and to what was sent.
import { useQueryClient } from '@tanstack/react-query';
import type { WebhookAttempt, WebhookDelivery, WebhookEndpoint } from '@trefoil/sdk';
import { ChevronRight, RefreshCw } from 'lucide-react';
import { useState } from 'react';
import { api } from '../api/client.ts';
import { deliveriesKey } from '../api/webhooks-queries.ts';
import { eventWords, TEST_EVENT } from '../format/event-words.ts';
import { formatAgo } from '../format/time.ts';
import { Refusal } from '../forms/refusal.tsx';
import { useSending } from '../forms/use-sending.ts';
import { Button } from '../ui/button.tsx';
import { CopyText } from '../ui/copy.tsx';
import { Time } from '../ui/time.tsx';
import { useToast } from '../ui/toast.tsx';
import { formatSpan } from './endpoint-words.ts';
import { SentRequest } from './sent-request.tsx';
import styles from './webhooks.module.css';

type Props = {
  readonly tenantId: string;
  readonly endpoint: WebhookEndpoint;
  readonly delivery: WebhookDelivery;
};

const answerOf = (attempt: WebhookAttempt | undefined) => (attempt ? (attempt.status ?? 'No answer') : 'Queued');

/** A test with the body of an event. */
const isInvented = ({ eventId, eventType }: WebhookDelivery) =>
  eventId.startsWith('evt_test_') && eventType !== TEST_EVENT;

export function DeliveryLine({ isOpenAtFirst, ...props }: Props & { readonly isOpenAtFirst: boolean }) {
  const { delivery } = props;
  const [isOpen, setOpen] = useState(isOpenAtFirst);
  const [newest] = delivery.attempts;
  const tone = newest ? (newest.error === null ? 'good' : 'bad') : 'quiet';
  return (
    <li>
      <details className={styles.delivery} open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary>
          <ChevronRight size={15} aria-hidden className={styles.chevron} />
          <span className={`${styles.code} ${styles[tone]}`}>{answerOf(newest)}</span>
          <span className={styles.event}>
            <b>{eventWords(delivery.eventType)}</b>
            {isInvented(delivery) && <span className="faint"> invented</span>}
          </span>
          <span className={styles.try}>{triesOf(delivery)}</span>
          <span className={`${styles.ms} num quiet`}>{newest && formatSpan(newest.timeTakenMs)}</span>
          <span className={`${styles.at} quiet`}>
            <Time at={newest?.startedAt ?? delivery.createdAt} />
          </span>
        </summary>
        {/* What it asks for is asked when it is opened. */}
        {isOpen && <Opened {...props} />}
      </details>
    </li>
  );
}

const WAITS: Record<NonNullable<WebhookDelivery['waitsFor']>, string> = {
  'earlier-event': 'waits for an earlier event of its report',
  budget: 'waits, because the receiver gets no more for now',
  receiver: 'waits, because the receiver asked for a pause',
};

function comesNext({ state, nextAttemptAt, waitsFor }: WebhookDelivery): string {
  if (state === 'failed') return 'given up';
  if (state === 'delivered') return '';
  if (state === 'waiting') return 'waits until the endpoint is enabled';
  if (waitsFor !== null) return WAITS[waitsFor];
  const isLater = nextAttemptAt !== null && Date.parse(nextAttemptAt) > Date.now();
  return isLater ? `next ${formatAgo(nextAttemptAt)}` : 'on its way';
}

/** How often it was tried, and what comes next. */
function triesOf(delivery: WebhookDelivery): string {
  const { length } = delivery.attempts;
  const words = [length > 1 ? `Attempt ${length}` : '', comesNext(delivery)].filter(Boolean).join(', ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function Opened({ tenantId, endpoint, delivery }: Props) {
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
      <div className={styles.sides}>
        <div>
          {delivery.attempts.length === 0 && <p className="quiet">It has not been sent yet.</p>}
          <ol className={styles.attempts}>
            {delivery.attempts.map((attempt) => (
              <AttemptLine key={attempt.startedAt} attempt={attempt} />
            ))}
          </ol>
        </div>
        <SentRequest tenantId={tenantId} delivery={delivery} />
      </div>
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

function AttemptLine({ attempt }: { readonly attempt: WebhookAttempt }) {
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
