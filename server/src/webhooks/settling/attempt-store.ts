// What attempts do to deliveries. Runs as the app role of the tenants whose attempts they are.
import { execute, packBytes, rows, sql, type Tx } from '../../lib/postgres/sql.ts';
import type { Claimed } from '../claim-store.ts';

export type Settlement =
  | { readonly state: 'delivered' | 'failed' }
  | { readonly state: 'pending'; readonly afterSeconds: number };

/** False when the claim is not the newest: another worker has the delivery, or the tenant has asked for it anew. */
export async function updateDeliverySettled(
  tx: Tx,
  { tenantId, id, fence }: Pick<Claimed, 'tenantId' | 'id' | 'fence'>,
  settlement: Settlement,
): Promise<boolean> {
  const afterSeconds = settlement.state === 'pending' ? settlement.afterSeconds : 0;
  const settled = await execute(
    tx,
    sql`
    update webhook_deliveries
       set state = ${settlement.state}, leased_until = null,
           next_attempt_at = clock_timestamp() + make_interval(secs => ${afterSeconds}),
           settled_at = case when ${settlement.state !== 'pending'} then clock_timestamp() end
     where tenant_id = ${tenantId} and id = ${id} and fence = ${fence} and state = 'pending'`,
  );
  return settled === 1;
}

/** How many attempts it has had by now; undefined when the claim is not the newest. */
export async function lockAttempts(
  tx: Tx,
  { tenantId, id, fence }: Pick<Claimed, 'tenantId' | 'id' | 'fence'>,
): Promise<number | undefined> {
  const [delivery] = await rows<{ attempts: number }>(
    tx,
    sql`
    select attempts from webhook_deliveries
     where tenant_id = ${tenantId} and id = ${id} and fence = ${fence} and state = 'pending' for no key update`,
  );
  return delivery?.attempts;
}

/** The worker stops. The attempt does not count, although it may have reached the receiver: its outcome is not known. */
export async function updateDeliveryReleased(
  tx: Tx,
  { tenantId, id, fence }: Pick<Claimed, 'tenantId' | 'id' | 'fence'>,
): Promise<void> {
  await execute(
    tx,
    sql`
    update webhook_deliveries
       set attempts = greatest(attempts - 1, 0), next_attempt_at = clock_timestamp(), leased_until = null
     where tenant_id = ${tenantId} and id = ${id} and fence = ${fence} and state = 'pending'`,
  );
}

export type NewAttempt = {
  readonly tenantId: string;
  readonly id: string;
  readonly deliveryId: string;
  readonly startedAt: Date;
  readonly timeTakenMs: number;
  readonly status: number | null;
  readonly sealedAnswer: Buffer | null;
  readonly error: string | null;
};

/** An attempt that is there already stays as it is: a commit with an unknown outcome may be repeated. */
export async function insertAttempt(tx: Tx, attempt: NewAttempt): Promise<void> {
  const { tenantId, id, deliveryId, startedAt, timeTakenMs, status, sealedAnswer, error } = attempt;
  await execute(
    tx,
    sql`
    insert into webhook_attempts (tenant_id, delivery_id, id, started_at, time_taken_ms, status, sealed_answer, error)
    values (${tenantId}, ${deliveryId}, ${id}, ${startedAt}, ${timeTakenMs}, ${status}, ${sealedAnswer}, ${error})
    on conflict do nothing`,
  );
}

const ATTEMPTS_KEPT = 10;

/** Its fence rises with every claim: one that was claimed less often has no more attempts than it keeps. */
export const mayHaveTooMany = ({ fence }: Pick<Claimed, 'fence'>): boolean => fence > ATTEMPTS_KEPT;

/** After an attempt was added: of each delivery the last ones stay. */
export async function deleteOldAttempts(
  tx: Tx,
  deliveries: readonly Pick<Claimed, 'tenantId' | 'id'>[],
): Promise<void> {
  if (deliveries.length === 0) return;
  await execute(
    tx,
    sql`
    delete from webhook_attempts as old
     using unnest(${deliveries.map(({ tenantId }) => tenantId)}::uuid[], ${deliveries.map(({ id }) => id)}::uuid[])
             as kept (tenant_id, delivery_id),
           lateral (select id from webhook_attempts as newer
                     where newer.tenant_id = kept.tenant_id and newer.delivery_id = kept.delivery_id
                     order by id desc offset ${ATTEMPTS_KEPT} limit 1) as beyond
     where old.tenant_id = kept.tenant_id and old.delivery_id = kept.delivery_id and old.id <= beyond.id`,
  );
}

export type Accepted = { readonly fence: number; readonly attempt: NewAttempt };

/**
 * Settles accepted attempts of any tenants of the transaction, and returns the ids of the deliveries. Left out are those of an
 * endpoint whose health changes with them, those that another transaction holds, and those whose claim is not the newest: each
 * of them is settled by itself. So this waits for no endpoint and no delivery.
 */
export async function settleAccepted(tx: Tx, accepted: readonly Accepted[]): Promise<string[]> {
  const attempts = accepted.map(({ attempt }) => attempt);
  const answers = packBytes(attempts.map(({ sealedAnswer }) => sealedAnswer));
  const settled = await rows<{ id: string }>(
    tx,
    sql`
    with held as (
      select made.*
        from unnest(${attempts.map(({ tenantId }) => tenantId)}::uuid[],
                    ${attempts.map(({ deliveryId }) => deliveryId)}::uuid[],
                    ${accepted.map(({ fence }) => fence)}::int[], ${attempts.map(({ id }) => id)}::uuid[],
                    ${attempts.map(({ startedAt }) => startedAt.toISOString())}::timestamptz[],
                    ${attempts.map(({ timeTakenMs }) => timeTakenMs)}::int[],
                    ${attempts.map(({ status }) => status)}::smallint[], ${answers.starts}::int[], ${answers.lengths}::int[])
             as made (tenant_id, delivery_id, fence, id, started_at, time_taken_ms, status, answer_from, answer_for)
        join webhook_deliveries as claimed
          on claimed.tenant_id = made.tenant_id and claimed.id = made.delivery_id and claimed.fence = made.fence
             and claimed.state = 'pending'
        join webhook_endpoints as endpoint
          on endpoint.tenant_id = claimed.tenant_id and endpoint.id = claimed.endpoint_id and endpoint.is_proven
             and endpoint.failures = 0 and endpoint.failing_since is null and endpoint.paused_until is null
         for update of claimed skip locked),
    settled as (
      update webhook_deliveries
         set state = 'delivered', leased_until = null, next_attempt_at = clock_timestamp(),
             settled_at = clock_timestamp()
        from held
       where webhook_deliveries.tenant_id = held.tenant_id and webhook_deliveries.id = held.delivery_id)
    insert into webhook_attempts (tenant_id, delivery_id, id, started_at, time_taken_ms, status, sealed_answer)
    select tenant_id, delivery_id, id, started_at, time_taken_ms, status,
           substring(${answers.bytes}::bytea from answer_from for answer_for)
      from held
    returning delivery_id as id`,
  );
  return settled.map(({ id }) => id);
}
