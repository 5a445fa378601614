-- Who made a webhook endpoint, and who made its secret (docs/decisions/0151-what-a-member-made.md). Null: made before this was kept, and
-- it ends with nobody.

set local lock_timeout = '3s';
set local statement_timeout = '60s';

-- A member or a credential.
alter table webhook_endpoints
  add column created_by uuid,
  add column secret_made_by uuid;
