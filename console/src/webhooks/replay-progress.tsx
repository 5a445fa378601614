// Events that are being sent again: how far that is. What became of each is among the deliveries.
import type { WebhookReplay } from '@trefoil/sdk';
import { countOf } from '../format/money.ts';
import { Time } from '../ui/time.tsx';
import { reachedShare } from './endpoint-words.ts';
import styles from './webhooks.module.css';

/** Which events: `since 14:30 until 15:30, only those that were given up`. */
const Which = ({ since, until, onlyFailed }: WebhookReplay) => (
  <>
    since <Time at={since} />
    {until !== null && (
      <>
        {' '}
        until <Time at={until} />
      </>
    )}
    {onlyFailed && ', only those that were given up'}
  </>
);

export function ReplayProgress({ replay }: { readonly replay: WebhookReplay }) {
  const { reachedAt, queued } = replay;
  return (
    <section className={styles.replay} aria-label="Events that are sent again">
      <p>
        <b>Events are being sent again</b>, <Which {...replay} />.
      </p>
      <progress value={reachedShare(replay, Date.now())} aria-label="How far they have been looked through" />
      <p className="quiet">
        {reachedAt === null ? (
          'The first of them is being looked for.'
        ) : (
          <>
            Looked through up to <Time at={reachedAt} />. {countOf(queued, 'event')} queued so far.
          </>
        )}
      </p>
    </section>
  );
}

export const LastReplay = ({ replay }: { readonly replay: WebhookReplay }) => (
  <>
    {countOf(replay.queued, 'event')}, on <Time at={replay.startedAt} />: <Which {...replay} />
  </>
);
