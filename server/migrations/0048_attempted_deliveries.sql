-- no transaction
-- An endpoint that is enabled gives what was attempted all its attempts again (docs/decisions/0290-enabling-costs-what-was-attempted.md):
-- with this index it does not read all that waits. Each statement runs alone, so the file can be run again after a failure.

-- A build waits for transactions that began before it and keeps nobody waiting, so it may wait as long as it must.
set lock_timeout = 0;

drop index concurrently if exists webhook_deliveries_attempted;
create index concurrently webhook_deliveries_attempted on webhook_deliveries (tenant_id, endpoint_id)
  where state = 'pending' and attempts > 0;

reset lock_timeout;
