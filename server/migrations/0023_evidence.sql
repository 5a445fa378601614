-- Signed statements about complete reports (docs/decisions/0220, 0221). A statement holds ids, times, outcomes of bureaus and
-- salted digests, and nothing about the person: it outlives the report.

set local lock_timeout = '3s';
set local statement_timeout = '60s';

create table evidences (
  tenant_id uuid not null,
  id uuid not null,
  credit_report_id uuid not null,
  -- The exact text that was signed.
  statement text not null,
  statement_sha256 bytea not null check (statement_sha256 = sha256(convert_to(statement, 'UTF8'))),
  kid text not null,
  signature bytea not null check (octet_length(signature) = 64),
  -- Digests of the PDFs that were handed out: whoever holds one can ask whether we issued it.
  document_digests bytea[] not null default '{}',
  issued_at timestamptz not null,
  primary key (tenant_id, id),
  unique (id),
  -- Signed once: of two nodes that sign at the same time, one gets the statement of the other.
  unique (tenant_id, credit_report_id),
  foreign key (tenant_id, credit_report_id) references credit_reports (tenant_id, id)
);
create index evidences_by_age on evidences (issued_at);

alter table evidences enable row level security, force row level security;
create policy tenants_of_the_transaction on evidences to trefoil_app
  using ((select current_tenants()) @> array[tenant_id])
  with check ((select current_tenants()) @> array[tenant_id]);
-- The verification page is public and knows only the id; a job deletes by age.
create policy system_access on evidences to trefoil_system using (true) with check (true);

-- A statement is never changed: only digests of documents are added.
grant select, insert, update (document_digests) on evidences to trefoil_app;
grant select, delete on evidences to trefoil_system;
