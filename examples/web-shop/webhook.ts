// Receives webhooks: verify, store, answer. What an event means for an order is read later, from the stored events, so it
// does not matter whether an event arrives before the answer that names the report, twice, or in another order.
import type { IncomingHttpHeaders } from 'node:http';
import { TrefoilWebhookError, webhooks } from '@trefoil/sdk';
import type { Order, ReceivedEvent, Status, Store } from './store.ts';

export type WebhookAnswer = { readonly status: number; readonly text: string };

/** `rawBody` is the bytes as they arrived: the signature is over these, and not over what a parser makes of them. */
export async function receiveWebhook(
  store: Store,
  secrets: readonly string[],
  rawBody: Buffer,
  headers: IncomingHttpHeaders,
): Promise<WebhookAnswer> {
  try {
    const event = await webhooks.unwrap(rawBody, headers, secrets);
    // The message of `testWebhookEndpoint`: it is about no report.
    if (event.type !== 'webhook.test') store.insertEvent(event);
    return { status: 204, text: '' };
  } catch (error) {
    if (!(error instanceof TrefoilWebhookError)) throw error;
    store.countRefusal(error.mistake);
    console.error(`webhook refused: ${error.mistake}: ${error.message}`);
    return { status: 400, text: `${error.mistake}: ${error.message}` };
  }
}

const STATUS_OF_TYPE: Readonly<Record<string, Status>> = {
  'credit-report.completed': 'complete',
  'credit-report.blocked': 'blocked',
  'credit-report.failed': 'failed',
  'credit-report.expired': 'expired',
};

/** Where the order is, with what events say: they know of an expiry, or of an answer that was lost. */
export function statusOf(order: Order, events: readonly ReceivedEvent[]): Status {
  if (!['asking', 'try-later', 'code-needed'].includes(order.status)) return order.status;
  // Types that we do not know are skipped: new ones may come at any time.
  const told = events.flatMap(({ event }) => STATUS_OF_TYPE[event.type] ?? []).at(-1);
  if (told || order.status === 'code-needed') return told ?? order.status;
  return order.hasRequest ? order.status : 'lapsed';
}

/** In credits: charges are negative. Test mode has such events only for requests with `testOptions.charges`, which this shop does not send. */
export function moneyOf(events: readonly ReceivedEvent[]): { readonly charged: number; readonly refunded: number } {
  const sum = (type: string) =>
    events.reduce((total, { event }) => total + (event.type === type ? (event.data.amount ?? 0) : 0), 0);
  // Not `-sum`: without a charge that is minus zero, and a page would say so.
  return { charged: 0 - sum('wallet.charged'), refunded: sum('wallet.refunded') };
}
