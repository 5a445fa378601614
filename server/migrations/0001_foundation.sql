-- The foundation: roles, tenants and people, credentials, wallets, reports and their challenges, idempotency keys.
-- Every tenant table has the tenant first in its key and row-level security forced (docs/decisions/0105, 0106).

-- Roles belong to the whole PostgreSQL server, so the migrations of another database may have created them.
do $$ begin
  create role trefoil_app login nosuperuser nocreatedb nocreaterole nobypassrls;
exception when duplicate_object or unique_violation then null; end $$;
do $$ begin
  create role trefoil_system login nosuperuser nocreatedb nocreaterole nobypassrls;
exception when duplicate_object or unique_violation then null; end $$;

-- The tenants that this transaction may see. It is a set, because one transaction may write for several tenants.
-- After its first use in a session, PostgreSQL returns an unset setting as '' and not as null; hence nullif.
create function current_tenants() returns uuid[]
  language sql stable parallel safe
  return nullif(current_setting('trefoil.tenants', true), '')::uuid[];

create table tenants (
  id uuid primary key,
  name text not null check (length(name) between 1 and 200),
  is_enabled boolean not null default true,
  rate_per_second integer check (rate_per_second > 0),
  rate_burst integer check (rate_burst > 0),
  created_at timestamptz not null default now()
);

create table users (
  id uuid primary key,
  email text not null check (email = lower(email)),
  first_name text not null,
  last_name text not null,
  totp_enabled boolean not null default false,
  is_enabled boolean not null default true,
  selected_tenant_id uuid references tenants (id),
  created_at timestamptz not null default now(),
  unique (email)
);

-- The same table as in contract/src/scopes.ts; a test compares the two.
create table roles (
  name text primary key,
  scopes text[] not null
);
insert into roles (name, scopes) values
  ('owner', '{reports:write,reports:read,wallet:read,wallet:write,credentials:write,webhooks:write,events:read,members:write,audit:read}'),
  ('admin', '{reports:write,reports:read,wallet:read,credentials:write,webhooks:write,events:read,members:write,audit:read}'),
  ('finance', '{wallet:read,wallet:write,reports:read,audit:read}'),
  ('developer', '{reports:write,reports:read,credentials:write,webhooks:write,events:read,wallet:read}'),
  ('analyst', '{reports:read,wallet:read}');

create table memberships (
  tenant_id uuid not null references tenants (id),
  user_id uuid not null references users (id),
  role text not null references roles (name),
  created_at timestamptz not null default now(),
  primary key (tenant_id, user_id)
);
create index memberships_by_user on memberships (user_id);

create table credentials (
  tenant_id uuid not null references tenants (id),
  id uuid not null,
  name text not null check (length(name) between 1 and 200),
  -- The accountable person must be a member of the same tenant (docs/decisions/0026).
  owner_user_id uuid not null,
  auth_method text not null check (auth_method in ('client_secret', 'private_key_jwt')),
  scopes text[] not null check (cardinality(scopes) > 0),
  public_keys jsonb check ((public_keys is not null) = (auth_method = 'private_key_jwt')),
  is_enabled boolean not null default true,
  created_at timestamptz not null default now(),
  primary key (tenant_id, id),
  unique (id),
  foreign key (tenant_id, owner_user_id) references memberships (tenant_id, user_id)
);

create table credential_secrets (
  tenant_id uuid not null,
  credential_id uuid not null,
  id uuid not null,
  -- SHA-256 of a 256-bit random secret. The secret itself is shown once and not stored.
  secret_hash bytea not null check (octet_length(secret_hash) = 32),
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  primary key (tenant_id, credential_id, id),
  foreign key (tenant_id, credential_id) references credentials (tenant_id, id)
);

create table wallets (
  tenant_id uuid primary key references tenants (id),
  balance bigint not null default 0,
  held bigint not null default 0,
  check (held >= 0),
  check (balance - held >= 0)
);

create table credit_reports (
  tenant_id uuid not null references tenants (id),
  id uuid not null,
  is_test boolean not null,
  caller_id uuid not null,
  status text not null
    check (status in ('pending', 'challenged', 'fetching', 'complete', 'failed', 'blocked', 'expired')),
  external_reference_hash bytea,
  sealed_request bytea not null,
  sealed_report bytea,
  created_at timestamptz not null default clock_timestamp(),
  primary key (tenant_id, id)
);
create index credit_reports_by_reference on credit_reports (tenant_id, external_reference_hash)
  where external_reference_hash is not null;

-- One data key per report, in a table of its own: deleting the key's row makes the report permanently unreadable.
create table data_keys (
  tenant_id uuid not null,
  credit_report_id uuid not null,
  ring_key_id text not null,
  wrapped_key bytea not null,
  primary key (tenant_id, credit_report_id),
  foreign key (tenant_id, credit_report_id) references credit_reports (tenant_id, id)
);

create table challenges (
  tenant_id uuid not null,
  credit_report_id uuid not null,
  id uuid not null,
  attempts_used smallint not null default 0 check (attempts_used between 0 and 3),
  sms_sent_count smallint not null default 1 check (sms_sent_count between 1 and 3),
  last_sent_at timestamptz not null default clock_timestamp(),
  completed_at timestamptz,
  late_attempts smallint not null default 0,
  primary key (tenant_id, credit_report_id, id),
  foreign key (tenant_id, credit_report_id) references credit_reports (tenant_id, id)
);

-- A stored answer is a reference without personal data. A replay renders the report again from its sealed body.
create table idempotency_keys (
  tenant_id uuid not null references tenants (id),
  caller_id uuid not null,
  route text not null,
  key_hash bytea not null,
  fingerprint bytea not null,
  credit_report_id uuid,
  -- Not jsonb, which would reorder the fields: a replay must equal the first answer exactly.
  answer json,
  created_at timestamptz not null default clock_timestamp(),
  primary key (tenant_id, caller_id, route, key_hash)
);
create index idempotency_keys_by_age on idempotency_keys (created_at);

-- What the OAuth library stores between requests, such as the ids of used client assertions.
create table oidc_payloads (
  model text not null,
  id text not null,
  payload jsonb not null,
  expires_at timestamptz,
  primary key (model, id)
);
create index oidc_payloads_by_expiry on oidc_payloads (expires_at);

-- Row-level security: the app role sees only the tenants of its transaction. The catalogue test in server/test/ fails
-- when a table with a tenant_id lacks a part of this.
do $$
declare tenant_table text;
begin
  foreach tenant_table in array array['memberships', 'credentials', 'credential_secrets', 'wallets', 'credit_reports',
      'data_keys', 'challenges', 'idempotency_keys'] loop
    execute format('alter table %I enable row level security, force row level security', tenant_table);
    execute format('create policy tenants_of_the_transaction on %I to trefoil_app
      using (tenant_id = any ((select current_tenants())::uuid[]))
      with check (tenant_id = any ((select current_tenants())::uuid[]))', tenant_table);
  end loop;
end $$;
alter table tenants enable row level security, force row level security;
create policy tenants_of_the_transaction on tenants to trefoil_app
  using (id = any ((select current_tenants())::uuid[]));
-- A person is visible through their membership in a visible tenant.
alter table users enable row level security, force row level security;
create policy members_of_the_transaction on users to trefoil_app
  using (exists (select from memberships where memberships.user_id = users.id));

grant usage on schema public to trefoil_app, trefoil_system;
grant select on roles to trefoil_app, trefoil_system;
grant select on tenants, users, memberships, wallets to trefoil_app;
grant select, insert on data_keys to trefoil_app;
grant select, insert, update on credit_reports, challenges to trefoil_app;
grant select, insert, update, delete on idempotency_keys to trefoil_app;

-- The system role looks up clients and serves the operator's command line. It has no access to reports, keys and challenges.
do $$
declare named_table text;
begin
  foreach named_table in array array['tenants', 'users', 'memberships', 'credentials', 'credential_secrets', 'wallets'] loop
    execute format('create policy system_access on %I to trefoil_system using (true) with check (true)', named_table);
  end loop;
end $$;
grant select, insert, update on tenants, users, memberships, credentials, credential_secrets to trefoil_system;
grant select, insert on wallets to trefoil_system;
grant select, insert, update, delete on oidc_payloads to trefoil_system;
