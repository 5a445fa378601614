-- Working keys of months, each wrapped by the key service, and re-wrapping of data keys (docs/decisions/0258-a-key-service.md, 0259-month-keys.md).

set local lock_timeout = '3s';
set local statement_timeout = '60s';

-- A handful of rows: one a month and key service. A data key that names one of them in data_keys.ring_key_id is wrapped by it.
create table working_keys (
  id text primary key,
  month text not null check (month ~ '^\d{4}-(0[1-9]|1[0-2])$'),
  service text not null check (service in ('file', 'aws-kms', 'vault-transit')),
  wrapped_key bytea not null,
  -- A keyed hash made with the working key: a key service that gives other bytes back is noticed before they wrap anything.
  check_value bytea not null,
  created_at timestamptz not null default clock_timestamp(),
  rewrapped_at timestamptz,
  closed_at timestamptz,
  destroyed_at timestamptz,
  unique (month, service),
  check (destroyed_at is null or (closed_at is not null and wrapped_key = ''))
);
-- The system role alone: it cannot read the wrapped data keys, and the app role cannot read the working keys.
grant select, insert, update on working_keys to trefoil_system;

-- A rotation wraps the data keys of reports anew, tenant by tenant.
grant update (ring_key_id, wrapped_key) on data_keys to trefoil_app;
-- Which keys rows still need, before one is destroyed. The ids of keys are no secret.
grant select (ring_key_id) on data_keys to trefoil_system;
