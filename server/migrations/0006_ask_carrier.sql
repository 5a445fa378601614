-- Status queries to the carrier about messages without a final status (docs/decisions/0051): how many there were, and when
-- the next is due. `infinity` means that the carrier has answered the last query about the message. On a big table the operator
-- runs the statement that adds the columns by hand and then, outside a transaction,
--   create index concurrently sms_sends_to_ask on sms_sends (next_ask_at) where state = 'submitted' and carrier_ref is not null;
-- The migration then finds both and does not repeat them.

set local lock_timeout = '3s';
set local statement_timeout = '60s';

-- PostgreSQL computes the default once for all existing rows, so it does not rewrite the table. These rows are due soon after
-- the migration. Servers of the previous release insert rows without these columns and get the same default.
alter table sms_sends
  add column if not exists asked_count smallint not null default 0,
  add column if not exists next_ask_at timestamptz not null default now() + interval '10 minutes';
create index if not exists sms_sends_to_ask on sms_sends (next_ask_at) where state = 'submitted' and carrier_ref is not null;

-- The system role claims due messages of all tenants. It still cannot change their state or move credits.
grant update (asked_count, next_ask_at) on sms_sends to trefoil_system;
