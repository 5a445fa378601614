-- A wallet for test mode, in tables of its own (docs/decisions/0287-money-in-test-mode.md). A server of the previous release does not know
-- them: it charges no test report, and refunds none.

set local lock_timeout = '3s';
set local statement_timeout = '60s';

-- Made by the first request that needs it, which also adds its first line.
create table test_wallets (
  tenant_id uuid primary key references tenants (id),
  balance bigint not null default 0 check (balance >= 0),
  last_seq bigint not null default 0,
  -- As in `wallets`.
  low_credits bigint
);

create table test_wallet_lines (
  tenant_id uuid not null references test_wallets (tenant_id),
  seq bigint not null check (seq > 0),
  kind text not null check (kind in ('top-up', 'adjust', 'report-charge', 'report-refund', 'sms-charge')),
  -- The report or the message; of the other lines an id of their own.
  source_id uuid not null,
  credit_report_id uuid check ((credit_report_id is null) = (kind in ('top-up', 'adjust'))),
  -- The effect on the wallet.
  amount bigint not null check (case when kind = 'adjust' then amount <> 0
                                     when kind in ('top-up', 'report-refund') then amount >= 0
                                     else amount <= 0 end),
  balance_after bigint not null check (balance_after >= 0),
  -- The line that a refund reverses. It may be deleted by age before the refund.
  reverses_seq bigint check ((reverses_seq is not null) = (kind = 'report-refund')),
  -- For how many bureaus a line of a report is, and what each of them cost.
  bureau_count smallint check ((bureau_count is not null) = (kind in ('report-charge', 'report-refund'))),
  per_bureau bigint check ((per_bureau is not null) = (kind = 'report-charge')),
  note text,
  created_at timestamptz not null default clock_timestamp(),
  primary key (tenant_id, seq),
  -- At most one effect per source.
  unique (tenant_id, kind, source_id)
);
create index test_wallet_lines_by_report on test_wallet_lines (tenant_id, credit_report_id)
  where credit_report_id is not null;
create index test_wallet_lines_by_age on test_wallet_lines (created_at);

do $$
declare tenant_table text;
begin
  foreach tenant_table in array array['test_wallets', 'test_wallet_lines'] loop
    execute format('alter table %I enable row level security, force row level security', tenant_table);
    execute format('create policy tenants_of_the_transaction on %I to trefoil_app
      using ((select current_tenants()) @> array[tenant_id])
      with check ((select current_tenants()) @> array[tenant_id])', tenant_table);
  end loop;
end $$;
grant select, insert, update (balance, last_seq, low_credits) on test_wallets to trefoil_app;
grant select, insert on test_wallet_lines to trefoil_app;

-- Lines are deleted by age, for all tenants.
create policy system_access on test_wallet_lines to trefoil_system using (true) with check (true);
grant select (ctid, created_at), delete on test_wallet_lines to trefoil_system;
