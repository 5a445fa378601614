-- The messages of a challenge in test mode, and a warning about guesses at second factors (docs/decisions/0168, 0171). A
-- worker of the previous release postpones a mail of the new kind and counts a failed job.
set local lock_timeout = '3s';
set local statement_timeout = '60s';

-- When the caller requested the later messages of a challenge. Live messages have rows of their own. Messages of test mode are
-- never sent and have only this column. The first message has the time of its report.
alter table challenges add column resent_at timestamptz[] not null default '{}';

alter table mails drop constraint mails_kind_check;
alter table mails add constraint mails_kind_check check (kind in (
  'invitation', 'password-reset', 'password-changed', 'factor-changed', 'credential-named', 'credential-proof',
  'factors-guessed'));

alter table user_guesses
  -- Wrong attempts at second factors within a day, which begins with the first one. A right attempt does not reset the count.
  add column day_failures integer not null default 0,
  add column day_since timestamptz,
  -- When the person was last warned about guesses.
  add column warned_at timestamptz;
