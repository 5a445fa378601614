-- The purge of a report empties the carrier's reference of its settled messages (docs/decisions/0263-the-carriers-reference-goes-with-the-report.md): a carrier can look it up
-- and find the number. Servers of the previous release purge without it.

set local lock_timeout = '3s';
set local statement_timeout = '60s';

-- It still cannot change a message's state or move credits.
grant update (carrier_ref) on sms_sends to trefoil_system;
