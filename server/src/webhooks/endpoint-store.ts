// The webhook endpoints of tenants. Runs as the app role under row-level security unless it says otherwise. Addresses and
// secrets come in and go out sealed.
import { type EventType, RETRYING_MAX, WEBHOOK_ENDPOINTS_MAX } from '@trefoil/contract';
import { agedTable } from '../lib/postgres/retention.ts';
import { execute, rows, sql, type Tx } from '../lib/postgres/sql.ts';

export type EndpointStatus = 'enabled' | 'disabled';
/** `confirming`: disabled after a 410, with a test message under way that may enable it. */
export type ShownStatus = EndpointStatus | 'confirming';
export type DisabledReason = 'requested' | 'gone' | 'failing';

export type EndpointRow = {
  readonly id: string;
  readonly sealedUrl: Buffer;
  readonly sealedSecret: Buffer;
  readonly description: string;
  readonly eventTypes: EventType[] | null;
  readonly isTest: boolean;
  readonly isOrdered: boolean;
  readonly status: ShownStatus;
  readonly disabledReason: DisabledReason | null;
  /** Deliveries that were attempted in vain and are pending; at most `RETRYING_MAX`. */
  readonly retrying: number;
  readonly createdBy: string | null;
  readonly createdAt: Date;
  /** The test message that may enable it, while it is `confirming`. */
  readonly confirmingId: string | null;
} & ReplayColumns;

/** Of its last replay; `replayBegunAt` is null where there was none. */
export type ReplayColumns = {
  readonly isReplaying: boolean;
  readonly replayAskedSince: Date | null;
  readonly replayUntil: Date | null;
  readonly replayOnlyFailed: boolean;
  readonly replayBegunAt: Date | null;
  readonly replayReachedAt: Date | null;
  readonly replayQueued: number;
};

export type NewEndpoint = {
  readonly id: string;
  readonly sealedUrl: Buffer;
  readonly host: string;
  readonly description: string;
  readonly eventTypes: readonly EventType[] | null;
  readonly isTest: boolean;
  readonly isOrdered: boolean;
  readonly sealedSecret: Buffer;
  readonly createdBy: string;
};

/** Held until the transaction ends: two requests at once must not both find room for the last endpoint. */
export async function lockEndpointCount(tx: Tx, tenantId: string): Promise<number> {
  await execute(tx, sql`select pg_advisory_xact_lock(hashtextextended('webhook endpoints ' || ${tenantId}::text, 0))`);
  const [row] = await rows<{ count: number }>(
    tx,
    sql`select count(*) as count from webhook_endpoints where tenant_id = ${tenantId} and status <> 'deleted'`,
  );
  return row?.count ?? 0;
}

export async function insertEndpoint(tx: Tx, tenantId: string, endpoint: NewEndpoint): Promise<void> {
  const { id, sealedUrl, host, description, eventTypes, isTest, isOrdered, sealedSecret, createdBy } = endpoint;
  await execute(
    tx,
    sql`
    insert into webhook_endpoints
      (tenant_id, id, sealed_url, host, description, event_types, is_test, is_ordered, sealed_secret, created_by,
       secret_made_by)
    values (${tenantId}, ${id}, ${sealedUrl}, ${host}, ${description}, ${eventTypes}::text[], ${isTest}, ${isOrdered},
            ${sealedSecret}, ${createdBy}, ${createdBy})`,
  );
}

const HIGHEST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** Newest first. With `isTestOnly`, live endpoints do not exist. */
export function listEndpoints(
  tx: Tx,
  tenantId: string,
  which: { readonly id?: string; readonly beforeId?: string | undefined; readonly isTestOnly: boolean },
  limit: number,
): Promise<EndpointRow[]> {
  return rows<EndpointRow>(
    tx,
    sql`
    select id, sealed_url as "sealedUrl", sealed_secret as "sealedSecret", description, event_types as "eventTypes", is_test as "isTest",
           is_ordered as "isOrdered", case when status = 'disabled' and confirming_id is not null then 'confirming' else status end as status,
           disabled_reason as "disabledReason", created_by as "createdBy", created_at as "createdAt", confirming_id as "confirmingId",
           (select count(*)
              from (select from webhook_deliveries as tried
                     where tried.tenant_id = webhook_endpoints.tenant_id and tried.endpoint_id = webhook_endpoints.id
                       and tried.state = 'pending' and tried.attempts > 0
                       -- An attempt that is under way has not failed.
                       and tried.attempts > case when tried.leased_until > clock_timestamp() then 1 else 0 end
                     limit ${RETRYING_MAX}) as counted) as retrying,
           replay_since is not null as "isReplaying", replay_asked_since as "replayAskedSince", replay_until as "replayUntil",
           replay_only_failed as "replayOnlyFailed", replay_begun_at as "replayBegunAt", replay_reached_at as "replayReachedAt",
           replay_queued as "replayQueued"
      from webhook_endpoints
     where tenant_id = ${tenantId} and status <> 'deleted' and id = coalesce(${which.id ?? null}::uuid, id)
       and id < ${which.beforeId ?? HIGHEST_ID} and (is_test or not ${which.isTestOnly}::boolean)
     order by id desc limit ${limit}`,
  );
}

export type LockedEndpoint = {
  readonly isTest: boolean;
  readonly isOrdered: boolean;
  readonly status: EndpointStatus;
  readonly disabledReason: DisabledReason | null;
  readonly isConfirming: boolean;
  readonly host: string;
  readonly sealedUrl: Buffer;
  readonly sealedSecret: Buffer;
};

/** Locked, because a change and the outcome of an attempt must not overwrite each other. Undefined for another tenant's too. */
export async function lockEndpoint(tx: Tx, tenantId: string, id: string): Promise<LockedEndpoint | undefined> {
  const [endpoint] = await rows<LockedEndpoint>(
    tx,
    sql`
    select is_test as "isTest", is_ordered as "isOrdered", status, disabled_reason as "disabledReason",
           status = 'disabled'
             and exists (select from webhook_deliveries
                    where webhook_deliveries.tenant_id = webhook_endpoints.tenant_id
                      and webhook_deliveries.id = confirming_id and state = 'pending') as "isConfirming",
           host, sealed_url as "sealedUrl", sealed_secret as "sealedSecret"
      from webhook_endpoints
     where tenant_id = ${tenantId} and id = ${id} and status <> 'deleted' for no key update`,
  );
  return endpoint;
}

export type EndpointChange = {
  readonly address?: { readonly sealedUrl: Buffer; readonly host: string; readonly madeBy: string } | undefined;
  readonly description?: string | undefined;
  /** Undefined leaves the types unchanged; null asks for all. */
  readonly eventTypes?: readonly EventType[] | null | undefined;
  readonly isOrdered?: boolean | undefined;
};

export async function updateEndpoint(tx: Tx, tenantId: string, id: string, change: EndpointChange): Promise<void> {
  const { address, description, eventTypes, isOrdered } = change;
  await execute(
    tx,
    sql`
    update webhook_endpoints
       set sealed_url = coalesce(${address?.sealedUrl ?? null}::bytea, sealed_url),
           host = coalesce(${address?.host ?? null}, host),
           address_made_by = coalesce(${address?.madeBy ?? null}, address_made_by),
           -- The same receiver at another path: what it is spared goes on. A test under way is for the address before.
           paused_until = case when host <> ${address?.host ?? null} then null else paused_until end,
           held_until = case when host <> ${address?.host ?? null} then null else held_until end,
           confirming_id = case when ${address === undefined} then confirming_id end,
           description = coalesce(${description ?? null}, description),
           event_types = case when ${eventTypes === undefined} then event_types else ${eventTypes ?? null}::text[] end,
           is_ordered = coalesce(${isOrdered ?? null}, is_ordered)
     where tenant_id = ${tenantId} and id = ${id}`,
  );
}

/** Also while a test message is to decide about it: it stays disabled, for the reason it had. False when nothing changed. */
export async function updateEndpointDisabled(
  tx: Tx,
  tenantId: string,
  id: string,
  reason: DisabledReason,
): Promise<boolean> {
  const changed = await execute(
    tx,
    sql`
    update webhook_endpoints
       set status = 'disabled', disabled_reason = coalesce(disabled_reason, ${reason}), confirming_id = null
     where tenant_id = ${tenantId} and id = ${id}
       and (status = 'enabled' or status = 'disabled' and confirming_id is not null)`,
  );
  return changed === 1;
}

/** As if nothing had failed yet, but a pause that was begun goes on. Returns since when the endpoint had only failed; null when it had not. */
export async function updateEndpointEnabled(tx: Tx, tenantId: string, id: string): Promise<Date | null> {
  const [before] = await rows<{ failingSince: Date | null }>(
    tx,
    sql`
    select failing_since as "failingSince" from webhook_endpoints
     where tenant_id = ${tenantId} and id = ${id} for no key update`,
  );
  await execute(
    tx,
    sql`
    update webhook_endpoints
       set status = 'enabled', disabled_reason = null, confirming_id = null, failures = 0, failing_since = null,
           is_proven = false
     where tenant_id = ${tenantId} and id = ${id}`,
  );
  return before?.failingSince ?? null;
}

export async function updateEndpointConfirming(
  tx: Tx,
  tenantId: string,
  id: string,
  deliveryId: string,
): Promise<void> {
  await execute(
    tx,
    sql`
    update webhook_endpoints set confirming_id = ${deliveryId}
     where tenant_id = ${tenantId} and id = ${id} and status = 'disabled'`,
  );
}

/** The rows of its deliveries need it for a month more; what is secret in it goes at once. */
export async function updateEndpointDeleted(tx: Tx, tenantId: string, id: string): Promise<void> {
  await execute(
    tx,
    sql`
    update webhook_endpoints
       set status = 'deleted', disabled_reason = null, confirming_id = null, deleted_at = clock_timestamp(), sealed_url = '', sealed_secret = '',
           sealed_old_secret = null, old_secret_until = null, description = '', host = '',
           replay_since = null, replay_xact_id = null, replay_event = null
     where tenant_id = ${tenantId} and id = ${id}`,
  );
}

export type NewSecret = {
  readonly sealedSecret: Buffer;
  readonly graceSeconds: number;
  readonly madeBy: string | null;
};

/** The secret before stays for a while and signs too; one that is older ends now. */
export async function updateSecret(
  tx: Tx,
  tenantId: string,
  id: string,
  { sealedSecret, graceSeconds, madeBy }: NewSecret,
): Promise<void> {
  await execute(
    tx,
    sql`
    update webhook_endpoints
       set sealed_old_secret = sealed_secret, old_secret_until = clock_timestamp() + make_interval(secs => ${graceSeconds}),
           sealed_secret = ${sealedSecret}, secret_made_by = ${madeBy}
     where tenant_id = ${tenantId} and id = ${id}`,
  );
}

export type MadeEndpoint = { readonly endpointId: string; readonly host: string };

/**
 * Those that one of these made, whose address they chose, or whose secret they know because they made it: disabled ones too, since
 * others may enable them. Locked in the order of their ids.
 */
export function lockEndpointsMadeBy(tx: Tx, tenantId: string, makers: readonly string[]): Promise<MadeEndpoint[]> {
  return rows<MadeEndpoint>(
    tx,
    sql`
    select id as "endpointId", host from webhook_endpoints
     where tenant_id = ${tenantId} and status <> 'deleted'
       and (created_by = any (${makers}::uuid[]) or address_made_by = any (${makers}::uuid[])
            or secret_made_by = any (${makers}::uuid[]))
     order by id for no key update`,
  );
}

export type EndpointState = {
  readonly id: string;
  readonly host: string;
  readonly isTest: boolean;
  readonly status: EndpointStatus;
  readonly disabledReason: DisabledReason | null;
  readonly createdAt: Date;
  /** Deliveries that are neither accepted nor given up. */
  readonly waiting: number;
};

/** As the system role, for the operator; newest first. */
export function listEndpointStates(tx: Tx, tenantId: string): Promise<EndpointState[]> {
  return rows<EndpointState>(
    tx,
    sql`
    select id, host, is_test as "isTest", status, disabled_reason as "disabledReason", created_at as "createdAt",
           (select count(*) from webhook_deliveries
             where endpoint_id = webhook_endpoints.id and state = 'pending') as waiting
      from webhook_endpoints where tenant_id = ${tenantId} and status <> 'deleted'
     order by id desc limit ${WEBHOOK_ENDPOINTS_MAX}`,
  );
}

/** As the system role, for the operator. */
export async function findTenantOfEndpoint(tx: Tx, id: string): Promise<string | undefined> {
  const [endpoint] = await rows<{ tenantId: string }>(
    tx,
    sql`select tenant_id as "tenantId" from webhook_endpoints where id = ${id} and status <> 'deleted'`,
  );
  return endpoint?.tenantId;
}

/** As the system role, for a mail. Undefined once the endpoint is enabled again or deleted. */
export async function findDisabled(tx: Tx, id: string): Promise<{ tenantId: string; host: string } | undefined> {
  const [endpoint] = await rows<{ tenantId: string; host: string }>(
    tx,
    sql`
    select tenant_id as "tenantId", host from webhook_endpoints
     where id = ${id} and status = 'disabled' and disabled_reason <> 'requested'`,
  );
  return endpoint;
}

/** A day after the last of its deliveries can be gone. */
export const WEBHOOK_ENDPOINTS = agedTable('webhook_endpoints', 'deleted_at', '31 days');
