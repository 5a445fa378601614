// A tenant sends one of its events again, or a test message.
import { TEST_MESSAGE_TYPE, type WebhookDelivery } from '@trefoil/contract';
import { type Asking, answerKeyed, type Keyed } from '../idempotency/answer-keyed.ts';
import { ServiceError } from '../lib/errors.ts';
import { isUuid } from '../lib/ids.ts';
import type { Tx } from '../lib/postgres/sql.ts';
import { findDelivery } from './delivery-log/log-store.ts';
import { noDelivery, showDelivery } from './delivery-log/show-delivery.ts';
import { insertTestDelivery, updateDeliveryResent } from './delivery-store.ts';
import type { WebhookDependencies } from './dependencies.ts';
import { newTest, type TestType } from './handing-out/test-message.ts';
import { holdEndpoint, noEndpoint } from './manage-endpoints.ts';
import { arrangeLines, linesOf } from './order-store.ts';
import { wakeEndpoints } from './turn-store.ts';

const isDisabled = () => new ServiceError('conflict', 'The webhook endpoint is disabled. Enable it first.');

/** An invented event must not reach a receiver that acts on live ones. */
const isLive = () =>
  new ServiceError(
    'conflict',
    `The webhook endpoint is for live mode and gets no invented events. Send the type ${TEST_MESSAGE_TYPE}, or use an endpoint of test mode.`,
  );

/** `send` returns the id of a delivery. A repeat is shown that delivery as it is by then. */
function sendOnce(
  dependencies: WebhookDependencies,
  asking: Asking,
  send: (tx: Tx) => Promise<string>,
): Promise<Keyed<WebhookDelivery>> {
  const { database, seal } = dependencies;
  const { caller } = asking;
  return database.forTenants([caller.tenantId], (tx) =>
    answerKeyed<{ readonly deliveryId: string }, WebhookDelivery>(tx, dependencies, asking, {
      async run() {
        const deliveryId = await send(tx);
        const result = await showDelivery(tx, seal, caller, deliveryId);
        return { subjectId: deliveryId, reference: { deliveryId }, result };
      },
      repeat: ({ deliveryId }) => showDelivery(tx, seal, caller, deliveryId),
    }),
  );
}

export function testWebhookEndpoint(
  dependencies: WebhookDependencies,
  asking: Asking,
  endpointId: string,
  { type = TEST_MESSAGE_TYPE }: { readonly type?: TestType },
): Promise<Keyed<WebhookDelivery>> {
  const { tenantId } = asking.caller;
  return sendOnce(dependencies, asking, async (tx) => {
    const endpoint = await holdEndpoint(tx, dependencies.seal, asking.caller, endpointId);
    if (!endpoint) throw noEndpoint();
    if (type !== TEST_MESSAGE_TYPE && !endpoint.isTest) throw isLive();
    if (!endpoint.canReceive) throw isDisabled();
    const test = newTest(tenantId, endpointId, { isTest: endpoint.isTest, type });
    await insertTestDelivery(tx, tenantId, test, { isFirst: false });
    await wakeEndpoints(tx, [endpointId]);
    return test.id;
  });
}

export function resendWebhookDelivery(
  dependencies: WebhookDependencies,
  asking: Asking,
  deliveryId: string,
): Promise<Keyed<WebhookDelivery>> {
  const { tenantId } = asking.caller;
  return sendOnce(dependencies, asking, async (tx) => {
    const delivery = isUuid(deliveryId) ? await findDelivery(tx, tenantId, deliveryId) : undefined;
    // The endpoint says whether this caller sees it, and whether it is still there.
    const endpoint = delivery && (await holdEndpoint(tx, dependencies.seal, asking.caller, delivery.endpointId));
    if (!delivery || !endpoint) throw noDelivery();
    if (!endpoint.canReceive) throw isDisabled();
    await updateDeliveryResent(tx, tenantId, deliveryId);
    if (endpoint.isOrdered) await arrangeLines(tx, linesOf([delivery]));
    await wakeEndpoints(tx, [delivery.endpointId]);
    return deliveryId;
  });
}
