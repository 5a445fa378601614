// A tenant looks at the deliveries of its endpoints, sends one again, replays events and sends a test.
import {
  PAGE_DEFAULT,
  type WebhookDeliveriesQuery,
  type WebhookDelivery,
  type WebhookDeliveryPage,
} from '@trefoil/contract';
import { appendAudit } from '../audit/append-audit.ts';
import type { Caller } from '../http/authenticate.ts';
import type { SecretSeal } from '../lib/crypto/secret-seal.ts';
import { ServiceError } from '../lib/errors.ts';
import { isUuid } from '../lib/ids.ts';
import type { Tx } from '../lib/postgres/sql.ts';
import { readCursor, writeCursor } from '../lib/values/cursor.ts';
import { parseInstant } from '../lib/values/instant.ts';
import { countOwn } from './budgets/count-own.ts';
import { findHostWait, type HostWait } from './budgets/host-store.ts';
import {
  type AttemptRow,
  type DeliveryRow,
  findDelivery,
  insertTestDelivery,
  listDeliveryPage,
  newTest,
  updateDeliveryResent,
} from './delivery-store.ts';
import type { WebhookDependencies } from './dependencies.ts';
import { isReplaying, updateReplay } from './endpoint-store.ts';
import { holdEndpoint, noEndpoint, readWebhookEndpoint } from './manage-endpoints.ts';
import { arrangeLines, linesOf } from './order-store.ts';
import { AHEAD_MAX_SECONDS } from './rules/budgets.ts';
import { tryOpenText } from './sealing/sealed-texts.ts';
import { wakeEndpoints } from './turn-store.ts';

const noDelivery = () => new ServiceError('not-found', 'No webhook delivery with this id.');
const isDisabled = () => new ServiceError('conflict', 'The webhook endpoint is disabled. Enable it first.');

function toAttempt(seal: SecretSeal, tenantId: string, row: AttemptRow): WebhookDelivery['attempts'][number] {
  const { id, startedAt, timeTakenMs, status, sealedAnswer, error } = row;
  // Null also when its key has left the ring: the rest of the delivery is shown all the same.
  const answer = (sealedAnswer && tryOpenText(seal, 'answer', { tenantId, id }, sealedAnswer)) ?? null;
  return { startedAt: startedAt.toISOString(), timeTakenMs, status, answer, error };
}

type Waiting = Pick<WebhookDelivery, 'nextAttemptAt' | 'waitsFor'>;

/** What its host waits for, if that is longer than its own time. */
function waitingOf({ state, nextAttemptAt }: DeliveryRow, wait: HostWait | undefined): Waiting {
  if (state !== 'pending') return { nextAttemptAt: null, waitsFor: null };
  if (nextAttemptAt === null) return { nextAttemptAt, waitsFor: 'earlier-event' };
  if (!wait || wait.until <= nextAttemptAt) return { nextAttemptAt: nextAttemptAt.toISOString(), waitsFor: null };
  return { nextAttemptAt: wait.until.toISOString(), waitsFor: wait.by };
}

function toDelivery(seal: SecretSeal, tenantId: string, row: DeliveryRow, wait: HostWait | undefined): WebhookDelivery {
  const { id, endpointId, eventId, eventType, state, createdAt, settledAt, attempts } = row;
  return {
    ...{ id, endpointId, eventId, eventType, state },
    createdAt: createdAt.toISOString(),
    ...waitingOf(row, wait),
    settledAt: settledAt?.toISOString() ?? null,
    attempts: attempts.map((each) => toAttempt(seal, tenantId, each)),
  };
}

async function show(tx: Tx, seal: SecretSeal, tenantId: string, id: string): Promise<WebhookDelivery> {
  const delivery = await findDelivery(tx, tenantId, id);
  if (!delivery) throw noDelivery();
  return toDelivery(seal, tenantId, delivery, await findHostWait(tx, tenantId, delivery.endpointId, AHEAD_MAX_SECONDS));
}

export async function listWebhookDeliveries(
  dependencies: WebhookDependencies,
  caller: Caller,
  endpointId: string,
  { limit = PAGE_DEFAULT, cursor, state }: WebhookDeliveriesQuery,
): Promise<WebhookDeliveryPage> {
  const { database, seal } = dependencies;
  const { tenantId } = caller;
  const beforeId = cursor === undefined ? undefined : readCursor(cursor, isUuid);
  await readWebhookEndpoint(dependencies, caller, endpointId);
  return database.forTenants([tenantId], async (tx) => {
    const found = await listDeliveryPage(tx, tenantId, { endpointId, beforeId, state }, limit + 1);
    const wait = await findHostWait(tx, tenantId, endpointId, AHEAD_MAX_SECONDS);
    const items = found.slice(0, limit).map((row) => toDelivery(seal, tenantId, row, wait));
    const last = items.at(-1);
    return { items, nextCursor: found.length > limit && last ? writeCursor(last.id) : null };
  });
}

export async function testWebhookEndpoint(
  { database, seal }: WebhookDependencies,
  caller: Caller,
  endpointId: string,
): Promise<WebhookDelivery> {
  const { tenantId } = caller;
  return database.forTenants([tenantId], async (tx) => {
    const endpoint = await holdEndpoint(tx, seal, caller, endpointId);
    if (!endpoint) throw noEndpoint();
    if (!endpoint.canReceive) throw isDisabled();
    const test = newTest(tenantId, endpointId, endpoint.isTest);
    await insertTestDelivery(tx, tenantId, test, { isFirst: false });
    await wakeEndpoints(tx, [endpointId]);
    return show(tx, seal, tenantId, test.id);
  });
}

/** In the background: a month of events may be many (hand-out-events.ts). */
export async function replayWebhookEvents(
  { database, seal, budgets }: WebhookDependencies,
  caller: Caller,
  endpointId: string,
  request: { readonly since: string },
): Promise<{ id: string; since: string }> {
  const { tenantId, id: actor } = caller;
  const since = parseInstant(request.since);
  if (!since) throw new Error('an instant was let through that is none');
  return database.forTenants([tenantId], async (tx) => {
    if (!(await holdEndpoint(tx, seal, caller, endpointId))) throw noEndpoint();
    const max = budgets.replaysPerDay;
    const sentence = `A company has ${max} replays in 24 hours. Single events can be sent again with resend.`;
    await countOwn(tx, tenantId, 'replay', { max, sentence });
    // One of the same endpoint begins anew.
    if (await isReplaying(tx, tenantId, endpointId)) {
      throw new ServiceError(
        'conflict',
        'A replay of another endpoint is under way. Ask again when its events have been handed out.',
      );
    }
    await updateReplay(tx, tenantId, endpointId, since);
    const details = { since: since.toISOString() };
    await appendAudit(tx, [{ tenantId, actor, action: 'webhook.replayed', subjectId: endpointId, details }]);
    return { id: endpointId, since: since.toISOString() };
  });
}

export async function resendWebhookDelivery(
  { database, seal }: WebhookDependencies,
  caller: Caller,
  deliveryId: string,
): Promise<WebhookDelivery> {
  const { tenantId } = caller;
  return database.forTenants([tenantId], async (tx) => {
    const delivery = isUuid(deliveryId) ? await findDelivery(tx, tenantId, deliveryId) : undefined;
    // The endpoint says whether this caller sees it, and whether it is still there.
    const endpoint = delivery && (await holdEndpoint(tx, seal, caller, delivery.endpointId));
    if (!delivery || !endpoint) throw noDelivery();
    if (!endpoint.canReceive) throw isDisabled();
    await updateDeliveryResent(tx, tenantId, deliveryId);
    if (endpoint.isOrdered) await arrangeLines(tx, linesOf([delivery]));
    await wakeEndpoints(tx, [delivery.endpointId]);
    return show(tx, seal, tenantId, deliveryId);
  });
}
