-- The policy of `tenants` in the form that no index serves, as on all other tables (docs/decisions/0122, 0218). As `id = any (…)`
-- it was part of every look-up by key: for each row PostgreSQL sorted the list of the transaction's tenants again. It lets the
-- same rows through, so servers of the previous release see no difference.

set local lock_timeout = '3s';
set local statement_timeout = '60s';

alter policy tenants_of_the_transaction on tenants using ((select current_tenants()) @> array[id]);
