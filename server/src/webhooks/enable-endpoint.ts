// Enables and disables an endpoint. Enabled, what waits is due now, and so is what was given up since it began to fail. One whose
// receiver said that it was gone (410) is enabled only once it accepts a test message (docs/decisions/0273-what-a-receiver-gets.md).
import type { Tx } from '../lib/postgres/sql.ts';
import { giveUpTest, insertTestDelivery, updateDeliveriesRevived } from './delivery-store.ts';
import {
  type DisabledReason,
  updateEndpointConfirming,
  updateEndpointDisabled,
  updateEndpointEnabled,
} from './endpoint-store.ts';
import { newTest } from './handing-out/test-message.ts';
import { arrangeLines } from './order-store.ts';

// Whoever calls one of these wakes the endpoint afterwards (turn-store.ts): a turn is locked after all deliveries.

export async function enableEndpoint(tx: Tx, tenantId: string, id: string, isOrdered: boolean): Promise<void> {
  const failingSince = await updateEndpointEnabled(tx, tenantId, id);
  const lines = await updateDeliveriesRevived(tx, tenantId, id, failingSince);
  if (isOrdered) await arrangeLines(tx, lines);
}

/** A test message that was to decide about it is not wanted any more. False when it was disabled already. */
export async function disableEndpoint(tx: Tx, tenantId: string, id: string, reason: DisabledReason): Promise<boolean> {
  await giveUpTest(tx, tenantId, id);
  return updateEndpointDisabled(tx, tenantId, id, reason);
}

/** Its receiver said that it was gone and decides itself: it gets one test message, and is enabled if it accepts that. */
export async function askReceiver(tx: Tx, tenantId: string, id: string, isTest: boolean): Promise<void> {
  await updateEndpointDisabled(tx, tenantId, id, 'gone');
  const test = newTest(tenantId, id, { isTest });
  await insertTestDelivery(tx, tenantId, test, { isFirst: true });
  await updateEndpointConfirming(tx, tenantId, id, test.id);
}
