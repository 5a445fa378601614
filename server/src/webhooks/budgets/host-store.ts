// The receivers of a company, by host: what they have accepted, when their next message may go, and until when they are left alone
// (docs/decisions/0273-what-a-receiver-gets.md). Claims run as the system role, the rest as the app role of the company.
import { agedTable } from '../../lib/postgres/retention.ts';
import { execute, rows, sql, type Tx } from '../../lib/postgres/sql.ts';

export type HostPlace = { readonly tenantId: string; readonly host: string };

export type HostRoom = HostPlace & {
  readonly endpointId: string;
  readonly accepted: number;
  /** By how much it is ahead of the clock; negative when it has rested. */
  readonly aheadSeconds: number;
};

/**
 * As the system role: the hosts of endpoints that a claim holds, locked in one order, so that two nodes do not both give away the same
 * room. A host that has accepted nothing yet has no room of its own and is not among them: its attempts are counted one by one.
 */
export function lockHostsOf(tx: Tx, endpointIds: readonly string[]): Promise<HostRoom[]> {
  return rows<HostRoom>(
    tx,
    sql`
    select endpoint.id as "endpointId", hosts.tenant_id as "tenantId", hosts.host, accepted,
           extract(epoch from next_free_at - clock_timestamp())::float8 as "aheadSeconds"
      from webhook_endpoints as endpoint
      join webhook_hosts as hosts on hosts.tenant_id = endpoint.tenant_id and hosts.host = endpoint.host
     where endpoint.id = any (${endpointIds}::uuid[]) and cardinality(proven_places) > 0
     order by hosts.tenant_id, hosts.host
       for no key update of hosts`,
  );
}

export type HostUse = HostPlace & { readonly count: number; readonly secondsEach: number };

/** As the system role, in the transaction that locked them. */
export async function updateHostsUsed(tx: Tx, uses: readonly HostUse[]): Promise<void> {
  if (uses.length === 0) return;
  await execute(
    tx,
    sql`
    update webhook_hosts as hosts
       set next_free_at = greatest(next_free_at, clock_timestamp()) + make_interval(secs => used.count * used.seconds_each),
           sent = case when sent_minute = date_trunc('minute', clock_timestamp()) then sent else 0 end + used.count,
           sent_minute = date_trunc('minute', clock_timestamp()), kept_until = clock_timestamp() + interval '90 days'
      from unnest(${uses.map(({ tenantId }) => tenantId)}::uuid[], ${uses.map(({ host }) => host)}::text[],
                  ${uses.map(({ count }) => count)}::int[], ${uses.map(({ secondsEach }) => secondsEach)}::float8[])
           as used (tenant_id, host, count, seconds_each)
     where hosts.tenant_id = used.tenant_id and hosts.host = used.host`,
  );
}

export type Accepted = HostPlace & { readonly place: string };

const PLACES_MAX = 64;

/**
 * Counted, and where the host is now is proven. Of many places the one that was not used for longest is forgotten, and proves itself
 * anew. Whoever accepts is not gone, and waits for no budget of the unproven.
 */
export async function noteAccepted(tx: Tx, accepted: readonly Accepted[]): Promise<void> {
  if (accepted.length === 0) return;
  await execute(
    tx,
    sql`
    insert into webhook_hosts as hosts (tenant_id, host, proven_places, accepted)
    select tenant_id, host, array_agg(distinct place), count(*)
      from unnest(${accepted.map(({ tenantId }) => tenantId)}::uuid[], ${accepted.map(({ host }) => host)}::text[],
                  ${accepted.map(({ place }) => place)}::text[]) as added (tenant_id, host, place)
     group by tenant_id, host order by tenant_id, host
    on conflict (tenant_id, host) do update
       set accepted = least(hosts.accepted + excluded.accepted, 1000000),
           proven_places = array(select place
                                   from unnest(excluded.proven_places || hosts.proven_places) with ordinality as each (place, at)
                                  group by place order by min(at) limit ${PLACES_MAX}),
           gone_at = null,
           paused_until = case when hosts.paused_by = 'receiver' then hosts.paused_until end,
           paused_by = case when hosts.paused_by = 'receiver' then hosts.paused_by end,
           kept_until = clock_timestamp() + interval '90 days'`,
  );
}

/** Somebody else answers there, who cannot show the certificate of the name: it has to accept a message before it gets more. */
export async function updatePlaceUnproven(tx: Tx, { tenantId, host }: HostPlace, place: string): Promise<void> {
  await execute(
    tx,
    sql`
    update webhook_hosts set proven_places = array_remove(proven_places, ${place})
     where tenant_id = ${tenantId} and host = ${host} and ${place} = any (proven_places)`,
  );
}

export type PausedBy = 'receiver' | 'budget';

/**
 * For all endpoints of the company at this host. Neither a new endpoint nor a change of one ends it. What is short of the budget of the
 * unproven never pauses a host that is proven somewhere, also if it was proven only a moment ago.
 */
export async function pauseHost(
  tx: Tx,
  { tenantId, host }: HostPlace,
  pause: { readonly seconds: number; readonly by: PausedBy },
): Promise<void> {
  await execute(
    tx,
    sql`
    insert into webhook_hosts as hosts (tenant_id, host, paused_until, paused_by, kept_until)
    values (${tenantId}, ${host}, clock_timestamp() + make_interval(secs => ${pause.seconds}), ${pause.by},
            clock_timestamp() + interval '1 day')
    on conflict (tenant_id, host) do update
       set paused_until = excluded.paused_until, paused_by = excluded.paused_by,
           kept_until = greatest(hosts.kept_until, excluded.kept_until)
     where coalesce(hosts.paused_until, '-infinity') < excluded.paused_until
       and (excluded.paused_by = 'receiver' or cardinality(hosts.proven_places) = 0)`,
  );
}

/** It answered 410. That is remembered as long as what it accepts, also where a mere pause had made the row. */
export async function updateHostGone(tx: Tx, { tenantId, host }: HostPlace): Promise<void> {
  await execute(
    tx,
    sql`
    insert into webhook_hosts as hosts (tenant_id, host, gone_at) values (${tenantId}, ${host}, clock_timestamp())
    on conflict (tenant_id, host) do update
       set gone_at = excluded.gone_at, kept_until = greatest(hosts.kept_until, clock_timestamp() + interval '90 days')`,
  );
}

export async function isHostGone(tx: Tx, { tenantId, host }: HostPlace): Promise<boolean> {
  const found = await rows(
    tx,
    sql`select from webhook_hosts where tenant_id = ${tenantId} and host = ${host} and gone_at is not null`,
  );
  return found.length > 0;
}

export type HostWait = { readonly until: Date; readonly by: PausedBy };

/** What the deliveries of an endpoint wait for, whatever their own time; undefined when for nothing. */
export async function findHostWait(
  tx: Tx,
  tenantId: string,
  endpointId: string,
  aheadMaxSeconds: number,
): Promise<HostWait | undefined> {
  const [wait] = await rows<HostWait>(
    tx,
    sql`
    select until, by
      from webhook_endpoints as endpoint
      join webhook_hosts as hosts on hosts.tenant_id = endpoint.tenant_id and hosts.host = endpoint.host,
        lateral (values (hosts.paused_until, hosts.paused_by), (held_until, 'budget'),
                        (next_free_at - make_interval(secs => ${aheadMaxSeconds}), 'budget')) as wait (until, by)
     where endpoint.tenant_id = ${tenantId} and endpoint.id = ${endpointId} and until > clock_timestamp()
     order by until desc limit 1`,
  );
  return wait;
}

export type MinuteUse = { readonly sent: number; readonly endsAt: Date };

/** Of the company's host that got most in this calendar minute. */
export async function readMinuteUse(tx: Tx, tenantId: string): Promise<MinuteUse> {
  const [use] = await rows<MinuteUse>(
    tx,
    sql`
    select coalesce((select max(sent) from webhook_hosts
                      where tenant_id = ${tenantId} and sent_minute = date_trunc('minute', clock_timestamp())), 0) as sent,
           date_trunc('minute', clock_timestamp()) + interval '1 minute' as "endsAt"`,
  );
  if (!use) throw new Error('a statement without a condition has one row');
  return use;
}

/** A receiver that nobody sent to for 90 days proves itself anew, and what it said with 410 is forgotten; one that only paused is forgotten after a day. */
export const WEBHOOK_HOSTS = agedTable('webhook_hosts', 'kept_until', '0 days');
