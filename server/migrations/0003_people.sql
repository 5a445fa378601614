-- People: their factors and sign-ins, applications that sign them in, invitations and mail, and a tenant's settings for its
-- credentials (docs/decisions/0020 to 0027 and 0126 to 0131).

-- Factors have tables of their own: the app role may read people, but no factors.
create table user_passwords (
  user_id uuid primary key references users (id),
  -- argon2id, in the PHC string format.
  hash text not null,
  changed_at timestamptz not null default clock_timestamp()
);

create table user_totps (
  user_id uuid primary key references users (id),
  sealed_secret bytea not null,
  -- When the person entered the first right code; the row exists only from then on.
  confirmed_at timestamptz not null,
  -- The last time step whose code was accepted, so that no code is accepted twice.
  last_step bigint not null default 0
);

create table user_recovery_codes (
  user_id uuid not null references users (id),
  -- A keyed hash; used codes are deleted.
  code_hash bytea not null check (octet_length(code_hash) = 32),
  primary key (user_id, code_hash)
);

create table user_passkeys (
  user_id uuid not null references users (id),
  credential_id bytea not null,
  public_key bytea not null,
  sign_count bigint not null,
  transports text[] not null default '{}',
  name text not null check (length(name) between 1 and 100),
  created_at timestamptz not null default clock_timestamp(),
  last_used_at timestamptz,
  primary key (user_id, credential_id),
  unique (credential_id)
);

-- Wrong attempts at second factors, counted under this row's lock.
create table user_guesses (
  user_id uuid primary key references users (id),
  failures smallint not null default 0,
  since timestamptz not null default clock_timestamp()
);

-- One sign-in of a person, and the state of its refresh tokens. The tokens are derived and not stored (docs/decisions/0127).
create table sign_ins (
  -- The id of the grant in the OAuth library.
  id text primary key,
  user_id uuid not null references users (id),
  client_id text not null,
  scope text not null,
  authenticated_at timestamptz not null,
  second_factor_at timestamptz,
  -- The session of the OAuth library in which it was created. The session ends with the sign-in.
  session_uid text,
  -- The number of the current refresh token, and since when it is current.
  refresh_count integer not null default 0,
  refreshed_at timestamptz not null default clock_timestamp(),
  created_at timestamptz not null default clock_timestamp(),
  ended_at timestamptz
);
create index sign_ins_by_user on sign_ins (user_id) where ended_at is null;
create index sign_ins_by_age on sign_ins (created_at);

-- Applications that sign people in with the authorization code flow.
create table oauth_apps (
  id uuid primary key,
  name text not null check (length(name) between 1 and 100),
  redirect_uris text[] not null check (cardinality(redirect_uris) > 0),
  -- Null: a public client, such as one in a browser or on a phone.
  secret_hash bytea check (octet_length(secret_hash) = 32),
  is_enabled boolean not null default true,
  created_at timestamptz not null default clock_timestamp()
);

-- The id of a session or code gives access to it, so only the hash of the id is stored.
alter table oidc_payloads
  add column uid text,
  add column grant_id text,
  add column consumed_at timestamptz;
create index oidc_payloads_by_uid on oidc_payloads (uid) where uid is not null;
create index oidc_payloads_by_grant on oidc_payloads (grant_id) where grant_id is not null;

create table password_resets (
  id uuid primary key,
  user_id uuid not null references users (id),
  created_at timestamptz not null default clock_timestamp(),
  used_at timestamptz
);
create index password_resets_by_user on password_resets (user_id);

-- The row of an ended membership stays: credentials and the audit log refer to it.
alter table memberships add column removed_at timestamptz;

create table invitations (
  tenant_id uuid not null references tenants (id),
  id uuid not null,
  email text not null check (email = lower(email)),
  role text not null references roles (name),
  invited_by uuid,
  created_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz not null,
  accepted_at timestamptz,
  revoked_at timestamptz,
  -- How often it was mailed, and when last: a tenant must not be able to flood an address with mail.
  sent_count smallint not null default 1,
  sent_at timestamptz not null default clock_timestamp(),
  primary key (tenant_id, id),
  unique (id)
);
create unique index invitations_open on invitations (tenant_id, email) where accepted_at is null and revoked_at is null;

-- Mail to send. The sender derives the links from the subject's id; they are not stored.
create table mails (
  id uuid primary key,
  kind text not null check (kind in ('invitation', 'password-reset', 'password-changed', 'factor-changed')),
  subject_id uuid not null,
  recipient text not null,
  created_at timestamptz not null default clock_timestamp(),
  attempts smallint not null default 0,
  next_try_at timestamptz not null default clock_timestamp(),
  sent_at timestamptz,
  given_up_at timestamptz
);
create index mails_due on mails (next_try_at) where sent_at is null and given_up_at is null;

alter table credentials
  add column is_test_only boolean not null default false,
  -- Null: from any address.
  add column allowed_networks cidr[] check (cardinality(allowed_networks) between 1 and 50),
  add column last_used_at timestamptz;

-- Row-level security for the new tenant table, as for all others.
alter table invitations enable row level security, force row level security;
create policy tenants_of_the_transaction on invitations to trefoil_app
  using ((select current_tenants()) @> array[tenant_id])
  with check ((select current_tenants()) @> array[tenant_id]);
create policy system_access on invitations to trefoil_system using (true) with check (true);

-- The app role manages a tenant's access under row-level security. People, factors and sign-ins belong to no tenant.
grant select, insert, update on invitations, credentials, credential_secrets to trefoil_app;
grant update (role, removed_at) on memberships to trefoil_app;
grant insert on mails to trefoil_app;
grant select, insert, update on invitations to trefoil_system;
grant select, insert, update, delete on user_passwords, user_totps, user_recovery_codes, user_passkeys, user_guesses,
  sign_ins, oauth_apps, password_resets, mails to trefoil_system;

-- A sweep opens the ledger for an abandoned report before it can read the report itself.
grant select (first_send_id) on credit_reports to trefoil_system;
