-- no transaction
-- What happened last in one mode is found however much happened in the other since (docs/decisions/0234-usage.md,
-- 0230-what-a-list-of-reports-says.md). Each statement runs alone, so the file can be run again after a failure.

-- A build waits for transactions that began before it and keeps nobody waiting, so it may wait as long as it must.
set lock_timeout = 0;

-- The events that a look at the latest shows: one or two of a report, and few of a wallet. The mode comes first: a walk back from the
-- latest ends where the tenant does, and would go on from test mode through all live events.
drop index concurrently if exists outbox_latest;
create index concurrently outbox_latest on outbox (is_test, tenant_id, xact_id, id)
  where type in ('report.completed', 'report.challenged', 'report.blocked', 'report.failed', 'report.expired',
                 'wallet.topped-up', 'wallet.low');

-- Live reports do not write it.
drop index concurrently if exists credit_reports_of_tests;
create index concurrently credit_reports_of_tests on credit_reports (tenant_id, id) where is_test;

reset lock_timeout;
