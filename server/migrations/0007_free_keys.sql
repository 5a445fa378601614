-- A generate key is free again once its request has ended without a report and no bureau was asked (docs/decisions/0056).
-- The report's row shows this, so nothing more is written at that time. Reports and challenges belong to credit-reports, and
-- the store of the keys must not read them: it calls these functions. They run as the app role, under its row-level security,
-- and look up rows by key.

set local lock_timeout = '3s';
set local statement_timeout = '60s';

-- In test mode a report fails only when all attempts are used, and its failure column stays null. `no-bureau-answered` and
-- `interrupted` are left out on purpose: bureaus were asked, or may have been. A new failure does not free a key until it is
-- added here.
create function report_ended_unasked(of_tenant uuid, of_report uuid) returns boolean
  -- Volatile: each call sees what was committed before it, and the current time.
  language sql volatile
  return exists (
    select from credit_reports
     where tenant_id = of_tenant and id = of_report
       and (status = 'expired'
            or (status = 'failed' and is_test)
            -- A challenged report with a failure has failed; only its refund is missing.
            or (status in ('failed', 'challenged') and failure in ('screening-unavailable', 'device-not-verified',
                                                                   'not-deliverable', 'attempts-used', 'expired'))
            -- The five minutes are over, and no job has ended the challenge yet; in test mode none ever does.
            or (status = 'challenged' and exists (
                  select from challenges
                   where challenges.tenant_id = of_tenant and challenges.credit_report_id = of_report
                     and last_sent_at < clock_timestamp() - interval '5 minutes'))));

-- Null while another transaction judges a code or queues a message: it may have begun within the five minutes. Both lock the
-- report `for update`; `for key share skip locked` then finds no row instead of waiting. A transaction that begins later sees
-- that the time is over.
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
