-- What each kind of line of a wallet sums up to on each day in London (docs/decisions/0233), and how many events of each type happened
-- (docs/decisions/0234). Jobs count both, so that totals need no walk through millions of rows. A server of the previous release does not know the tables; what it posts is counted later.
-- No foreign keys: a check would lock the wallet's row, which the busiest transactions lock too. Tenants are never deleted.

set local lock_timeout = '3s';
set local statement_timeout = '60s';

create table wallet_days (
  tenant_id uuid not null,
  day date not null,
  kind text not null,
  lines bigint not null check (lines > 0),
  -- Effect on the wallet, in credits.
  amount bigint not null,
  primary key (tenant_id, day, kind)
);

-- Up to which place of its journal each wallet is counted.
create table wallet_rollups (
  tenant_id uuid primary key,
  last_seq bigint not null check (last_seq >= 0)
);

-- Types of events, reasons of failures, and seconds until the right code; live and test apart.
create table usage_days (
  tenant_id uuid not null,
  day date not null,
  is_test boolean not null,
  item text not null,
  count bigint not null check (count > 0),
  -- When the row was made: old rows are deleted by it.
  counted_at timestamptz not null default clock_timestamp(),
  primary key (tenant_id, day, is_test, item)
);
create index usage_days_by_age on usage_days (counted_at);

-- How many live reports asked each bureau in each half hour, and how many got an answer.
create table bureau_slots (
  tenant_id uuid not null,
  slot timestamptz not null,
  bureau text not null,
  asked bigint not null check (asked > 0),
  answered bigint not null check (answered between 0 and asked),
  primary key (tenant_id, slot, bureau)
);
create index bureau_slots_by_age on bureau_slots (slot);

-- Up to which event all tenants are counted: one row. It begins before the oldest event that is kept.
create table usage_place (
  id smallint primary key check (id = 1),
  xact_id xid8 not null,
  event bigint not null
);
insert into usage_place (id, xact_id, event) values (1, '0', 0);

do $$
declare tenant_table text;
begin
  foreach tenant_table in array array['wallet_days', 'wallet_rollups', 'usage_days', 'bureau_slots'] loop
    execute format('alter table %I enable row level security, force row level security', tenant_table);
    execute format('create policy tenants_of_the_transaction on %I to trefoil_app
      using ((select current_tenants()) @> array[tenant_id])
      with check ((select current_tenants()) @> array[tenant_id])', tenant_table);
    -- The job counts the lines of all tenants.
    execute format('create policy system_access on %I to trefoil_system using (true) with check (true)', tenant_table);
  end loop;
end $$;
grant select on wallet_days, wallet_rollups, usage_days, bureau_slots to trefoil_app;
grant select, insert, update on wallet_days, wallet_rollups to trefoil_system;
grant select, insert, update, delete on usage_days, bureau_slots to trefoil_system;
grant select, update on usage_place to trefoil_system;
