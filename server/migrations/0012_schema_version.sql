-- A node asks whether the schema is new enough for its code before it says that it is ready (docs/decisions/0178). Names
-- of migrations say nothing about anybody.
set local lock_timeout = '3s';

grant select (name) on migrations to trefoil_system;
