-- Who made each secret, which tokens of a credential still hold, an owner's refusal, caps on messages that count messages,
-- and one spelling of addresses (docs/decisions/0151, 0152, 0154). The release before does not notice.
set local lock_timeout = '3s';
set local statement_timeout = '60s';

-- The member who made it; null for the operator, and for secrets from before this was kept.
alter table credential_secrets add column made_by uuid;
create index credential_secrets_by_maker on credential_secrets (tenant_id, made_by) where made_by is not null;

alter table credentials
  -- Tokens say at which count they were issued: those of a lower one no longer hold. It grows when a proof that a member
  -- made ends with the member, since nobody can tell whose proof a running token was got with.
  add column token_epoch integer not null default 0,
  -- The owner who refused to answer for it: nobody else enables it in their name.
  add column refused_by uuid;

alter table mails drop constraint mails_kind_check;
alter table mails add constraint mails_kind_check check (kind in (
  'invitation', 'password-reset', 'password-changed', 'factor-changed', 'credential-named', 'credential-proof'));

-- Null: the default of the sending policy.
alter table tenants
  add column sms_daily_messages integer check (sms_daily_messages >= 0),
  add column sms_minute_messages integer check (sms_minute_messages >= 0);

-- Messages of the running day and minute, beside the credits. With a day of their own: the release before moves `sms_day`
-- and knows nothing of these.
alter table wallets
  add column sms_count_day date,
  add column sms_day_messages integer not null default 0,
  -- Minutes since 1970.
  add column sms_minute integer,
  add column sms_minute_messages integer not null default 0;
grant update (sms_count_day, sms_day_messages, sms_minute, sms_minute_messages) on wallets to trefoil_app;

-- One spelling of an address (docs/decisions/0154): composed characters. Where two people have it in two spellings, both stay
-- as they are, for the operator to settle.
update users set email = normalize(email, nfc)
 where email is not nfc normalized
   and not exists (select from users as other
                    where normalize(other.email, nfc) = normalize(users.email, nfc) and other.id <> users.id);
update invitations set email = normalize(email, nfc)
 where email is not nfc normalized
   and not exists (select from invitations as other
                    where other.tenant_id = invitations.tenant_id and other.id <> invitations.id
                      and normalize(other.email, nfc) = normalize(invitations.email, nfc));
