-- A report that is given back because its own reservation was late has a failure of its own (docs/decisions/0278). Nobody was asked, so
-- its key is free, as before. Servers of the release before write the old name; both are right meanwhile.

set local lock_timeout = '3s';
set local statement_timeout = '60s';

-- Not valid: rows before this were checked against a shorter list, and a scan would hold the lock.
alter table credit_reports drop constraint credit_reports_failure_check;
alter table credit_reports add constraint credit_reports_failure_check
  check (failure in ('screening-unavailable', 'device-not-verified', 'not-deliverable', 'no-bureau-answered', 'interrupted',
                     'reservation-late', 'attempts-used', 'expired')) not valid;

create or replace function report_ended_unasked(of_tenant uuid, of_report uuid) returns boolean
  language sql volatile
  return exists (
    select from credit_reports
     where tenant_id = of_tenant and id = of_report
       and (status = 'expired'
            or (status = 'failed' and is_test and failure is null)
            -- A challenged one with a failure has failed, and only its refund is missing.
            or (status in ('failed', 'challenged') and failure in ('screening-unavailable', 'device-not-verified', 'not-deliverable',
                                                                   'reservation-late', 'attempts-used', 'expired'))
            -- The five minutes are over, and no job has ended the challenge yet.
            or (status = 'challenged' and exists (
                  select from challenges
                   where challenges.tenant_id = of_tenant and challenges.credit_report_id = of_report
                     and last_sent_at < clock_timestamp() - interval '5 minutes'))));
