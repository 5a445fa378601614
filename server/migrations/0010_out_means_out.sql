-- Who created each secret, which tokens of a credential are still valid, an owner's refusal, caps on the number of messages,
-- and one spelling of addresses (docs/decisions/0151, 0152, 0154). Servers of the previous release keep working.
set local lock_timeout = '3s';
set local statement_timeout = '60s';

-- The member who created it. Null for the operator, and for secrets older than this column.
alter table credential_secrets add column made_by uuid;
create index credential_secrets_by_maker on credential_secrets (tenant_id, made_by) where made_by is not null;

alter table credentials
  -- A token contains the count at which it was issued; tokens with a lower count are not valid. The count grows when a member
  -- leaves who created a secret of the credential, since a token does not show with which secret it was issued.
  add column token_epoch integer not null default 0,
  -- The owner who refused the credential: no other member may enable it in their name.
  add column refused_by uuid;

alter table mails drop constraint mails_kind_check;
alter table mails add constraint mails_kind_check check (kind in (
  'invitation', 'password-reset', 'password-changed', 'factor-changed', 'credential-named', 'credential-proof'));

-- Null: the default of the sending policy.
alter table tenants
  add column sms_daily_messages integer check (sms_daily_messages >= 0),
  add column sms_minute_messages integer check (sms_minute_messages >= 0);

-- The messages of the current day and minute, in addition to the credits. They have their own day column, because the
-- previous release updates `sms_day` and does not know these columns.
alter table wallets
  add column sms_count_day date,
  add column sms_day_messages integer not null default 0,
  -- Minutes since 1970.
  add column sms_minute integer,
  add column sms_minute_messages integer not null default 0;
grant update (sms_count_day, sms_day_messages, sms_minute, sms_minute_messages) on wallets to trefoil_app;

-- One spelling of an address (docs/decisions/0154): composed characters. If two people have one address in two spellings,
-- both stay unchanged, and the operator decides.
update users set email = normalize(email, nfc)
 where email is not nfc normalized
   and not exists (select from users as other
                    where normalize(other.email, nfc) = normalize(users.email, nfc) and other.id <> users.id);
update invitations set email = normalize(email, nfc)
 where email is not nfc normalized
   and not exists (select from invitations as other
                    where other.tenant_id = invitations.tenant_id and other.id <> invitations.id
                      and normalize(other.email, nfc) = normalize(invitations.email, nfc));
