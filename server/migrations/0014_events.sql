-- Events for readers outside: what the outbox needs to be read in commit order, and when a wallet is low
-- (docs/decisions/0198, 0199). The indexes of large tables are in the next file, which runs outside a transaction.

set local lock_timeout = '3s';
set local statement_timeout = '60s';

-- When a job ends an open challenge of test mode, which has nothing to refund but tells an event. Not `due_at`: a server of the
-- previous release would try to refund it.
alter table challenges add column test_due_at timestamptz;
grant select (test_due_at) on challenges to trefoil_system;

-- Below how many credits a wallet is low. Null: never.
alter table tenants add column low_balance_credits bigint check (low_balance_credits > 0);

alter table wallets
  -- The threshold that the wallet has fallen below and was told for; null when it is not low.
  add column low_credits bigint,
  -- A job writes the mails about it, so that a charge never waits for a look-up of members.
  add column is_low_mail_due boolean not null default false;
create index wallets_low_mail_due on wallets (tenant_id) where is_low_mail_due;
grant update (low_credits, is_low_mail_due) on wallets to trefoil_app;
grant update (is_low_mail_due) on wallets to trefoil_system;

-- A worker of the previous release puts a mail of the new kind off and counts a failed job.
alter table mails drop constraint mails_kind_check;
alter table mails add constraint mails_kind_check check (kind in (
  'invitation', 'password-reset', 'password-changed', 'factor-changed', 'credential-named', 'credential-proof',
  'factors-guessed', 'wallet-low'));

-- Last, because the service's own transactions write the outbox last: the other order could deadlock with them.
-- Null or false in rows that a server of the previous release writes: their events lack these details.
alter table outbox
  add column is_test boolean not null default false,
  add column challenge_id uuid,
  -- Credits: what the report costs, what moved in the wallet, or the threshold of a low wallet.
  add column amount bigint,
  -- Only for a low wallet.
  add column balance bigint;

-- A transaction gets its id at its first write and may wait for a report's lock after that: the ids alone would sort its
-- event before one that was committed while it waited. The second number, the highest id of a transaction that has ended, only
-- rises, and it is read under the lock. The place is never below the transaction's own id, so rows below every running id are
-- complete; and it is never an id that no transaction has yet, so the row can be read without another transaction after it.
alter table outbox alter column xact_id
  set default greatest(pg_current_xact_id(), (pg_snapshot_xmax(pg_current_snapshot())::text::bigint - 1)::text::xid8);
comment on column outbox.xact_id is
  'The place in commit order: the id of the transaction, or the highest id of one that had ended when the row was inserted, whichever is higher.';

-- Events are deleted 30 days after they were written.
grant delete on outbox to trefoil_system;
