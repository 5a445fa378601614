// The console's words for an endpoint, and the figures of the deliveries that are shown. Pure.
import type { WebhookDelivery, WebhookEndpoint, WebhookReplay } from '@trefoil/sdk';
import { DELIVERY_STATES, type Tone } from '../format/words.ts';

type Reason = NonNullable<WebhookEndpoint['disabledReason']>;
type State = {
  readonly label: string;
  readonly tone: Tone;
  /** In a few words, for a list. */
  readonly short?: string;
  readonly why?: string;
};

const REASONS: Record<Reason, State> = {
  requested: {
    label: 'Disabled',
    tone: 'quiet',
    why: 'One of your people or systems disabled it. What happens meanwhile waits for up to 30 days.',
  },
  gone: {
    label: 'Disabled',
    tone: 'bad',
    short: 'It answered 410',
    why: 'It answered 410, which means that it wants nothing more. What happens meanwhile waits for up to 30 days. Enabled, it must accept a test message first.',
  },
  failing: {
    label: 'Disabled',
    tone: 'bad',
    short: 'Failed for five days',
    why: 'Every attempt failed for five days, so nothing more is sent. What happens meanwhile waits for up to 30 days.',
  },
  unreadable: {
    label: 'Cannot be used',
    tone: 'bad',
    why: 'The service has lost the key to its address or secret. Enter the address again and replace the secret; then what waits is sent.',
  },
};
const CONFIRMING: State = {
  label: 'Confirming',
  tone: 'warn',
  short: 'Its receiver is asked',
  why: 'Its receiver answered 410 before, which means that it wants nothing more. It is now sent one test message. If it accepts that, the endpoint is enabled and what waits is sent; otherwise the endpoint stays disabled.',
};

export function stateOf({ status, disabledReason }: WebhookEndpoint): State {
  if (status === 'confirming') return CONFIRMING;
  return disabledReason ? REASONS[disabledReason] : { label: 'Enabled', tone: 'good' };
}

/** `143 ms`, `10.0 s`. */
export const formatSpan = (ms: number) => (ms < 1_000 ? `${ms} ms` : `${(ms / 1_000).toFixed(1)} s`);

type DeliveryState = WebhookDelivery['state'];

/** What is pending at an enabled endpoint waits at any other; one that is told of all the same is named too. */
export const statesShown = ({ status }: Pick<WebhookEndpoint, 'status'>, isTold: (state: DeliveryState) => boolean) =>
  (Object.keys(DELIVERY_STATES) as DeliveryState[]).filter(
    (state) => isTold(state) || state !== (status === 'enabled' ? 'waiting' : 'pending'),
  );

export type Figures = Readonly<Record<DeliveryState, number>> & {
  /** The middle one of the times that the newest attempts took; undefined without an attempt. */
  readonly typicalMs: number | undefined;
};

export function figuresOf(deliveries: readonly WebhookDelivery[]): Figures {
  const count = (state: DeliveryState) => deliveries.filter((each) => each.state === state).length;
  const times = deliveries.flatMap(({ attempts: [newest] }) => newest?.timeTakenMs ?? []).sort((a, b) => a - b);
  return {
    pending: count('pending'),
    waiting: count('waiting'),
    delivered: count('delivered'),
    failed: count('failed'),
    typicalMs: times[Math.floor((times.length - 1) / 2)],
  };
}

/** How far events that are sent again have been looked through, from 0 to 1. */
export function reachedShare({ since, until, reachedAt }: WebhookReplay, nowMs: number): number {
  if (reachedAt === null) return 0;
  const [start, end] = [Date.parse(since), until === null ? nowMs : Date.parse(until)];
  return Math.min(1, Math.max(0, (Date.parse(reachedAt) - start) / Math.max(1, end - start)));
}
