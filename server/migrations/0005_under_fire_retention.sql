-- Deletion by age that keeps up with the load, and caps per tenant and number (docs/decisions/0142, 0035). A later file
-- without a transaction creates the indexes of large tables.

set local lock_timeout = '3s';
set local statement_timeout = '60s';

-- The uses of one number by one tenant within the last day. The row in `mobile_uses` counts the uses by all tenants.
create table tenant_mobile_uses (
  tenant_id uuid not null references tenants (id),
  number_hash bytea not null check (octet_length(number_hash) = 32),
  challenged_at timestamptz[] not null default '{}',
  messaged_at timestamptz[] not null default '{}',
  mistaken_at timestamptz[] not null default '{}',
  last_used_at timestamptz not null default clock_timestamp(),
  primary key (tenant_id, number_hash)
);
create index tenant_mobile_uses_by_age on tenant_mobile_uses (last_used_at);

alter table tenant_mobile_uses enable row level security, force row level security;
create policy tenants_of_the_transaction on tenant_mobile_uses to trefoil_app
  using ((select current_tenants()) @> array[tenant_id])
  with check ((select current_tenants()) @> array[tenant_id]);
-- The system role deletes rows by age and can read no other column of them.
create policy system_access on tenant_mobile_uses to trefoil_system using (true) with check (true);
grant select, insert, update on tenant_mobile_uses to trefoil_app;
grant select (last_used_at), delete on tenant_mobile_uses to trefoil_system;

-- A batch identifies its rows by ctid: the keys of these tables are hashes, which the system role may not read.
grant select (ctid) on idempotency_keys, mobile_uses, tenant_mobile_uses, device_sessions, sightings to trefoil_system;

-- These tables are small, so a plain index build is quick.
create index mails_over on mails (coalesce(sent_at, given_up_at));
create index invitations_over on invitations (coalesce(accepted_at, revoked_at, expires_at)) where email <> '';
