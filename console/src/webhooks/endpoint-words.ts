// The console's words for an endpoint, and the figures of the deliveries that are shown. Pure.
import type { WebhookDelivery, WebhookEndpoint } from '@trefoil/sdk';
import type { DeliveryState } from '../api/webhooks-queries.ts';
import type { Tone } from '../format/words.ts';

type Reason = NonNullable<WebhookEndpoint['disabledReason']>;
type State = { readonly label: string; readonly tone: Tone };

const REASONS: Record<Reason, State & { readonly why: string }> = {
  requested: {
    label: 'Disabled',
    tone: 'quiet',
    why: 'One of your people or systems disabled it. What happens meanwhile waits for up to 30 days.',
  },
  gone: {
    label: 'Gone',
    tone: 'bad',
    why: 'It answered 410, which means that it wants nothing more. What happens meanwhile waits for up to 30 days. Enabled, it must accept a test message first.',
  },
  failing: {
    label: 'Failing',
    tone: 'bad',
    why: 'It only failed for five days, so nothing more is sent. What happens meanwhile waits for up to 30 days.',
  },
  unreadable: {
    label: 'Cannot be used',
    tone: 'bad',
    why: 'The service has lost the key to its address or secret. Enter the address again and replace the secret; then what waits is sent.',
  },
};

export function stateOf({ status, disabledReason }: WebhookEndpoint): State & { readonly why?: string } {
  if (status === 'confirming')
    return {
      label: 'Confirming',
      tone: 'warn',
      why: 'It had answered 410. A test message is on its way; if it is accepted, what waits is sent.',
    };
  return disabledReason ? REASONS[disabledReason] : { label: 'Enabled', tone: 'good' };
}

/** Without the scheme; an address that cannot be read any more is empty. */
export const shortUrl = (url: string) => url.replace(/^https?:\/\//, '') || 'Address lost';

export const DELIVERY_STATES: Record<WebhookDelivery['state'], State> = {
  delivered: { label: 'Delivered', tone: 'good' },
  pending: { label: 'Waiting', tone: 'warn' },
  waiting: { label: 'Waiting', tone: 'warn' },
  failed: { label: 'Failed', tone: 'bad' },
};

/** `143 ms`, `10.0 s`. */
export const formatSpan = (ms: number) => (ms < 1_000 ? `${ms} ms` : `${(ms / 1_000).toFixed(1)} s`);

export type Figures = Readonly<Record<DeliveryState, number>> & {
  readonly total: number;
  /** The middle one of the times that the newest attempts took; undefined without an attempt. */
  readonly typicalMs: number | undefined;
};

export function figuresOf(deliveries: readonly WebhookDelivery[]): Figures {
  const count = (state: DeliveryState) => deliveries.filter((each) => each.state === state).length;
  const times = deliveries.flatMap(({ attempts: [newest] }) => newest?.timeTakenMs ?? []).sort((a, b) => a - b);
  return {
    total: deliveries.length,
    delivered: count('delivered'),
    pending: deliveries.length - count('delivered') - count('failed'),
    failed: count('failed'),
    typicalMs: times[Math.floor((times.length - 1) / 2)],
  };
}
