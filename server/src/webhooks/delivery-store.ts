// Changes of deliveries that their tenant causes: tests, one more time, an endpoint that is enabled. Runs as the app role under row-level
// security. Reading them: delivery-log/log-store.ts.
import { agedTable } from '../lib/postgres/retention.ts';
import { execute, rows, sql, type Tx } from '../lib/postgres/sql.ts';
import { type Line, linesOf } from './order-store.ts';

export type TestDelivery = {
  readonly id: string;
  readonly endpointId: string;
  readonly eventId: string;
  readonly eventType: string;
  readonly body: string;
  readonly attemptsMax: number;
};

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
    -- Two: under row-level security a condition with "or" that asks for the time is no condition of an index, and all that waits would be read.
    with attempted as (
      update webhook_deliveries set attempts = 0, next_attempt_at = clock_timestamp()
       where tenant_id = ${tenantId} and endpoint_id = ${endpointId} and state = 'pending' and attempts > 0
         and place_event is not null and (leased_until is null or leased_until < clock_timestamp())
      returning credit_report_id),
    given_up as (
      update webhook_deliveries
         set state = 'pending', attempts = 0, next_attempt_at = clock_timestamp(), settled_at = null
       where tenant_id = ${tenantId} and endpoint_id = ${endpointId} and state = 'failed'
         and settled_at >= ${failingSince}::timestamptz and ${failingSince}::timestamptz is not null
         and place_event is not null
      returning credit_report_id)
    select credit_report_id as "creditReportId" from attempted
    union all
    select credit_report_id from given_up`,
  );
  return linesOf(revived.map(({ creditReportId }) => ({ endpointId, creditReportId })));
}

/** Kept for 30 days after its event (`touched_at` has that instant), however often it is sent again; its attempts go with it. */
export const WEBHOOK_DELIVERIES = agedTable('webhook_deliveries', 'touched_at', '30 days');
