-- A delivery keeps its last ten attempts (docs/decisions/0274-what-deliveries-keep.md): whoever adds one deletes what is beyond. The
-- tables are small in between: deliveries are deleted by the age of their event, and a company has a million at most.

set local lock_timeout = '3s';
set local statement_timeout = '60s';

grant delete on webhook_attempts to trefoil_app;
