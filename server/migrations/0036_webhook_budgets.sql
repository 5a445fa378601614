-- How much of webhooks a receiver gets (docs/decisions/0273-what-a-receiver-gets.md).

set local lock_timeout = '3s';
set local statement_timeout = '60s';

-- A company's receivers, by host: what they have accepted, and when their next message may go. No row: nothing yet.
create table webhook_hosts (
  tenant_id uuid not null references tenants (id),
  host text not null,
  -- Where the host was when it accepted a message: address and port, the latest first.
  proven_places text[] not null default '{}' check (cardinality(proven_places) <= 64),
  accepted integer not null default 0,
  -- Ahead of the clock by what was sent at once.
  next_free_at timestamptz not null default clock_timestamp(),
  -- What was sent in the calendar minute that is written beside it, for who looks at the limits.
  sent_minute timestamptz not null default date_trunc('minute', clock_timestamp()),
  sent integer not null default 0,
  paused_until timestamptz,
  -- The receiver asked for it, or nothing is left of what an unproven one gets.
  paused_by text check (paused_by in ('receiver', 'budget')),
  -- It said that it was gone, and has accepted nothing since: endpoints that come to it have to ask it first.
  gone_at timestamptz,
  kept_until timestamptz not null default clock_timestamp() + interval '90 days',
  primary key (tenant_id, host),
  check ((paused_until is null) = (paused_by is null))
) with (fillfactor = 70);
create index webhook_hosts_by_age on webhook_hosts (kept_until);

-- What is counted in any hour or day, with its instants: attempts at an address or a name that has proven nothing, attempts to
-- confirm, replays. What a count is of stands in `target`.
create table webhook_uses (
  tenant_id uuid not null references tenants (id),
  target text not null,
  used_at timestamptz[] not null,
  touched_at timestamptz not null default clock_timestamp(),
  primary key (tenant_id, target)
) with (fillfactor = 70);
create index webhook_uses_of_target on webhook_uses (target);
create index webhook_uses_by_age on webhook_uses (touched_at);

do $$
declare tenant_table text;
begin
  foreach tenant_table in array array['webhook_hosts', 'webhook_uses'] loop
    execute format('alter table %I enable row level security, force row level security', tenant_table);
    execute format('create policy tenants_of_the_transaction on %I to trefoil_app
      using ((select current_tenants()) @> array[tenant_id])
      with check ((select current_tenants()) @> array[tenant_id])', tenant_table);
    execute format('create policy system_access on %I to trefoil_system using (true) with check (true)', tenant_table);
  end loop;
end $$;
grant select, insert, update on webhook_hosts, webhook_uses to trefoil_app;
grant select, update (next_free_at, sent_minute, sent, kept_until), delete on webhook_hosts to trefoil_system;
-- Addresses and names are counted over all companies.
grant select, insert, update (used_at, touched_at), delete on webhook_uses to trefoil_system;

-- Receivers that work today are not slowed down like new ones: they have all once they accept their next message.
insert into webhook_hosts (tenant_id, host, accepted)
select distinct tenant_id, host, 100000 from webhook_endpoints where is_proven and status = 'enabled' and host <> '';

-- After a 410: the test message whose answer decides whether a disabled endpoint is enabled. It says nothing about one that is not
-- disabled: a server of the previous release does not know the column.
alter table webhook_endpoints add column confirming_id uuid;
