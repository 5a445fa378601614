// What attempts do to their endpoints. Runs as the app role of the tenants whose attempts they are.
import { execute, rows, sql, type Tx } from '../../lib/postgres/sql.ts';

/**
 * Its receiver answered 410, which holds for the whole of an endpoint's time at that host: neither another path nor disabling it
 * meanwhile undoes it. True when it was enabled until now.
 */
export async function updateEndpointGone(
  tx: Tx,
  { tenantId, endpointId: id, host }: { readonly tenantId: string; readonly endpointId: string; readonly host: string },
): Promise<boolean> {
  const [endpoint] = await rows<{ wasEnabled: boolean }>(
    tx,
    sql`
    update webhook_endpoints as changed set status = 'disabled', disabled_reason = 'gone', confirming_id = null
      from (select status from webhook_endpoints where tenant_id = ${tenantId} and id = ${id} for no key update) as before
     where tenant_id = ${tenantId} and id = ${id} and changed.status <> 'deleted' and host = ${host}
    returning before.status = 'enabled' as "wasEnabled"`,
  );
  return endpoint?.wasEnabled ?? false;
}

export type EndpointHealth = { readonly failures: number; readonly failingSince: Date | null; readonly now: Date };

/** The endpoint as an attempt knew it. Every change of the address seals it anew. */
export type AttemptedEndpoint = {
  readonly tenantId: string;
  readonly endpointId: string;
  readonly sealedUrl: Buffer;
};

/**
 * Undefined unless it is enabled and has the address that was attempted: what an attempt says about a disabled or deleted
 * endpoint, or about an earlier address, changes nothing.
 */
export async function lockEndpointHealth(
  tx: Tx,
  { tenantId, endpointId, sealedUrl }: AttemptedEndpoint,
): Promise<EndpointHealth | undefined> {
  const [health] = await rows<EndpointHealth>(
    tx,
    sql`
    select failures, failing_since as "failingSince", clock_timestamp() as now from webhook_endpoints
     where tenant_id = ${tenantId} and id = ${endpointId} and status = 'enabled' and sealed_url = ${sealedUrl}
       for no key update`,
  );
  return health;
}

export async function updateEndpointFailing(
  tx: Tx,
  { tenantId, endpointId: id }: AttemptedEndpoint,
  { failures, failingSince, pauseSeconds }: { failures: number; failingSince: Date; pauseSeconds: number },
): Promise<void> {
  await execute(
    tx,
    sql`
    update webhook_endpoints
       set failures = ${failures}, failing_since = ${failingSince}, is_proven = false,
           paused_until = greatest(paused_until, clock_timestamp() + make_interval(secs => ${pauseSeconds}))
     where tenant_id = ${tenantId} and id = ${id}`,
  );
}

/** Writes only where something changes: the row of a healthy endpoint is neither written nor locked at every delivery. */
export async function updateEndpointWorking(
  tx: Tx,
  { tenantId, endpointId, sealedUrl }: AttemptedEndpoint,
  isProven: boolean,
): Promise<void> {
  await execute(
    tx,
    sql`
    update webhook_endpoints
       set failures = 0, failing_since = null, paused_until = null, is_proven = ${isProven}
     where tenant_id = ${tenantId} and id = ${endpointId} and status = 'enabled' and sealed_url = ${sealedUrl}
       and (failures > 0 or failing_since is not null or paused_until is not null or is_proven <> ${isProven})`,
  );
}

/**
 * Its place has to accept a message before it gets more, and the host is proven elsewhere: this endpoint alone waits. Where it was moved
 * meanwhile it does not.
 */
export async function updateEndpointHeld(
  tx: Tx,
  { tenantId, endpointId, sealedUrl }: AttemptedEndpoint,
  seconds: number,
): Promise<void> {
  await execute(
    tx,
    sql`
    update webhook_endpoints set held_until = clock_timestamp() + make_interval(secs => ${seconds})
     where tenant_id = ${tenantId} and id = ${endpointId} and status <> 'deleted' and sealed_url = ${sealedUrl}`,
  );
}

/** An attempt takes long: what comes next for this endpoint gets places among those that may hang. */
export async function updateEndpointSlow(
  tx: Tx,
  { tenantId, endpointId, sealedUrl }: AttemptedEndpoint,
): Promise<void> {
  await execute(
    tx,
    sql`
    update webhook_endpoints set is_proven = false
     where tenant_id = ${tenantId} and id = ${endpointId} and status = 'enabled' and sealed_url = ${sealedUrl} and is_proven`,
  );
}

type Test = { readonly tenantId: string; readonly endpointId: string; readonly id: string; readonly sealedUrl: Buffer };

/** Undefined unless this test message, to this address, decides whether it is enabled. */
export async function lockConfirming(
  tx: Tx,
  { tenantId, endpointId, id, sealedUrl }: Test,
): Promise<{ isOrdered: boolean } | undefined> {
  const [endpoint] = await rows<{ isOrdered: boolean }>(
    tx,
    sql`
    select is_ordered as "isOrdered" from webhook_endpoints
     where tenant_id = ${tenantId} and id = ${endpointId} and status = 'disabled' and confirming_id = ${id}
       and sealed_url = ${sealedUrl}
       for no key update`,
  );
  return endpoint;
}

/** Its test message was not accepted: it stays disabled. */
export async function updateConfirmationEnded(
  tx: Tx,
  { tenantId, endpointId, id }: Omit<Test, 'sealedUrl'>,
): Promise<void> {
  await execute(
    tx,
    sql`
    update webhook_endpoints set confirming_id = null
     where tenant_id = ${tenantId} and id = ${endpointId} and confirming_id = ${id}`,
  );
}
