-- A message without a final word is asked about (docs/decisions/0051): how often it was, and when it is due again.
-- `infinity` says that the carrier has answered the last ask before the message is given up. On a big table the operator
-- runs the statement that adds the columns by hand and then, outside a transaction,
--   create index concurrently sms_sends_to_ask on sms_sends (next_ask_at) where state = 'submitted' and carrier_ref is not null;
-- The migration then finds both.

set local lock_timeout = '3s';
set local statement_timeout = '60s';

-- The default is worked out once for the rows that are there, so the table is not rewritten; they are due soon after the
-- migration. Servers of the release before insert without these columns and get the same default.
alter table sms_sends
  add column if not exists asked_count smallint not null default 0,
  add column if not exists next_ask_at timestamptz not null default now() + interval '10 minutes';
create index if not exists sms_sends_to_ask on sms_sends (next_ask_at) where state = 'submitted' and carrier_ref is not null;

-- The system role takes due messages of all tenants; it still changes neither their state nor any money.
grant update (asked_count, next_ask_at) on sms_sends to trefoil_system;
