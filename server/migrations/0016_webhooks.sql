-- Webhooks: endpoints of tenants, one delivery per event and endpoint, and the attempts at each
-- (docs/decisions/0202, 0203). Addresses, secrets and answers are sealed: an address often has a token in it, and an answer may
-- say anything.

set local lock_timeout = '3s';
set local statement_timeout = '60s';

create table webhook_endpoints (
  tenant_id uuid not null references tenants (id),
  id uuid not null,
  sealed_url bytea not null,
  -- For mails and logs: the address without what may be secret in it.
  host text not null,
  description text not null default '' check (length(description) <= 200),
  -- Null: all types, those of later releases included.
  event_types text[] check (cardinality(event_types) > 0),
  is_test boolean not null,
  is_ordered boolean not null,
  status text not null default 'enabled' check (status in ('enabled', 'disabled', 'deleted')),
  disabled_reason text check (disabled_reason in ('requested', 'gone', 'failing')),
  sealed_secret bytea not null,
  -- The secret before the last rotation; it signs too until then.
  sealed_old_secret bytea,
  old_secret_until timestamptz,
  -- Failed attempts in a row, and since when there was no other.
  failures integer not null default 0,
  failing_since timestamptz,
  paused_until timestamptz,
  -- Its last attempt was accepted, and quickly. Others have places of their own, so that they delay nobody.
  is_proven boolean not null default false,
  -- A replay under way: from which instant, and how far it has read.
  replay_since timestamptz,
  replay_xact_id xid8,
  replay_event bigint,
  created_at timestamptz not null default clock_timestamp(),
  deleted_at timestamptz check ((deleted_at is not null) = (status = 'deleted')),
  primary key (tenant_id, id),
  unique (id),
  check ((status = 'disabled') = (disabled_reason is not null)),
  check ((replay_since is null) = (replay_xact_id is null) and (replay_since is null) = (replay_event is null))
) with (fillfactor = 70);
create index webhook_endpoints_replaying on webhook_endpoints (id) where replay_since is not null;
create index webhook_endpoints_deleted on webhook_endpoints (deleted_at) where deleted_at is not null;

create table webhook_deliveries (
  tenant_id uuid not null,
  id uuid not null,
  endpoint_id uuid not null,
  event_id text not null,
  event_type text not null,
  -- What is kept in order, where an endpoint asks for it.
  credit_report_id uuid,
  -- The event's place in commit order; null for a test, which is no event.
  place_xact_id xid8,
  place_event bigint,
  -- The event as it is sent: ids, statuses and credits, nothing about a person.
  body text not null,
  state text not null default 'pending' check (state in ('pending', 'delivered', 'failed')),
  attempts smallint not null default 0,
  attempts_max smallint not null,
  -- While an attempt is under way: the end of its lease.
  next_attempt_at timestamptz not null default clock_timestamp(),
  leased_until timestamptz,
  -- Rises with every claim: an attempt that comes back after its lease changes nothing.
  fence integer not null default 0,
  created_at timestamptz not null default clock_timestamp(),
  settled_at timestamptz,
  touched_at timestamptz not null default clock_timestamp(),
  primary key (tenant_id, id),
  unique (tenant_id, endpoint_id, event_id),
  foreign key (tenant_id, endpoint_id) references webhook_endpoints (tenant_id, id)
) with (fillfactor = 70);
create index webhook_deliveries_due on webhook_deliveries (endpoint_id, next_attempt_at) where state = 'pending';
create index webhook_deliveries_in_order on webhook_deliveries (endpoint_id, credit_report_id, place_xact_id, place_event)
  where state = 'pending' and credit_report_id is not null;
create index webhook_deliveries_of_endpoint on webhook_deliveries (tenant_id, endpoint_id, id);
create index webhook_deliveries_by_age on webhook_deliveries (touched_at);

create table webhook_attempts (
  tenant_id uuid not null,
  delivery_id uuid not null,
  id uuid not null,
  started_at timestamptz not null,
  time_taken_ms integer not null,
  -- Null where there was no answer.
  status smallint,
  sealed_answer bytea,
  error text,
  primary key (tenant_id, delivery_id, id),
  foreign key (tenant_id, delivery_id) references webhook_deliveries (tenant_id, id) on delete cascade
);

-- How far events have been handed out to endpoints: one row. It moves in the transaction that inserts the deliveries.
create table webhook_fanout (
  id smallint primary key check (id = 1),
  xact_id xid8 not null,
  event bigint not null
);
insert into webhook_fanout (id, xact_id, event) values (1, pg_snapshot_xmin(pg_current_snapshot()), 0);

do $$
declare tenant_table text;
begin
  foreach tenant_table in array array['webhook_endpoints', 'webhook_deliveries', 'webhook_attempts'] loop
    execute format('alter table %I enable row level security, force row level security', tenant_table);
    execute format('create policy tenants_of_the_transaction on %I to trefoil_app
      using ((select current_tenants()) @> array[tenant_id])
      with check ((select current_tenants()) @> array[tenant_id])', tenant_table);
  end loop;
end $$;
-- Jobs hand events out, claim deliveries and delete by age for all tenants. Attempts go with their deliveries: the system role
-- sees none.
create policy system_access on webhook_endpoints to trefoil_system using (true) with check (true);
create policy system_access on webhook_deliveries to trefoil_system using (true) with check (true);

grant select, insert, update on webhook_endpoints, webhook_deliveries to trefoil_app;
grant select, insert on webhook_attempts to trefoil_app;
-- The columns that may be updated are also what lets a claim lock the row.
grant select, delete, update (replay_since, replay_xact_id, replay_event) on webhook_endpoints to trefoil_system;
grant select, insert, update, delete on webhook_deliveries to trefoil_system;
grant select, update on webhook_fanout to trefoil_system;

-- A worker of the previous release puts a mail of the new kind off and counts a failed job.
alter table mails drop constraint mails_kind_check;
alter table mails add constraint mails_kind_check check (kind in (
  'invitation', 'password-reset', 'password-changed', 'factor-changed', 'credential-named', 'credential-proof',
  'factors-guessed', 'wallet-low', 'webhook-disabled'));
