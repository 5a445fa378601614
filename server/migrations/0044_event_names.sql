-- Ids and cursors of events that do not count (docs/decisions/0280-ids-that-do-not-count.md): the key that permutes them, and from
-- when on it is used.

set local lock_timeout = '3s';
set local statement_timeout = '60s';

-- One row. The key never changes: an event would get another id.
create table event_names (
  id smallint primary key check (id = 1),
  key bytea not null check (octet_length(key) = 32),
  -- Events from this time on have permuted ids, and cursors that are written from then on are permuted. Servers of the previous release know neither,
  -- so it is a week after the migration: by then none runs any more, and until then going back costs nothing. A new installation has no such servers.
  keyed_from timestamptz not null
);
-- Three random ids have more than 256 random bits.
insert into event_names (id, key, keyed_from)
select 1, sha256(convert_to(gen_random_uuid()::text || gen_random_uuid()::text || gen_random_uuid()::text, 'UTF8')),
       -- Not a look at the rows: row-level security hides them from an owner who is not a superuser.
       case when pg_sequence_last_value(pg_get_serial_sequence('outbox', 'id')::regclass) is null
            then timestamptz 'epoch' else statement_timestamp() + interval '7 days' end;

grant select on event_names to trefoil_app, trefoil_system;
