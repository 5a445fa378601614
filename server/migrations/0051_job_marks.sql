-- When a job was last done and what it found: for `trefoil doctor`, which cannot read the metrics of a worker (docs/decisions/0251).

set local lock_timeout = '3s';
set local statement_timeout = '60s';

create table job_marks (
  name text primary key,
  done_at timestamptz not null default clock_timestamp(),
  -- Breaks of the ledger: the alarm is open until the next run finds none.
  found integer not null default 0
);
grant select, insert, update on job_marks to trefoil_system;
