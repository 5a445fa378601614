-- A person's rights (docs/decisions/0261, 0262): reports are found by a keyed hash of the person, and every erasure leaves a
-- row with ids, counts and times. Servers of the previous release know none of this and are not in its way.

set local lock_timeout = '3s';
set local statement_timeout = '60s';

-- Keyed hashes of name, birth date and postcode: some for each report, made after it has ended. They go with the report's data
-- key, whatever deletes that: no hash of a person outlives what it leads to.
create table subject_hashes (
  tenant_id uuid not null,
  credit_report_id uuid not null,
  subject_hash bytea not null check (octet_length(subject_hash) = 16),
  -- The fingerprint of the hash key. A hash under a key that no ring has any more finds nothing and is made anew.
  key_id text not null,
  primary key (tenant_id, credit_report_id, subject_hash),
  foreign key (tenant_id, credit_report_id) references data_keys (tenant_id, credit_report_id) on delete cascade
);
create index subject_hashes_by_hash on subject_hashes (tenant_id, subject_hash);

-- Up to where all reports of a tenant have their hashes, and under which keys. Without a row none has.
create table subject_marks (
  tenant_id uuid primary key references tenants (id),
  up_to uuid not null,
  key_ids text[] not null
);

-- What was erased, so that it can be erased again after a backup from before was restored. Nothing here is about a person.
create table erasures (
  tenant_id uuid not null references tenants (id),
  id uuid not null,
  credit_report_ids uuid[] not null,
  -- A caller's id, or `operator`.
  actor text not null,
  counts json not null,
  began_at timestamptz not null default clock_timestamp(),
  -- The exact text that was signed; null until the erasure is finished.
  receipt text,
  kid text,
  signature bytea check (octet_length(signature) = 64),
  finished_at timestamptz,
  primary key (tenant_id, id),
  check ((finished_at is null) = (receipt is null) and (receipt is null) = (kid is null)
         and (receipt is null) = (signature is null))
);
create index erasures_by_age on erasures (began_at);
create index erasures_unfinished on erasures (began_at) where finished_at is null;

do $$
declare tenant_table text;
begin
  foreach tenant_table in array array['subject_hashes', 'subject_marks', 'erasures'] loop
    execute format('alter table %I enable row level security, force row level security', tenant_table);
    execute format('create policy tenants_of_the_transaction on %I to trefoil_app
      using ((select current_tenants()) @> array[tenant_id])
      with check ((select current_tenants()) @> array[tenant_id])', tenant_table);
  end loop;
end $$;
grant select, insert on subject_hashes to trefoil_app;
grant select, insert, update on subject_marks to trefoil_app;
-- What was to be erased never changes; its end is added once.
grant select, insert, update (counts, receipt, kid, signature, finished_at) on erasures to trefoil_app;
-- A job finishes what a crash left and deletes by age; the operator exports the list for all tenants.
create policy system_access on erasures to trefoil_system using (true) with check (true);
grant select, delete on erasures to trefoil_system;

update roles set scopes = scopes || '{subjects:write}'
 where name in ('owner', 'admin') and not scopes @> '{subjects:write}';
