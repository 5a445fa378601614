-- What lists of reports say (docs/decisions/0230): where a report was requested, and how many there are of each status.

set local lock_timeout = '3s';
set local statement_timeout = '60s';

-- A constant default: no row is rewritten. Servers of the previous release have no console, so their reports are from the API.
alter table credit_reports add column source text not null default 'api';
alter table credit_reports add constraint credit_reports_source_check check (source in ('api', 'console')) not valid;

-- The counts of a run of reports, in the order of their ids, once none of them can change its status any more. A job adds a row
-- for each 2,000 reports of a tenant; a request adds up the rows and counts the newest reports itself.
create table report_tallies (
  tenant_id uuid not null references tenants (id),
  first_id uuid not null,
  last_id uuid not null,
  -- Of their creation, by the database's clock. The ids are by the clock of a node and only nearly in this order.
  earliest_at timestamptz not null,
  latest_at timestamptz not null,
  live_complete integer not null,
  live_blocked integer not null,
  live_failed integer not null,
  test_complete integer not null,
  test_blocked integer not null,
  test_failed integer not null,
  primary key (tenant_id, first_id)
);
alter table report_tallies enable row level security, force row level security;
create policy tenants_of_the_transaction on report_tallies to trefoil_app
  using ((select current_tenants()) @> array[tenant_id])
  with check ((select current_tenants()) @> array[tenant_id]);
-- The job counts the reports of all tenants.
create policy system_access on report_tallies to trefoil_system using (true) with check (true);
grant select on report_tallies to trefoil_app;
grant select, insert on report_tallies to trefoil_system;
