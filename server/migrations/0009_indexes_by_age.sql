-- no transaction
-- Creates and drops indexes of large tables while the service runs (docs/decisions/0142). Each statement is its own
-- transaction. The file can run again after a failure, because it first drops what a failed build has left.

-- A concurrent build waits for earlier transactions but blocks none, so it needs no time limit.
set lock_timeout = 0;

-- Finds each tenant's oldest reports that are not erased. Settling a report changes neither column, so it still updates no
-- index.
drop index concurrently if exists credit_reports_kept;
create index concurrently credit_reports_kept on credit_reports (tenant_id, created_at) where purged_at is null;
-- Dropped: it ordered the reports of all tenants by age, so the reports of a tenant with a long retention came before all others.
drop index concurrently if exists credit_reports_to_purge;

-- By minute: the rows of a minute share an index entry, and the planner cannot use this index to look up a subject. A block
-- range index keeps the oldest value that a block range ever had. Once PostgreSQL reuses deleted space, it matches every range.
drop index concurrently if exists sightings_by_minute;
create index concurrently sightings_by_minute on sightings (date_bin('1 minute', seen_at, '2000-01-01Z'));
drop index concurrently if exists sightings_by_age;

drop index concurrently if exists sms_receipts_by_age;
create index concurrently sms_receipts_by_age on sms_receipts (received_at);

-- Messages to submit, without those that wait for a receipt for up to 72 hours.
drop index concurrently if exists sms_sends_queued;
create index concurrently sms_sends_queued on sms_sends (sent_at) where state = 'queued';

reset lock_timeout;
