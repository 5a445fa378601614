-- Why a code could not be delivered, for the message to the caller (docs/decisions/0157). The failure itself stays
-- `not-deliverable`, so servers of the previous release and the freeing of keys work as before. Null where there is no reason
-- to show, and for older reports.

set local lock_timeout = '3s';
set local statement_timeout = '60s';

alter table credit_reports add column not_deliverable_because text;
alter table credit_reports add constraint credit_reports_not_deliverable_because_check
  check (not_deliverable_because in ('mobile-missing', 'not-a-mobile', 'country-not-allowed', 'company-number',
                                     'company-mistakes', 'company-day', 'company-minute', 'protection')) not valid;
