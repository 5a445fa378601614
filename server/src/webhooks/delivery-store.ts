// Deliveries as their tenant sees them, and their attempts. Runs as the app role under row-level security.
import { randomBytes } from 'node:crypto';
import { TEST_MESSAGE_TYPE } from '@trefoil/contract';
import { newId } from '../lib/ids.ts';
import { agedTable } from '../lib/postgres/retention.ts';
import { execute, rows, sql, type Tx } from '../lib/postgres/sql.ts';
import { type Line, linesOf } from './order-store.ts';
import { TEST_ATTEMPTS_MAX } from './rules/schedule.ts';

export type DeliveryState = 'pending' | 'delivered' | 'failed';

export type AttemptRow = {
  readonly id: string;
  readonly startedAt: Date;
  readonly timeTakenMs: number;
  readonly status: number | null;
  readonly sealedAnswer: Buffer | null;
  readonly error: string | null;
};

export type DeliveryRow = {
  readonly id: string;
  readonly endpointId: string;
  readonly eventId: string;
  readonly eventType: string;
  readonly creditReportId: string | null;
  readonly state: DeliveryState;
  readonly createdAt: Date;
  /** Null: it waits for an earlier event of its report. */
  readonly nextAttemptAt: Date | null;
  readonly settledAt: Date | null;
  /** The last ones, newest first. */
  readonly attempts: readonly AttemptRow[];
};

const HIGHEST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';
const ATTEMPTS_SHOWN = 10;

/** Bytes in base64, instants as text: so JSON has them. */
type StoredAttempt = Omit<AttemptRow, 'startedAt' | 'sealedAnswer'> & {
  readonly startedAt: string;
  readonly sealedAnswer: string | null;
};
type StoredDelivery = Omit<DeliveryRow, 'attempts'> & { readonly attempts: readonly StoredAttempt[] };

const toDelivery = ({ attempts, ...delivery }: StoredDelivery): DeliveryRow => ({
  ...delivery,
  attempts: attempts.map(({ startedAt, sealedAnswer, ...attempt }) => ({
    ...attempt,
    startedAt: new Date(startedAt),
    sealedAnswer: sealedAnswer === null ? null : Buffer.from(sealedAnswer, 'base64'),
  })),
});

const STATES: readonly DeliveryState[] = ['pending', 'delivered', 'failed'];

/**
 * Newest first. Each state is looked up by itself, since the index has the state before the id: a page of a rare state does
 * not walk through all the others. One statement, so that a delivery and its attempts are of the same moment: none is shown
 * as pending with an attempt that was accepted.
 */
export async function listDeliveryPage(
  tx: Tx,
  tenantId: string,
  which: {
    readonly endpointId: string;
    readonly beforeId: string | undefined;
    readonly state: DeliveryState | undefined;
  },
  limit: number,
): Promise<DeliveryRow[]> {
  const found = await rows<StoredDelivery>(
    tx,
    sql`
    select page.*, coalesce(last.attempts, '[]'::json) as attempts
      from (select delivery.* from unnest(${which.state ? [which.state] : STATES}::text[]) as asked (state),
              lateral (
                select id, endpoint_id as "endpointId", event_id as "eventId", event_type as "eventType",
                       credit_report_id as "creditReportId", state,
                       created_at as "createdAt", nullif(greatest(next_attempt_at, created_at), 'infinity') as "nextAttemptAt", settled_at as "settledAt"
                  from webhook_deliveries
                 where tenant_id = ${tenantId} and endpoint_id = ${which.endpointId}
                   and webhook_deliveries.state = asked.state and id < ${which.beforeId ?? HIGHEST_ID}
                 order by id desc limit ${limit}) as delivery
             order by delivery.id desc limit ${limit}) as page,
      lateral (
        select json_agg(json_build_object('id', id, 'startedAt', started_at, 'timeTakenMs', time_taken_ms, 'status', status,
                                          'sealedAnswer', encode(sealed_answer, 'base64'), 'error', error)
                        order by id desc) as attempts
          from (select * from webhook_attempts
                 where tenant_id = ${tenantId} and delivery_id = page.id
                 order by id desc limit ${ATTEMPTS_SHOWN}) as shown) as last
     order by page.id desc`,
  );
  return found.map(toDelivery);
}

/** Not locked: whoever changes it holds its endpoint first, and only the delivery says which that is. */
export async function findDelivery(tx: Tx, tenantId: string, id: string): Promise<DeliveryRow | undefined> {
  const [delivery] = await rows<StoredDelivery>(
    tx,
    sql`
    select id, endpoint_id as "endpointId", event_id as "eventId", event_type as "eventType",
           credit_report_id as "creditReportId", state,
           created_at as "createdAt", nullif(greatest(next_attempt_at, created_at), 'infinity') as "nextAttemptAt", settled_at as "settledAt",
           coalesce((select json_agg(json_build_object('id', id, 'startedAt', started_at, 'timeTakenMs', time_taken_ms,
                                                       'status', status, 'sealedAnswer', encode(sealed_answer, 'base64'),
                                                       'error', error) order by id desc)
                       from (select * from webhook_attempts
                              where tenant_id = ${tenantId} and delivery_id = ${id}
                              order by id desc limit ${ATTEMPTS_SHOWN}) as shown), '[]'::json) as attempts
      from webhook_deliveries where tenant_id = ${tenantId} and id = ${id}`,
  );
  return delivery && toDelivery(delivery);
}

export type TestDelivery = {
  readonly id: string;
  readonly endpointId: string;
  readonly eventId: string;
  readonly eventType: string;
  readonly body: string;
  readonly attemptsMax: number;
};

/** A message that is no event, for an endpoint of this mode. */
export function newTest(tenantId: string, endpointId: string, isTest: boolean): TestDelivery {
  const eventId = `evt_test_${randomBytes(8).toString('hex')}`;
  const createdAt = new Date().toISOString();
  const event = { id: eventId, type: TEST_MESSAGE_TYPE, createdAt, tenantId, test: isTest, data: {} };
  return {
    ...{ id: newId(), endpointId, eventId, eventType: TEST_MESSAGE_TYPE },
    ...{ body: JSON.stringify(event), attemptsMax: TEST_ATTEMPTS_MAX },
  };
}

/** `isFirst`: before all that waits for the endpoint. */
export async function insertTestDelivery(
  tx: Tx,
  tenantId: string,
  { id, endpointId, eventId, eventType, body, attemptsMax }: TestDelivery,
  { isFirst }: { readonly isFirst: boolean },
): Promise<void> {
  await execute(
    tx,
    sql`
    insert into webhook_deliveries (tenant_id, id, endpoint_id, event_id, event_type, body, attempts_max, next_attempt_at)
    values (${tenantId}, ${id}, ${endpointId}, ${eventId}, ${eventType}, ${body}, ${attemptsMax},
            case when ${isFirst} then 'epoch' else clock_timestamp() end)`,
  );
}

/** The test message that is to decide about the endpoint, if there is one; one under way is settled as it is. */
export async function giveUpTest(tx: Tx, tenantId: string, endpointId: string): Promise<void> {
  await execute(
    tx,
    sql`
    update webhook_deliveries as given_up set state = 'failed', settled_at = clock_timestamp()
      from webhook_endpoints as endpoint
     where endpoint.tenant_id = ${tenantId} and endpoint.id = ${endpointId} and given_up.tenant_id = ${tenantId}
       and endpoint.status = 'disabled' and given_up.id = endpoint.confirming_id and given_up.state = 'pending'
       and (leased_until is null or leased_until <= clock_timestamp())`,
  );
}

/** Due now, with all its attempts. An attempt under way is the first of them: a receiver gets one at a time. */
export async function updateDeliveryResent(tx: Tx, tenantId: string, id: string): Promise<void> {
  await execute(
    tx,
    sql`
    update webhook_deliveries
       set state = 'pending', attempts = case when is_under_way then 1 else 0 end, settled_at = null,
           next_attempt_at = case when is_under_way then next_attempt_at else clock_timestamp() end,
           leased_until = case when is_under_way then leased_until end,
           fence = case when is_under_way then fence else fence + 1 end
      from (select coalesce(leased_until > clock_timestamp(), false) and state = 'pending' as is_under_way
              from webhook_deliveries where tenant_id = ${tenantId} and id = ${id} for update) as before
     where tenant_id = ${tenantId} and id = ${id}`,
  );
}

/**
 * When an endpoint is enabled again: what was attempted is due now with all its attempts, and so is what was given up since
 * the endpoint began to fail. What happened while it was disabled is due anyway and may be many rows: they are not touched.
 * A test that was given up stays so; one that still waits is sent, as everything that is due. Returns the lines that it changed.
 */
export async function updateDeliveriesRevived(
  tx: Tx,
  tenantId: string,
  endpointId: string,
  failingSince: Date | null,
): Promise<Line[]> {
  const revived = await rows<{ creditReportId: string | null }>(
    tx,
    sql`
    update webhook_deliveries
       set state = 'pending', attempts = 0, next_attempt_at = clock_timestamp(), settled_at = null
     where tenant_id = ${tenantId} and endpoint_id = ${endpointId} and place_event is not null
       and (state = 'pending' and attempts > 0 and (leased_until is null or leased_until < clock_timestamp())
            or state = 'failed' and settled_at >= ${failingSince}::timestamptz)
    returning credit_report_id as "creditReportId"`,
  );
  return linesOf(revived.map(({ creditReportId }) => ({ endpointId, creditReportId })));
}

/** Kept for 30 days after its event (`touched_at` has that instant), however often it is sent again; its attempts go with it. */
export const WEBHOOK_DELIVERIES = agedTable('webhook_deliveries', 'touched_at', '30 days');
