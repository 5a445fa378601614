-- Deletion that keeps up, and caps per tenant and number (docs/decisions/0142, 0035). Indexes of large tables are in the
-- next file, which runs outside a transaction.

set local lock_timeout = '3s';
set local statement_timeout = '60s';

-- What one tenant did with one number in the last day. The row of `mobile_uses` counts the same over all tenants.
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
-- The system role deletes rows by their age and sees nothing else of them.
create policy system_access on tenant_mobile_uses to trefoil_system using (true) with check (true);
grant select, insert, update on tenant_mobile_uses to trefoil_app;
grant select (last_used_at), delete on tenant_mobile_uses to trefoil_system;

-- A batch names its rows by where they lie: the keys of these tables are hashes that the system role may not read.
grant select (ctid) on idempotency_keys, mobile_uses, tenant_mobile_uses, device_sessions, sightings to trefoil_system;

-- Small tables: a plain build takes no time.
create index mails_over on mails (coalesce(sent_at, given_up_at));
create index invitations_over on invitations (coalesce(accepted_at, revoked_at, expires_at)) where email <> '';
