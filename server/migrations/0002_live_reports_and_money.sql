-- Live reports and money: the wallet's journal and holds, prices, messages and their receipts, the outbox and the
-- audit chain. The rules of the journal are in docs/decisions/0050 to 0055 and 0124.

-- A tenant's settings for its messages and reports.
alter table tenants
  add column retention_days smallint not null default 30 check (retention_days between 0 and 90),
  add column sms_countries text[] not null default '{GB}',
  add column sms_daily_credits bigint check (sms_daily_credits >= 0),
  add column otp_host text check (otp_host ~ '^[a-z0-9.-]{1,60}$');

-- Counted under the wallet's lock, so that numbers in the journal have no gaps and the day's messages are counted exactly.
alter table wallets
  add column last_seq bigint not null default 0,
  add column sms_day date,
  add column sms_day_credits bigint not null default 0;

create table list_prices (
  item text not null check (item in ('report', 'bureau', 'sms')),
  effective_from timestamptz not null,
  credits bigint not null check (credits between 0 and 1000000000),
  primary key (item, effective_from)
);
insert into list_prices (item, effective_from, credits) values
  ('report', '2000-01-01Z', 200), ('bureau', '2000-01-01Z', 600), ('sms', '2000-01-01Z', 40);

create table tenant_prices (
  tenant_id uuid not null references tenants (id),
  item text not null check (item in ('report', 'bureau', 'sms')),
  effective_from timestamptz not null,
  -- Null: from then on the list price applies again.
  credits bigint check (credits between 0 and 1000000000),
  primary key (tenant_id, item, effective_from)
);

create table holds (
  tenant_id uuid not null references wallets (tenant_id),
  kind text not null check (kind in ('report', 'sms')),
  -- The id of the report or of the message.
  source_id uuid not null,
  amount bigint not null check (amount >= 0),
  -- The price of one bureau when the hold was made. A bureau that does not answer reduces the charge by this much.
  per_bureau bigint check ((per_bureau is not null) = (kind = 'report')),
  captured_amount bigint not null default 0 check (captured_amount between 0 and amount),
  state text not null default 'open' check (state in ('open', 'captured', 'voided')),
  expires_at timestamptz not null,
  primary key (tenant_id, kind, source_id)
) with (fillfactor = 70);
create index holds_open on holds (expires_at) where state = 'open';

create table ledger_txs (
  tenant_id uuid not null references wallets (tenant_id),
  seq bigint not null check (seq > 0),
  kind text not null check (kind in ('top-up', 'adjust', 'report-charge', 'report-refund', 'sms-charge', 'sms-writeoff')),
  source_id uuid not null,
  credit_report_id uuid,
  -- The line that a refund reverses.
  reverses_seq bigint check ((reverses_seq is not null) = (kind = 'report-refund')),
  balance_after bigint not null check (balance_after >= 0),
  -- The operator's reason or reference. It must not contain data of a consumer.
  note text check (length(note) between 1 and 500),
  created_at timestamptz not null default clock_timestamp(),
  primary key (tenant_id, seq),
  -- At most one effect per source.
  unique (tenant_id, kind, source_id),
  foreign key (tenant_id, reverses_seq) references ledger_txs (tenant_id, seq)
);
-- Lines are added in the order of time, so the statement of a month reads only the index pages of that month.
create index ledger_txs_by_time on ledger_txs using brin (created_at);

create table ledger_entries (
  tenant_id uuid not null,
  seq bigint not null,
  account text not null check (account in ('wallet', 'funding', 'revenue:report', 'revenue:sms', 'writeoff', 'adjust')),
  amount bigint not null,
  primary key (tenant_id, seq, account),
  foreign key (tenant_id, seq) references ledger_txs (tenant_id, seq)
);

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name using errcode = 'P0001';
end $$;
create function refuse_unbalanced() returns trigger language plpgsql as $$
begin
  if exists (select from added group by tenant_id, seq having sum(amount) <> 0) then
    raise exception 'the entries of a ledger transaction do not sum to zero' using errcode = 'P0001';
  end if;
  return null;
end $$;
create trigger ledger_txs_append_only before update or delete or truncate on ledger_txs
  for each statement execute function refuse_change();
create trigger ledger_entries_append_only before update or delete or truncate on ledger_entries
  for each statement execute function refuse_change();
create trigger ledger_entries_balanced after insert on ledger_entries
  referencing new table as added for each statement execute function refuse_unbalanced();

-- Live reports: which worker has the lease (its fence), and the outcome.
alter table credit_reports
  add column fence integer not null default 0,
  -- Created with the report: the hold of the first message is keyed by this id, before any provider is asked.
  add column first_send_id uuid,
  add column failure text check (failure in ('screening-unavailable', 'device-not-verified', 'not-deliverable',
                                             'no-bureau-answered', 'interrupted', 'attempts-used', 'expired')),
  -- The result of each bureau. json, not jsonb, so that a replay equals the first answer exactly.
  add column bureau_results json,
  add column settled_at timestamptz,
  add column purged_at timestamptz;
-- Encrypted bytes do not compress, so PostgreSQL should not try.
alter table credit_reports alter column sealed_request set storage external, alter column sealed_report set storage external;
alter table credit_reports set (fillfactor = 60);
create index credit_reports_to_purge on credit_reports (created_at) where purged_at is null;

alter table challenges
  add column completing_send_id uuid,
  -- When a job must act on a live challenge: its five minutes are over, or the worker that fetches has died. Null once it ended.
  add column due_at timestamptz;
create index challenges_due on challenges (due_at) where due_at is not null;

create table sms_sends (
  tenant_id uuid not null,
  id uuid not null,
  credit_report_id uuid not null,
  challenge_id uuid not null,
  state text not null default 'queued'
    check (state in ('queued', 'submitted', 'delivered', 'undelivered', 'refused', 'silent')),
  carrier_ref text check (length(carrier_ref) <= 100),
  -- Its code is valid for five minutes from this time.
  sent_at timestamptz not null default clock_timestamp(),
  submitted_at timestamptz,
  settled_at timestamptz,
  primary key (tenant_id, id),
  foreign key (tenant_id, credit_report_id, challenge_id) references challenges (tenant_id, credit_report_id, id)
);
create index sms_sends_by_challenge on sms_sends (tenant_id, credit_report_id, challenge_id);
create index sms_sends_unsettled on sms_sends (sent_at) where state in ('queued', 'submitted');

-- Receipts are stored before they are applied, so a repeated receipt is detected here and has no effect.
create table sms_receipts (
  tenant_id uuid not null,
  carrier text not null,
  carrier_ref text not null check (length(carrier_ref) <= 100),
  status text not null check (status in ('sent', 'delivered', 'undelivered')),
  send_id uuid not null,
  received_at timestamptz not null default clock_timestamp(),
  primary key (tenant_id, carrier, carrier_ref, status),
  foreign key (tenant_id, send_id) references sms_sends (tenant_id, id)
);
create index sms_receipts_by_send on sms_receipts (tenant_id, send_id);

-- The uses of a number by all tenants within the last day. Only a keyed hash of the number is stored (docs/decisions/0035).
create table mobile_uses (
  number_hash bytea primary key check (octet_length(number_hash) = 32),
  challenged_at timestamptz[] not null default '{}',
  messaged_at timestamptz[] not null default '{}',
  mistaken_at timestamptz[] not null default '{}',
  last_used_at timestamptz not null default clock_timestamp()
);
create index mobile_uses_by_age on mobile_uses (last_used_at);

-- The first use of a device session binds it to one tenant and one person. Only keyed hashes are stored.
create table device_sessions (
  session_hash bytea primary key check (octet_length(session_hash) = 32),
  bound_to bytea not null check (octet_length(bound_to) = 32),
  bound_at timestamptz not null default clock_timestamp()
);
create index device_sessions_by_age on device_sessions (bound_at);

-- Events without contents, for later readers. The ids do not give the order of commits: a reader takes the rows whose
-- transaction is older than every running transaction, in the order of (xact_id, id).
-- Neither the outbox nor the audit log has a foreign key to its tenant: tenants are never deleted, and PostgreSQL would
-- check the key for every row of the busiest transactions.
create table outbox (
  tenant_id uuid not null,
  id bigint generated always as identity,
  xact_id xid8 not null default pg_current_xact_id(),
  type text not null,
  subject_id uuid not null,
  credit_report_id uuid,
  created_at timestamptz not null default clock_timestamp(),
  primary key (tenant_id, id)
);

-- Each row's hash covers the row and the hash of the row before it. The head stores the end of the chain.
create table audit_log (
  tenant_id uuid not null,
  seq bigint not null check (seq > 0),
  actor text not null,
  action text not null,
  subject_id uuid not null,
  details json not null,
  occurred_at timestamptz not null,
  hash bytea not null check (octet_length(hash) = 32),
  primary key (tenant_id, seq)
);
create table audit_heads (
  tenant_id uuid primary key references tenants (id),
  seq bigint not null default 0,
  hash bytea not null default '\x0000000000000000000000000000000000000000000000000000000000000000'
);
create trigger audit_log_append_only before update or delete or truncate on audit_log
  for each statement execute function refuse_change();

-- Settling a report answers the keys that wait for it.
create index idempotency_keys_by_report on idempotency_keys (tenant_id, credit_report_id)
  where credit_report_id is not null;

-- The row-level security of old and new tables, written so that the planner cannot use an index for it. With
-- `tenant_id = any (…)` the planner used this condition for the index scan and read all rows of a tenant to find one by key.
do $$
declare tenant_table text;
begin
  foreach tenant_table in array array['memberships', 'credentials', 'credential_secrets', 'wallets', 'credit_reports',
      'data_keys', 'challenges', 'idempotency_keys'] loop
    execute format('drop policy tenants_of_the_transaction on %I', tenant_table);
  end loop;
  foreach tenant_table in array array['tenant_prices', 'holds', 'ledger_txs', 'ledger_entries', 'sms_sends',
      'sms_receipts', 'outbox', 'audit_log', 'audit_heads'] loop
    execute format('alter table %I enable row level security, force row level security', tenant_table);
  end loop;
  foreach tenant_table in array array['memberships', 'credentials', 'credential_secrets', 'wallets', 'credit_reports',
      'data_keys', 'challenges', 'idempotency_keys', 'tenant_prices', 'holds', 'ledger_txs', 'ledger_entries',
      'sms_sends', 'sms_receipts', 'outbox', 'audit_log', 'audit_heads'] loop
    execute format('create policy tenants_of_the_transaction on %I to trefoil_app
      using ((select current_tenants()) @> array[tenant_id])
      with check ((select current_tenants()) @> array[tenant_id])', tenant_table);
  end loop;
end $$;

grant select on list_prices, tenant_prices to trefoil_app;
grant update (balance, held, last_seq, sms_day, sms_day_credits) on wallets to trefoil_app;
grant select, insert on ledger_txs, ledger_entries, audit_log, outbox, sms_receipts, device_sessions to trefoil_app;
grant select, insert, update (state, captured_amount) on holds to trefoil_app;
grant select, insert, update on sms_sends, mobile_uses, audit_heads to trefoil_app;

-- The system role finds work and reconciles the ledger. It cannot move credits or open a report. Of reports, keys and
-- challenges it may read only columns without personal or sealed data.
do $$
declare named_table text;
begin
  foreach named_table in array array['credit_reports', 'data_keys', 'challenges', 'idempotency_keys', 'tenant_prices',
      'holds', 'ledger_txs', 'ledger_entries', 'sms_sends', 'sms_receipts', 'outbox', 'audit_log', 'audit_heads'] loop
    execute format('create policy system_access on %I to trefoil_system using (true) with check (true)', named_table);
  end loop;
end $$;
grant select on holds, ledger_txs, ledger_entries, sms_sends, sms_receipts, outbox, audit_log, audit_heads to trefoil_system;
grant select, insert on list_prices, tenant_prices to trefoil_system;
grant select (tenant_id, id, is_test, status, fence, failure, bureau_results, created_at, settled_at, purged_at),
  update (sealed_request, sealed_report, purged_at) on credit_reports to trefoil_system;
grant select (tenant_id, credit_report_id), delete on data_keys to trefoil_system;
grant select (tenant_id, credit_report_id, id, due_at) on challenges to trefoil_system;
grant select (tenant_id, created_at), delete on idempotency_keys to trefoil_system;
grant select (last_used_at), delete on mobile_uses to trefoil_system;
grant select (bound_at), delete on device_sessions to trefoil_system;
grant delete on sms_receipts to trefoil_system;
