-- Work under load and failures: receipts that are stored before they are applied, leases that are renewed, and since when
-- each sweeping process has reached the database without interruption (docs/decisions/0139, 0140, 0141, 0143).

-- Null once the receipt is applied. It is also null in older rows, and in rows of nodes that apply a receipt at once.
alter table sms_receipts add column pending_since timestamptz;
create index sms_receipts_pending on sms_receipts (pending_since) where pending_since is not null;
grant update (pending_since) on sms_receipts to trefoil_app;

-- The lease of a pending report is the expiry of its hold.
grant update (expires_at) on holds to trefoil_app;

-- One row for each sweeping process: since when it has reached the database without interruption. Time in which no process
-- could reach the database makes no work overdue (docs/decisions/0045).
create table sweepers (
  id uuid primary key,
  reachable_since timestamptz not null,
  seen_at timestamptz not null default clock_timestamp()
);
grant select, insert, update, delete on sweepers to trefoil_system;

-- False if a process that sweeps now could not reach the database within the last minute. If no process sweeps, the result is
-- true: overdue work is then overdue because no process does it.
create function reachable_for_a_minute() returns boolean
  language sql stable
  return not exists (select from sweepers where seen_at > clock_timestamp() - interval '60 seconds'
                                            and reachable_since > clock_timestamp() - interval '60 seconds');
