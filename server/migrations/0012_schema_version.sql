-- A node reports that it is ready only if the schema is new enough for its code (docs/decisions/0178). The names of migrations
-- contain no personal data.
set local lock_timeout = '3s';

grant select (name) on migrations to trefoil_system;
