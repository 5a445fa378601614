-- At a host that has accepted messages, an endpoint whose own address has accepted none waits alone
-- (docs/decisions/0273-what-a-receiver-gets.md).

set local lock_timeout = '3s';
set local statement_timeout = '60s';

-- Until there is room in the budget of those that have accepted nothing. A server of the previous release pauses the host instead.
alter table webhook_endpoints add column held_until timestamptz;

-- As before, and an endpoint that is held has nothing to begin until then.
create or replace function webhook_looks(endpoint_ids uuid[])
  returns table (tenant_id uuid, endpoint_id uuid, is_proven boolean, next_free_at timestamptz, look_at timestamptz)
  language sql stable parallel safe as $$
select endpoint.tenant_id, endpoint.id as endpoint_id, endpoint.is_proven, hosts.next_free_at,
       greatest(first.next_attempt_at, endpoint.paused_until, endpoint.held_until, hosts.paused_until) as look_at
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
