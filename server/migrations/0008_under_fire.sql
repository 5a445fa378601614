-- Under fire: receipts that are stored before they are applied, leases that are renewed, and how long the processes that
-- sweep have seen the database (docs/decisions/0139, 0140, 0141, 0143).

-- Null once it is applied; rows of before, and of nodes that apply at once, are.
alter table sms_receipts add column pending_since timestamptz;
create index sms_receipts_pending on sms_receipts (pending_since) where pending_since is not null;
grant update (pending_since) on sms_receipts to trefoil_app;

-- The lease of a pending report is its hold's.
grant update (expires_at) on holds to trefoil_app;

-- One row for each process that sweeps: since when it has seen the database without a break. Nothing is overdue because of
-- a time in which nobody could reach the database (docs/decisions/0045).
create table sweepers (
  id uuid primary key,
  reachable_since timestamptz not null,
  seen_at timestamptz not null default clock_timestamp()
);
grant select, insert, update, delete on sweepers to trefoil_system;

-- True unless a process that sweeps now has lost sight of the database within the last minute. Where none sweeps, what is
-- overdue is overdue for want of one.
create function reachable_for_a_minute() returns boolean
  language sql stable
  return not exists (select from sweepers where seen_at > clock_timestamp() - interval '60 seconds'
                                            and reachable_since > clock_timestamp() - interval '60 seconds');
