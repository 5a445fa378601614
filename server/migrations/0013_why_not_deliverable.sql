-- Why a demanded code could not be delivered, for the sentence that a caller reads (docs/decisions/0157). The failure itself
-- stays `not-deliverable`: a server of the release before reads it as it always did, and a key is freed by it as before.
-- Null where there is nothing to tell, and for reports from before.

set local lock_timeout = '3s';
set local statement_timeout = '60s';

alter table credit_reports add column not_deliverable_because text;
alter table credit_reports add constraint credit_reports_not_deliverable_because_check
  check (not_deliverable_because in ('mobile-missing', 'not-a-mobile', 'country-not-allowed', 'company-number',
                                     'company-mistakes', 'company-day', 'company-minute', 'protection')) not valid;
