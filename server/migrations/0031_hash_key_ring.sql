-- The hash key as a ring (docs/decisions/0260): which key a code and a recovery code are under, and which rings processes use.

set local lock_timeout = '3s';
set local statement_timeout = '60s';

-- The hash keys of each process, by their fingerprints, the first key of its ring first. A process whose ring has no key in
-- common with one of the last day does not start: it would not find that day's idempotency keys. It names no tenant.
create table hash_rings (
  process_id uuid primary key,
  fingerprints text[] not null,
  began_at timestamptz not null default clock_timestamp(),
  seen_at timestamptz not null default clock_timestamp(),
  -- Null while the process runs, and if it was killed.
  stopped_at timestamptz
);
grant select, insert, update, delete on hash_rings to trefoil_system;

-- The fingerprint of the hash key; null in rows of the previous release, which had one key. The busy table comes last: nothing
-- waits while its lock is held.
alter table user_recovery_codes add column key_id text;
alter table sms_sends add column code_key_id text;
