-- What became of a challenge's messages in test mode, and a warning when second factors are guessed (docs/decisions/0168,
-- 0171). A worker of the release before puts a mail of the new kind off and counts a failed job.
set local lock_timeout = '3s';
set local statement_timeout = '60s';

-- When the later messages of a challenge were asked for. Live messages have rows of their own; those of test mode, which are
-- never sent, have only this. The first one is as old as its report.
alter table challenges add column resent_at timestamptz[] not null default '{}';

alter table mails drop constraint mails_kind_check;
alter table mails add constraint mails_kind_check check (kind in (
  'invitation', 'password-reset', 'password-changed', 'factor-changed', 'credential-named', 'credential-proof',
  'factors-guessed'));

alter table user_guesses
  -- Wrong second factors of a day, which begins with the first of them; a right one does not take them back.
  add column day_failures integer not null default 0,
  add column day_since timestamptz,
  -- When the person was last told that somebody guesses.
  add column warned_at timestamptz;
