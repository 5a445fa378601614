-- The house policy beside the screening provider: what each tenant wants, and what has been seen of devices, networks,
-- numbers and people in the last days (docs/decisions/0137).

alter table tenants
  add column screening_policy text not null default 'provider'
    check (screening_policy in ('provider', 'house', 'stricter')),
  add column challenge_points smallint not null default 20,
  add column block_points smallint not null default 80,
  add constraint tenants_points check (challenge_points > 0 and block_points > challenge_points and block_points <= 1000);

-- One row each time a device, a network address, a mobile number or a person was in a live request: keyed hashes and a
-- time, of all tenants together. Only added to and deleted by age; a lost or doubled row shifts a signal and no more.
create table sightings (
  subject_hash bytea not null,
  identity_hash bytea not null,
  seen_at timestamptz not null default clock_timestamp()
);
create index sightings_by_subject on sightings (subject_hash, seen_at);
-- Rows lie in the order of their time: an index of a few pages finds the old ones.
create index sightings_by_age on sightings using brin (seen_at);

grant select, insert on sightings to trefoil_app;
grant select (seen_at), delete on sightings to trefoil_system;
