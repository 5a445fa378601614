-- Claims of webhook deliveries look at endpoints in turn (docs/decisions/0276-endpoints-have-turns.md).

set local lock_timeout = '3s';
set local statement_timeout = '60s';

-- One row for each endpoint for which something waits: when it is worth looking at next. No row: nothing waits, or nothing may be sent.
create table webhook_turns (
  tenant_id uuid not null,
  endpoint_id uuid not null,
  -- As the endpoint's own, which decides: a claim that finds another corrects this one.
  is_proven boolean not null,
  look_at timestamptz not null,
  primary key (tenant_id, endpoint_id),
  foreign key (tenant_id, endpoint_id) references webhook_endpoints (tenant_id, id) on delete cascade
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);
create index webhook_turns_in_turn on webhook_turns (is_proven, look_at);

alter table webhook_turns enable row level security, force row level security;
create policy tenants_of_the_transaction on webhook_turns to trefoil_app
  using ((select current_tenants()) @> array[tenant_id]) with check ((select current_tenants()) @> array[tenant_id]);
create policy system_access on webhook_turns to trefoil_system using (true) with check (true);
grant select, insert, update on webhook_turns to trefoil_app;
grant select, insert, update, delete on webhook_turns to trefoil_system;

-- From when on a claim can begin something at an endpoint, but for the rate of its host: `next_free_at` less what a host may be ahead.
-- No row: nothing waits that has a time, or nothing may be sent. One that said it was gone gets the test message that may enable it.
create function webhook_looks(endpoint_ids uuid[])
  returns table (tenant_id uuid, endpoint_id uuid, is_proven boolean, next_free_at timestamptz, look_at timestamptz)
  language sql stable parallel safe as $$
select endpoint.tenant_id, endpoint.id as endpoint_id, endpoint.is_proven, hosts.next_free_at,
       greatest(first.next_attempt_at, endpoint.paused_until, hosts.paused_until) as look_at
  from webhook_endpoints as endpoint
  -- What waits for a disabled tenant stays as it is (docs/decisions/0268-what-a-disabled-tenant-sends.md).
  join tenants on tenants.id = endpoint.tenant_id and tenants.is_enabled
  left join webhook_hosts as hosts on hosts.tenant_id = endpoint.tenant_id and hosts.host = endpoint.host,
    lateral (
      (select waiting.next_attempt_at from webhook_deliveries as waiting
        where endpoint.status = 'enabled' and waiting.endpoint_id = endpoint.id and waiting.state = 'pending'
          and waiting.next_attempt_at < 'infinity'
        order by waiting.next_attempt_at limit 1)
      union all
      (select test.next_attempt_at from webhook_deliveries as test
        where endpoint.status = 'disabled' and test.tenant_id = endpoint.tenant_id and test.id = endpoint.confirming_id
          and test.state = 'pending')) as first
 where endpoint.id = any (endpoint_ids)
$$;

-- A claim that finds nothing at one of them takes its turn away.
insert into webhook_turns (tenant_id, endpoint_id, is_proven, look_at)
select tenant_id, id, is_proven, clock_timestamp() from webhook_endpoints where status <> 'deleted';
