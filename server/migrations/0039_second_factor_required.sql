-- A company may require a second factor of its people, and the first factor of a person needs a link by mail
-- (docs/decisions/0275-a-password-alone.md). A server of the previous release asks for neither.

set local lock_timeout = '3s';
set local statement_timeout = '60s';

-- Links to set up a first factor. The token in a link is derived from the id and not stored.
create table factor_links (
  id uuid primary key,
  user_id uuid not null references users (id),
  created_at timestamptz not null default clock_timestamp(),
  -- The sign-in in which the link was followed: it alone may add the factor.
  followed_at timestamptz,
  sign_in_id text,
  -- When the factor was added.
  used_at timestamptz,
  check ((followed_at is null) = (sign_in_id is null))
);
create index factor_links_by_user on factor_links (user_id);
create index factor_links_by_age on factor_links (created_at);
-- People belong to no tenant.
grant select, insert, update, delete on factor_links to trefoil_system;

-- A worker of the previous release puts a mail of the new kinds off and counts a failed job.
alter table mails drop constraint mails_kind_check;
alter table mails add constraint mails_kind_check check (kind in (
  'invitation', 'password-reset', 'password-changed', 'factor-changed', 'credential-named', 'credential-proof',
  'factors-guessed', 'wallet-low', 'webhook-disabled', 'factor-link', 'first-factor')) not valid;

-- Last, since everybody reads this table.
-- Off for companies that exist, whose people may have no factor yet. The service turns it on for new ones.
alter table tenants add column require_second_factor boolean not null default false;
grant update (require_second_factor) on tenants to trefoil_app;
