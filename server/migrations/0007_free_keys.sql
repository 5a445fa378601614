-- A generate key is free again once its request has ended without a report and no bureau was asked (docs/decisions/0056).
-- The report's own row says so, and nothing is written when it ends. Reports and challenges belong to credit-reports, which
-- the keys' store may not know: it asks these functions. They run as the app role, behind its wall, and look up by key.

set local lock_timeout = '3s';
set local statement_timeout = '60s';

-- In test mode only used-up attempts end a report as failed, and no failure is written. `no-bureau-answered` and
-- `interrupted` are missing on purpose: bureaus were asked, or may have been. A new failure is missing until it is named.
create function report_ended_unasked(of_tenant uuid, of_report uuid) returns boolean
  -- Volatile: each look sees what was committed before it, and the clock of that moment.
  language sql volatile
  return exists (
    select from credit_reports
     where tenant_id = of_tenant and id = of_report
       and (status = 'expired'
            or (status = 'failed' and is_test)
            -- A challenged one with a failure has failed, and only its refund is missing.
            or (status in ('failed', 'challenged') and failure in ('screening-unavailable', 'device-not-verified',
                                                                   'not-deliverable', 'attempts-used', 'expired'))
            -- The five minutes are over, and no job has ended the challenge yet; in test mode none ever does.
            or (status = 'challenged' and exists (
                  select from challenges
                   where challenges.tenant_id = of_tenant and challenges.credit_report_id = of_report
                     and last_sent_at < clock_timestamp() - interval '5 minutes'))));

-- Null while a code is being judged or a message queued: either may have begun within the five minutes. Both hold the
-- report `for update`, which `for key share` meets and does not wait for. One that begins later sees that the time is over.
create function report_frees_its_key(of_tenant uuid, of_report uuid) returns boolean
  language plpgsql volatile as $$
begin
  if not report_ended_unasked(of_tenant, of_report) then
    return false;
  end if;
  perform from credit_reports where tenant_id = of_tenant and id = of_report for key share skip locked;
  if not found then
    return null;
  end if;
  return report_ended_unasked(of_tenant, of_report);
end $$;
