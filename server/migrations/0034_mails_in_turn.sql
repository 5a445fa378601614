-- Mails that somebody waits for come before notices, companies take turns, and notices have a budget
-- (docs/decisions/0271-mails-in-turn.md).

set local lock_timeout = '3s';
set local statement_timeout = '60s';

-- A server of the previous release queues everything as a mail that somebody waits for, in one turn.
alter table mails
  add column is_notice boolean not null default false,
  -- The company that it is sent for; all mails that are sent for none share a turn.
  add column turn uuid not null default '00000000-0000-0000-0000-000000000000';

-- One row for each notice of a day, and one with the sum of the day's mails, whose subject is all zeros.
create table mail_notices (
  tenant_id uuid not null references tenants (id),
  day date not null,
  kind text not null,
  subject_id uuid not null,
  mails integer not null,
  noted_at timestamptz not null default clock_timestamp(),
  primary key (tenant_id, day, kind, subject_id)
);
create index mail_notices_by_age on mail_notices (noted_at);

alter table mail_notices enable row level security, force row level security;
create policy tenants_of_the_transaction on mail_notices to trefoil_app
  using ((select current_tenants()) @> array[tenant_id])
  with check ((select current_tenants()) @> array[tenant_id]);
create policy system_access on mail_notices to trefoil_system using (true) with check (true);
grant select, insert, update (mails) on mail_notices to trefoil_app;
grant select, insert, update (mails), delete on mail_notices to trefoil_system;
