// What the catalogue and the statistics of PostgreSQL say. Every statement here may run as the app or the system role; where
// a role sees less than a superuser, the answer has nulls.
import { rows, sql, type Tx } from '../lib/postgres/sql.ts';
import type { ArchiverFacts, ConnectionLimits, ServerFacts, Standby } from './rules/database.ts';

/** PostgreSQL's errors when the table of migrations does not exist yet, or this role may not read it yet. */
const TOO_OLD = ['42P01', '42501'];

export async function listAppliedMigrations(tx: Tx): Promise<string[] | undefined> {
  try {
    return (await rows<{ name: string }>(tx, sql`select name from migrations order by name`)).map(({ name }) => name);
  } catch (error) {
    if (TOO_OLD.includes(String((error as { code?: string }).code))) return undefined;
    throw error;
  }
}

export async function readServer(tx: Tx): Promise<ServerFacts> {
  const [found] = await rows<ServerFacts>(
    tx,
    sql`
    select current_setting('server_version_num')::int as version,
           pg_is_in_recovery() as "isStandby",
           current_setting('default_transaction_read_only') = 'on' as "isReadOnly",
           current_setting('synchronous_standby_names') as "standbyNames",
           current_setting('synchronous_commit') as "synchronousCommit",
           current_setting('archive_mode') as "archiveMode",
           current_setting('max_connections')::int as "maxConnections",
           current_setting('superuser_reserved_connections')::int
             + coalesce(current_setting('reserved_connections', true), '0')::int as "reservedConnections",
           (select sum(numbackends)::int from pg_stat_database) as "usedConnections"`,
  );
  if (!found) throw new Error('the database says nothing about itself');
  return found;
}

export function listStandbys(tx: Tx): Promise<Standby[]> {
  return rows<Standby>(tx, sql`select state, sync_state as "syncState" from pg_stat_replication`);
}

export async function readArchiver(tx: Tx): Promise<ArchiverFacts> {
  const [found] = await rows<ArchiverFacts>(
    tx,
    sql`
    select archived_count as "archivedCount", failed_count as "failedCount",
           extract(epoch from clock_timestamp() - last_archived_time)::float8 as "archivedSecondsAgo",
           extract(epoch from clock_timestamp() - last_failed_time)::float8 as "failedSecondsAgo",
           last_archived_wal as "archivedWal",
           case when pg_is_in_recovery() then null else pg_walfile_name(pg_current_wal_lsn()) end as "currentWal",
           pg_size_bytes(current_setting('wal_segment_size')) as "segmentBytes"
      from pg_stat_archiver`,
  );
  if (!found) throw new Error('the archiver says nothing about itself');
  return found;
}

/** Of the role and the database of this connection. */
export async function readConnectionLimits(tx: Tx): Promise<ConnectionLimits> {
  const [found] = await rows<ConnectionLimits>(
    tx,
    sql`
    select rolname as role, nullif(rolconnlimit, -1) as "roleLimit", nullif(datconnlimit, -1) as "databaseLimit"
      from pg_roles, pg_database where rolname = current_user and datname = current_database()`,
  );
  if (!found) throw new Error('the role of this connection is not known');
  return found;
}

/** A condition that lets a tenant's own rows through, as PostgreSQL prints it when names outside pg_catalog are qualified. */
const byColumn = (column: string) => `(( SELECT public.current_tenants() AS current_tenants) @> ARRAY[${column}])`;
const BY_MEMBERSHIP = '(EXISTS ( SELECT FROM public.memberships WHERE (memberships.user_id = users.id)))';
/** The function that all walls lean on: whoever replaces it opens them all. */
const CURRENT_TENANTS =
  'CREATE OR REPLACE FUNCTION public.current_tenants() RETURNS uuid[] LANGUAGE sql STABLE PARALLEL SAFE ' +
  "RETURN (NULLIF(current_setting('trefoil.tenants'::text, true), ''::text))::uuid[]";

/**
 * The rights, walls and policies of every table, as sorted lines (rules/access.ts). What a policy lets through is told by a
 * word where both of its conditions are exactly a known form, and is "another way" otherwise. What belongs to an extension is
 * not ours.
 */
export async function listAccess(tx: Tx): Promise<string[]> {
  // Names are printed in full: a function or operator of the same name in another schema must not pass for ours.
  await rows(tx, sql`select set_config('search_path', 'pg_catalog', true)`);
  const found = await rows<{ line: string }>(
    tx,
    sql`
    with tables as (
      select oid, relname as name, relacl, relowner, relrowsecurity and relforcerowsecurity as is_walled
        from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v', 'm', 'S', 'f')
         and not exists (select from pg_depend where classid = 'pg_class'::regclass and objid = pg_class.oid and deptype = 'e')
    ), grants as (
      select grantee, privilege_type, '' as columns, name, relowner from tables, aclexplode(relacl)
      union all
      select grantee, privilege_type, ' (' || attname || ')', name, relowner
        from tables join pg_attribute on attrelid = oid and not attisdropped, aclexplode(attacl)
    ), policies as (
      -- Without one of the two conditions PostgreSQL uses the other for both.
      select *, regexp_replace(coalesce(qual, with_check), '\\s+', ' ', 'g') as reads,
             regexp_replace(coalesce(with_check, qual), '\\s+', ' ', 'g') as writes
        from pg_policies where schemaname = 'public'
    )
    select 'grant ' || coalesce(rolname, 'public') || ' ' || lower(privilege_type) || columns || ' on ' || name as line
      from grants left join pg_roles on pg_roles.oid = grantee where grantee <> relowner
    union
    select 'row-security ' || name from tables where is_walled
    union
    select 'policy ' || policyname || ' on ' || tablename || ' for ' || lower(cmd) || ' to ' || array_to_string(roles, ', ')
           || case when permissive = 'PERMISSIVE' then '' else ' restrictive' end
           || case when reads <> writes then ' in another way' when reads = ${byColumn('tenant_id')} then ' by tenant'
                   when reads = ${byColumn('id')} then ' by id' when reads = ${BY_MEMBERSHIP} then ' by membership'
                   when reads = 'true' then ' every row' else ' in another way' end
      from policies
    union
    select 'function ' || oid::regprocedure::text
           || case when btrim(regexp_replace(pg_get_functiondef(oid), '\\s+', ' ', 'g')) = ${CURRENT_TENANTS}
                   then ' reads trefoil.tenants' else ' in another way' end
      from pg_proc where pronamespace = 'public'::regnamespace and proname = 'current_tenants' and prokind = 'f'
     order by line`,
  );
  return found.map(({ line }) => line);
}
