-- no transaction
-- Indexes of large tables, built and dropped while the service runs (docs/decisions/0142). Each statement runs alone, so
-- the file can be run again after a failure: what a failed build has left behind is dropped first.

-- A build waits for transactions that began before it and keeps nobody waiting, so it may wait as long as it must.
set lock_timeout = 0;

-- Each tenant's oldest reports that are not erased. Neither column changes when a report is settled, so that settling goes
-- on touching no index.
drop index concurrently if exists credit_reports_kept;
create index concurrently credit_reports_kept on credit_reports (tenant_id, created_at) where purged_at is null;
-- Over all tenants by age: the reports of a tenant that keeps them for long stood in front of all others.
drop index concurrently if exists credit_reports_to_purge;

-- In minutes: the rows of a minute share an entry, and a look-up by subject cannot take this index for its way in. A block
-- range index never forgets the oldest row that a range had, so once deleted space is used again it found every range.
drop index concurrently if exists sightings_by_minute;
create index concurrently sightings_by_minute on sightings (date_bin('1 minute', seen_at, '2000-01-01Z'));
drop index concurrently if exists sightings_by_age;

drop index concurrently if exists sms_receipts_by_age;
create index concurrently sms_receipts_by_age on sms_receipts (received_at);

-- Messages to submit, apart from those that wait for a receipt for up to 72 hours.
drop index concurrently if exists sms_sends_queued;
create index concurrently sms_sends_queued on sms_sends (sent_at) where state = 'queued';

reset lock_timeout;
