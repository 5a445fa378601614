// Replays: the last one of each endpoint, under way or over. Tenants begin them as the app role; workers read on as the system role.
import type { EventCursor } from '../../events/read-events.ts';
import { execute, rows, sql, type Tx } from '../../lib/postgres/sql.ts';

/** Whether a replay of another endpoint of the tenant is under way. */
export async function isReplaying(tx: Tx, tenantId: string, exceptId: string): Promise<boolean> {
  const found = await rows(
    tx,
    sql`select from webhook_endpoints where tenant_id = ${tenantId} and id <> ${exceptId} and replay_since is not null
         limit 1`,
  );
  return found.length > 0;
}

export type AskedReplay = {
  readonly since: Date;
  readonly until: Date | undefined;
  readonly onlyFailed: boolean;
};

/** From the first event on: the worker looks for the place, and skips what is older. */
export async function updateReplayBegun(
  tx: Tx,
  tenantId: string,
  id: string,
  { since, until, onlyFailed }: AskedReplay,
): Promise<void> {
  await execute(
    tx,
    sql`
    update webhook_endpoints
       set replay_since = ${since}, replay_xact_id = '0', replay_event = 0, replay_asked_since = ${since},
           replay_until = ${until ?? null}, replay_only_failed = ${onlyFailed}, replay_reached_at = null, replay_queued = 0,
           -- As exact as it is compared.
           replay_begun_at = date_trunc('milliseconds', clock_timestamp())
     where tenant_id = ${tenantId} and id = ${id}`,
  );
}

export type Replay = {
  readonly tenantId: string;
  readonly endpointId: string;
  readonly isTest: boolean;
  readonly isOrdered: boolean;
  readonly eventTypes: readonly string[] | null;
  readonly since: Date;
  readonly until: Date | null;
  readonly onlyFailed: boolean;
  /** Tells it from one that was begun anew; null where a server of the previous release began the only one. */
  readonly begunAt: Date | null;
  readonly after: EventCursor;
};

/**
 * One of each tenant, in random order: neither a tenant with many replays nor one that fails is always the first. Those of a
 * disabled tenant stand still until it is enabled. A server of the previous release begins one without saying its end: that of
 * the replay before is not its own.
 */
export async function listReplays(tx: Tx, limit: number): Promise<Replay[]> {
  const found = await rows<Omit<Replay, 'after'> & { xactId: string; event: number }>(
    tx,
    sql`
    select * from (
      select distinct on (tenant_id) tenant_id as "tenantId", id as "endpointId", is_test as "isTest",
             is_ordered as "isOrdered", event_types as "eventTypes", replay_since as since,
             case when replay_asked_since = replay_since then replay_until end as until,
             coalesce(replay_asked_since = replay_since, false) and replay_only_failed as "onlyFailed",
             replay_begun_at as "begunAt", replay_xact_id::text as "xactId", replay_event as event
        from webhook_endpoints
       where replay_since is not null and exists (select from tenants where tenants.id = tenant_id and is_enabled)
       order by tenant_id, random()) as chosen
     order by random() limit ${limit}`,
  );
  return found.map(({ xactId, event, ...replay }) => ({ ...replay, after: { xactId, id: event } }));
}

/** Undefined ends the replay. False when another worker has moved it, or the tenant has begun it anew. */
export async function moveReplay(tx: Tx, replay: Replay, to: EventCursor | undefined): Promise<boolean> {
  const { endpointId, since, begunAt, after } = replay;
  const moved = await execute(
    tx,
    sql`
    update webhook_endpoints
       set replay_since = case when ${to === undefined} then null else replay_since end,
           replay_xact_id = ${to?.xactId ?? null}::xid8, replay_event = ${to?.id ?? null}
     where id = ${endpointId} and replay_since = ${since} and replay_begun_at is not distinct from ${begunAt}::timestamptz
       and replay_xact_id = ${after.xactId}::xid8 and replay_event = ${after.id}`,
  );
  return moved === 1;
}

export type Progress = { readonly queued: number; readonly reachedAt: Date | undefined };

/** In the transaction that moved it. */
export async function noteProgress(tx: Tx, { endpointId }: Replay, { queued, reachedAt }: Progress): Promise<void> {
  await execute(
    tx,
    sql`
    update webhook_endpoints
       set replay_queued = replay_queued + ${queued}::int,
           replay_reached_at = coalesce(${reachedAt ?? null}::timestamptz, replay_reached_at)
     where id = ${endpointId}`,
  );
}
