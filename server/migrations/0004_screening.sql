-- Our own policy in addition to the screening provider: each tenant's settings, and the devices, networks, numbers and people
-- of the last days' requests (docs/decisions/0137).

alter table tenants
  add column screening_policy text not null default 'provider'
    check (screening_policy in ('provider', 'house', 'stricter')),
  add column challenge_points smallint not null default 20,
  add column block_points smallint not null default 80,
  add constraint tenants_points check (challenge_points > 0 and block_points > challenge_points and block_points <= 1000);

-- One row for each device, network address, mobile number and person of a live request, of all tenants: keyed hashes and a
-- time. Rows are inserted and deleted by age, never changed. A lost or doubled row only makes a count slightly wrong.
create table sightings (
  subject_hash bytea not null,
  identity_hash bytea not null,
  seen_at timestamptz not null default clock_timestamp()
);
create index sightings_by_subject on sightings (subject_hash, seen_at);
-- Rows are stored in the order of their time, so a small block range index finds the old ones.
create index sightings_by_age on sightings using brin (seen_at);

grant select, insert on sightings to trefoil_app;
grant select (seen_at), delete on sightings to trefoil_system;
