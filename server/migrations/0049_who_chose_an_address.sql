-- Who chose where an endpoint's messages go, since a change of the address (docs/decisions/0151-what-a-member-made.md). Null: the one who
-- made the endpoint, or a change from before this was kept.

set local lock_timeout = '3s';
set local statement_timeout = '60s';

-- A member or a credential.
alter table webhook_endpoints add column address_made_by uuid;

-- A 410 of a receiver that had only asked for a pause was forgotten after a day (docs/decisions/0273-what-a-receiver-gets.md).
update webhook_hosts set kept_until = greatest(kept_until, gone_at + interval '90 days') where gone_at is not null;
