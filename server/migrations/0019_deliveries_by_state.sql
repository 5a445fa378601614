-- no transaction
-- Deliveries of an endpoint are listed by their state (docs/decisions/0213-deliveries-found-by-what-waits.md): with the state in the index, a page of a rare state
-- does not walk through all others. Each statement runs alone, so the file can be run again after a failure.

-- A build waits for transactions that began before it and keeps nobody waiting, so it may wait as long as it must.
set lock_timeout = 0;

drop index concurrently if exists webhook_deliveries_by_state;
create index concurrently webhook_deliveries_by_state on webhook_deliveries (tenant_id, endpoint_id, state, id);

-- It replaces the index without the state: a row has as many indexes as before. A server of the previous release sorts the
-- deliveries of an endpoint for each page, until it is replaced.
drop index concurrently if exists webhook_deliveries_of_endpoint;

reset lock_timeout;
