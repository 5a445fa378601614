-- A worker of the previous release puts a mail of the new kind off and counts a failed job.
alter table mails drop constraint mails_kind_check;
alter table mails add constraint mails_kind_check check (kind in (
  'invitation', 'password-reset', 'password-changed', 'factor-changed', 'credential-named', 'credential-proof',
  'credentials-busy', 'factors-guessed', 'wallet-low', 'webhook-disabled', 'factor-link', 'first-factor')) not valid;
