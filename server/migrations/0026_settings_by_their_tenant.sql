-- What a company sets for itself (docs/decisions/0232). The operator's columns stay the agreed limits. The new ones are the
-- company's own and can only narrow them; null: as agreed. A server of the previous release does not know the new columns and
-- applies the agreed limits.

set local lock_timeout = '3s';
set local statement_timeout = '60s';

alter table tenants
  -- In text messages; null: the name.
  add column display_name text check (length(display_name) between 1 and 100),
  add column own_sms_countries text[] check (cardinality(own_sms_countries) > 0),
  add column own_sms_daily_credits bigint check (own_sms_daily_credits >= 0),
  add column own_sms_daily_messages integer check (own_sms_daily_messages >= 0),
  add column own_sms_minute_messages integer check (own_sms_minute_messages >= 0);

-- The name, the agreed limits, the rate and the screening stay with the operator.
grant update (display_name, retention_days, otp_host, low_balance_credits, own_sms_countries, own_sms_daily_credits,
              own_sms_daily_messages, own_sms_minute_messages) on tenants to trefoil_app;

update roles set scopes = scopes || '{settings:write}'
 where name in ('owner', 'admin') and not scopes @> '{settings:write}';
