-- A test report can now fail for every reason that a live one has, and its row says which (docs/decisions/0207). So its
-- idempotency key is free again in the same cases as a live report's. Without a stored failure only used-up attempts have
-- ended it: so it is for reports of the release before, whose servers see no difference.

set local lock_timeout = '3s';
set local statement_timeout = '60s';

create or replace function report_ended_unasked(of_tenant uuid, of_report uuid) returns boolean
  language sql volatile
  return exists (
    select from credit_reports
     where tenant_id = of_tenant and id = of_report
       and (status = 'expired'
            or (status = 'failed' and is_test and failure is null)
            -- A challenged one with a failure has failed, and only its refund is missing.
            or (status in ('failed', 'challenged') and failure in ('screening-unavailable', 'device-not-verified',
                                                                   'not-deliverable', 'attempts-used', 'expired'))
            -- The five minutes are over, and no job has ended the challenge yet.
            or (status = 'challenged' and exists (
                  select from challenges
                   where challenges.tenant_id = of_tenant and challenges.credit_report_id = of_report
                     and last_sent_at < clock_timestamp() - interval '5 minutes'))));
