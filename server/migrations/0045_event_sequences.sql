-- The sequence of an event: how many events of its tenant there were up to it, in commit order (docs/decisions/0281-a-sequence-for-each-tenant.md).
-- It is counted when events are read, and nothing is written with an event. A server of the previous release shows none; the trigger
-- counts what its retention deletes.

set local lock_timeout = '3s';
set local statement_timeout = '60s';

-- How many events of a tenant there were up to a place: at every hundredth event, and at the last one that was deleted. All of them
-- agree, since no event is committed before a place that can be read, and the oldest of a tenant are deleted first.
create table event_marks (
  tenant_id uuid not null,
  xact_id xid8 not null,
  event bigint not null,
  sequence bigint not null check (sequence >= 0),
  primary key (tenant_id, xact_id, event)
);

-- Up to which event of all tenants there are marks: one row. It begins before the oldest event that is kept.
create table event_marking (
  id smallint primary key check (id = 1),
  xact_id xid8 not null,
  event bigint not null
);
insert into event_marking (id, xact_id, event) values (1, '0', 0);

alter table event_marks enable row level security, force row level security;
create policy tenants_of_the_transaction on event_marks to trefoil_app
  using ((select current_tenants()) @> array[tenant_id]) with check ((select current_tenants()) @> array[tenant_id]);
-- A job makes the marks of all tenants, and retention replaces them.
create policy system_access on event_marks to trefoil_system using (true) with check (true);
grant select on event_marks to trefoil_app;
grant select, insert, delete on event_marks to trefoil_system;
grant select, update on event_marking to trefoil_system;

-- From the last mark at or before the place. Call it for an event that can be read, in the statement that reads it: a later snapshot
-- may lack events before it. The settings: the planner cannot know how near the mark is, and would read the whole table. The tenant is no
-- part of the compared rows, because the scan would then go on to the tenant's last event; and nothing is computed in a comparison, because
-- row-level security would then keep it from the index.
create function event_count(of_tenant uuid, at_xact xid8, at_event bigint) returns bigint
  language sql stable
  set enable_seqscan = off set enable_bitmapscan = off set jit = off set max_parallel_workers_per_gather = 0
  return (
    select mark.sequence
           + (select count(*) from outbox
               where outbox.tenant_id = of_tenant and (outbox.xact_id, outbox.id) > (mark.xact_id, mark.event)
                 and (outbox.xact_id, outbox.id) <= (at_xact, at_event))
      from (
        (select event_marks.xact_id, event_marks.event, event_marks.sequence
           from event_marks
          where event_marks.tenant_id = of_tenant and (event_marks.xact_id, event_marks.event) <= (at_xact, at_event)
          order by event_marks.tenant_id desc, event_marks.xact_id desc, event_marks.event desc limit 1)
        union all
        select xid8 '0', 0, 0
        order by sequence desc limit 1) as mark);

-- What is deleted stays counted: the last place of each tenant gets a mark, and those before it are not needed any more. Right also for
-- rows that are kept before that place, which a server of the previous release may leave for a moment. Rows that cannot be read yet have
-- no place to count: a dump that was restored into another cluster has such.
create function keep_event_counts() returns trigger language plpgsql as $$
begin
  with ends as materialized (
    select distinct on (tenant_id) tenant_id, xact_id, id
      from gone
     where xact_id < pg_snapshot_xmin(pg_current_snapshot())
     order by tenant_id, xact_id desc, id desc),
  begun as materialized (
    select ends.*, event_count(ends.tenant_id, ends.xact_id, ends.id) as counted,
           coalesce(mark.xact_id, xid8 '0') as from_xact, coalesce(mark.event, 0) as from_event
      from ends
      left join lateral (
        select event_marks.xact_id, event_marks.event
          from event_marks
         where event_marks.tenant_id = ends.tenant_id and (event_marks.xact_id, event_marks.event) <= (ends.xact_id, ends.id)
         order by event_marks.xact_id desc, event_marks.event desc limit 1) as mark on true),
  obsolete as (
    delete from event_marks using ends
     where event_marks.tenant_id = ends.tenant_id and (event_marks.xact_id, event_marks.event) < (ends.xact_id, ends.id))
  insert into event_marks (tenant_id, xact_id, event, sequence)
  select begun.tenant_id, begun.xact_id, begun.id, begun.counted + count(*)
    from begun
    join gone on gone.tenant_id = begun.tenant_id and (gone.xact_id, gone.id) > (begun.from_xact, begun.from_event)
             and (gone.xact_id, gone.id) <= (begun.xact_id, begun.id)
   group by begun.tenant_id, begun.xact_id, begun.id, begun.counted
   order by begun.tenant_id
  on conflict do nothing;
  return null;
end $$;

-- Last, because the service's own transactions write the outbox last: the other order could deadlock with them.
create trigger outbox_keep_counts after delete on outbox
  referencing old table as gone for each statement execute function keep_event_counts();
