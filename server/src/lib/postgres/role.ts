// What the role of a connection is and may do. The start, readiness and `doctor` judge it.
import { rows, sql, type Tx } from './sql.ts';

export type RoleFacts = {
  readonly name: string;
  readonly isSuperuser: boolean;
  readonly canBypass: boolean;
  readonly canCreateRoles: boolean;
  readonly canCreateDatabases: boolean;
  readonly canReplicate: boolean;
  /** Roles whose rights it has too, directly or through others. */
  readonly memberOf: readonly string[];
  readonly canCreateTables: boolean;
  /** Those of roles that it is a member of count too: PostgreSQL lets members do what the owner may. */
  readonly ownedTables: number;
};

/** Of the role of this connection. */
export async function readRole(tx: Tx): Promise<RoleFacts> {
  const [found] = await rows<RoleFacts>(
    tx,
    sql`
    select rolname as name, rolsuper as "isSuperuser", rolbypassrls as "canBypass", rolcreaterole as "canCreateRoles",
           rolcreatedb as "canCreateDatabases", rolreplication as "canReplicate",
           array(select other.rolname::text from pg_roles as other
                  where other.oid <> own.oid and pg_has_role(own.oid, other.oid, 'member') order by 1) as "memberOf",
           has_schema_privilege(own.oid, 'public', 'create')
             or has_database_privilege(own.oid, current_database(), 'create') as "canCreateTables",
           (select count(*)::int from pg_class where pg_has_role(own.oid, relowner, 'member')
                and relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v', 'm', 'f')) as "ownedTables"
      from pg_roles as own where rolname = current_user`,
  );
  if (!found) throw new Error('the role of this connection is not known');
  return found;
}
