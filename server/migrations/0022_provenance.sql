-- What each bureau said about each record of a report, sealed and erased with the report (docs/decisions/0219). Null for
-- older reports, for reports that are not complete, and for those that servers of the previous release complete.

set local lock_timeout = '3s';
set local statement_timeout = '60s';

-- Nullable and without a default: no row is rewritten.
alter table credit_reports add column sealed_provenance bytea;
-- Ciphertext does not compress: PostgreSQL need not try.
alter table credit_reports alter column sealed_provenance set storage external;
-- Erasure blanks it without reading it.
grant update (sealed_provenance) on credit_reports to trefoil_system;
