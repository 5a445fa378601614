-- no transaction
-- The two orders in which the outbox is read: over all tenants, and for one tenant (docs/decisions/0198); and test challenges
-- that are due. Each statement runs alone, so the file can be run again after a failure.

-- A build waits for transactions that began before it and keeps nobody waiting, so it may wait as long as it must.
set lock_timeout = 0;

drop index concurrently if exists outbox_in_order;
create index concurrently outbox_in_order on outbox (xact_id, id);

drop index concurrently if exists challenges_test_due;
create index concurrently challenges_test_due on challenges (test_due_at) where test_due_at is not null;

-- It replaces the key by (tenant_id, id), which no query uses: a row then has two indexes instead of three.
drop index concurrently if exists outbox_of_tenant_in_order;
create unique index concurrently outbox_of_tenant_in_order on outbox (tenant_id, xact_id, id);
set lock_timeout = '3s';
alter table outbox drop constraint outbox_pkey,
  add constraint outbox_pkey primary key using index outbox_of_tenant_in_order;

reset lock_timeout;
