// A delivery as its tenant sees it: a stored row, what its host waits for, and whether its endpoint is sent anything.
import type { WebhookDelivery } from '@trefoil/contract';
import type { Caller } from '../../http/authenticate.ts';
import type { SecretSeal } from '../../lib/crypto/secret-seal.ts';
import { ServiceError } from '../../lib/errors.ts';
import { isUuid } from '../../lib/ids.ts';
import type { Tx } from '../../lib/postgres/sql.ts';
import { findHostWait, type HostWait } from '../budgets/host-store.ts';
import { listEndpoints } from '../endpoint-store.ts';
import { AHEAD_MAX_SECONDS } from '../rules/budgets.ts';
import { type Halt, isWaiting } from '../rules/delivery-filter.ts';
import { isReadable, tryOpenText } from '../sealing/sealed-texts.ts';
import { type AttemptRow, type DeliveryRow, findDelivery } from './log-store.ts';

export const noDelivery = () => new ServiceError('not-found', 'No webhook delivery with this id.');

function toAttempt(seal: SecretSeal, tenantId: string, row: AttemptRow): WebhookDelivery['attempts'][number] {
  const { id, startedAt, timeTakenMs, status, sealedAnswer, error } = row;
  // Null also when its key has left the ring: the rest of the delivery is shown all the same.
  const answer = (sealedAnswer && tryOpenText(seal, 'answer', { tenantId, id }, sealedAnswer)) ?? null;
  return { startedAt: startedAt.toISOString(), timeTakenMs, status, answer, error };
}

/** What decides how the deliveries of an endpoint are shown, beside their rows. */
export type Around = { readonly wait: HostWait | undefined; readonly halt: Halt };

type Waiting = Pick<WebhookDelivery, 'state' | 'nextAttemptAt' | 'waitsFor'>;

/** What its endpoint or its host waits for, if that is longer than its own time. */
function waitingOf(row: DeliveryRow, { wait, halt }: Around): Waiting {
  const { state, nextAttemptAt } = row;
  if (isWaiting(halt, row)) return { state: 'waiting', nextAttemptAt: null, waitsFor: null };
  if (state !== 'pending') return { state, nextAttemptAt: null, waitsFor: null };
  if (nextAttemptAt === null) return { state, nextAttemptAt, waitsFor: 'earlier-event' };
  if (!wait || wait.until <= nextAttemptAt)
    return { state, nextAttemptAt: nextAttemptAt.toISOString(), waitsFor: null };
  return { state, nextAttemptAt: wait.until.toISOString(), waitsFor: wait.by };
}

export function toDelivery(seal: SecretSeal, tenantId: string, row: DeliveryRow, around: Around): WebhookDelivery {
  const { id, endpointId, eventId, eventType, createdAt, settledAt, attempts } = row;
  return {
    ...{ id, endpointId, eventId, eventType },
    createdAt: createdAt.toISOString(),
    ...waitingOf(row, around),
    settledAt: settledAt?.toISOString() ?? null,
    attempts: attempts.map((each) => toAttempt(seal, tenantId, each)),
  };
}

type Reader = Pick<Caller, 'tenantId' | 'isTestOnly'>;

/** Undefined for an endpoint that this reader does not see. One that cannot be read is sent nothing, whatever its row says. */
export async function findAround(
  tx: Tx,
  seal: SecretSeal,
  { tenantId, isTestOnly }: Reader,
  endpointId: string,
): Promise<Around | undefined> {
  const [endpoint] = isUuid(endpointId) ? await listEndpoints(tx, tenantId, { id: endpointId, isTestOnly }, 1) : [];
  if (!endpoint) return undefined;
  const { status, confirmingId } = endpoint;
  const canBeRead = isReadable(seal, { tenantId, id: endpointId }, endpoint);
  const halt = {
    isHalted: status !== 'enabled' || !canBeRead,
    exceptId: status === 'confirming' && canBeRead ? confirmingId : null,
  };
  return { wait: await findHostWait(tx, tenantId, endpointId, AHEAD_MAX_SECONDS), halt };
}

export async function showDelivery(tx: Tx, seal: SecretSeal, reader: Reader, id: string): Promise<WebhookDelivery> {
  const delivery = isUuid(id) ? await findDelivery(tx, reader.tenantId, id) : undefined;
  const around = delivery && (await findAround(tx, seal, reader, delivery.endpointId));
  if (!delivery || !around) throw noDelivery();
  return toDelivery(seal, reader.tenantId, delivery, around);
}
