#!/bin/sh
# The two roles of the service, with the passwords that their addresses have. migrate finds them and leaves them as they are.
# Only with the statistics can doctor see which standbys confirm commits.
set -eu
psql --username postgres --dbname trefoil --quiet --set ON_ERROR_STOP=1 \
  --set app="$(cat /run/secrets/app-password)" --set system="$(cat /run/secrets/system-password)" <<'SQL'
create role trefoil_app login nosuperuser nocreatedb nocreaterole nobypassrls password :'app';
create role trefoil_system login nosuperuser nocreatedb nocreaterole nobypassrls password :'system';
grant pg_read_all_stats to trefoil_system;
SQL
