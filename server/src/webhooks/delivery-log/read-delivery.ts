// A tenant looks at one delivery: with the request that was posted, or will be. Its signature is not shown
// (docs/decisions/0283-looking-into-deliveries.md).
import type { WebhookDelivery, WebhookRequest } from '@trefoil/contract';
import type { Caller } from '../../http/authenticate.ts';
import { completeBodies } from '../complete-bodies.ts';
import type { WebhookDependencies } from '../dependencies.ts';
import { messageHeaders, timeHeader } from '../sign.ts';
import { findMessage } from './log-store.ts';
import { noDelivery, showDelivery } from './show-delivery.ts';

export async function readWebhookDelivery(
  { database, seal, describeNow }: WebhookDependencies,
  caller: Caller,
  deliveryId: string,
): Promise<WebhookDelivery & { readonly request: WebhookRequest }> {
  const { tenantId } = caller;
  const { shown, stored } = await database.forTenants([tenantId], async (tx) => ({
    // First, because it says whether this caller sees it.
    shown: await showDelivery(tx, seal, caller, deliveryId),
    stored: await findMessage(tx, tenantId, deliveryId),
  }));
  if (!stored) throw noDelivery();
  const { eventId, eventType, attempts } = shown;
  const message = { tenantId, eventType, ...stored };
  const body = await completeBodies(describeNow, [message])(message);
  const [last] = attempts;
  const headers = { ...messageHeaders(eventId), ...(last && timeHeader(new Date(last.startedAt))) };
  return { ...shown, request: { headers, body } };
}
