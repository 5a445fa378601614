// Tenants and their members.
import type { Role } from '@trefoil/contract';
import { execute, rows, sql, type Tx } from '../lib/postgres/sql.ts';

export type Tenant = {
  readonly id: string;
  readonly name: string;
  readonly isEnabled: boolean;
  readonly ratePerSecond: number | null;
  readonly rateBurst: number | null;
  readonly createdAt: Date;
};

type TenantRow = {
  id: string;
  name: string;
  is_enabled: boolean;
  rate_per_second: number | null;
  rate_burst: number | null;
  created_at: Date;
};

const toTenant = (row: TenantRow): Tenant => ({
  id: row.id,
  name: row.name,
  isEnabled: row.is_enabled,
  ratePerSecond: row.rate_per_second,
  rateBurst: row.rate_burst,
  createdAt: row.created_at,
});

const LIST_LIMIT = 1_000;

/** A new company requires a second factor of its people; its owners can turn that off. */
export async function insertTenant(tx: Tx, tenant: { id: string; name: string }): Promise<void> {
  await execute(
    tx,
    sql`insert into tenants (id, name, require_second_factor) values (${tenant.id}, ${tenant.name}, true)`,
  );
}

export async function listTenants(tx: Tx): Promise<Tenant[]> {
  const found = await rows<TenantRow>(tx, sql`select * from tenants order by id limit ${LIST_LIMIT}`);
  return found.map(toTenant);
}

/** Ignores case; several tenants may have one name. */
export async function listTenantsByName(tx: Tx, name: string): Promise<Tenant[]> {
  const found = await rows<TenantRow>(
    tx,
    sql`select * from tenants where lower(name) = lower(${name}) order by id limit ${LIST_LIMIT}`,
  );
  return found.map(toTenant);
}

/** Returns whether the tenant exists. */
export async function updateTenantEnabled(tx: Tx, tenantId: string, isEnabled: boolean): Promise<boolean> {
  return (await execute(tx, sql`update tenants set is_enabled = ${isEnabled} where id = ${tenantId}`)) === 1;
}

/** Null for both returns the tenant to the default rate. */
export async function updateTenantRate(
  tx: Tx,
  tenantId: string,
  ratePerSecond: number | null,
  rateBurst: number | null,
): Promise<boolean> {
  const query = sql`
    update tenants set rate_per_second = ${ratePerSecond}, rate_burst = ${rateBurst} where id = ${tenantId}`;
  return (await execute(tx, query)) === 1;
}

export async function upsertMembership(tx: Tx, tenantId: string, userId: string, role: Role): Promise<void> {
  await execute(
    tx,
    sql`
    insert into memberships (tenant_id, user_id, role) values (${tenantId}, ${userId}, ${role})
    on conflict (tenant_id, user_id) do update set role = excluded.role, removed_at = null`,
  );
}

export type Membership = { readonly tenant: Tenant; readonly role: Role };

/** The user's tenants among those that the transaction may see. */
export async function listMemberships(tx: Tx, userId: string): Promise<Membership[]> {
  const found = await rows<TenantRow & { role: Role }>(
    tx,
    sql`
    select tenants.*, memberships.role
      from memberships join tenants on tenants.id = memberships.tenant_id
     where memberships.user_id = ${userId} and memberships.removed_at is null
     order by tenants.id limit ${LIST_LIMIT}`,
  );
  return found.map((row) => ({ tenant: toTenant(row), role: row.role }));
}

export async function findTenant(tx: Tx, tenantId: string): Promise<Tenant | undefined> {
  const [row] = await rows<TenantRow>(tx, sql`select * from tenants where id = ${tenantId}`);
  return row && toTenant(row);
}

export async function findRole(tx: Tx, tenantId: string, userId: string): Promise<Role | undefined> {
  const [membership] = await rows<{ role: Role }>(
    tx,
    sql`select role from memberships where tenant_id = ${tenantId} and user_id = ${userId} and removed_at is null`,
  );
  return membership?.role;
}

/** The tenant that the person selected; they may have left it since. */
export async function findSelectedTenant(tx: Tx, userId: string): Promise<string | undefined> {
  const [user] = await rows<{ id: string | null }>(
    tx,
    sql`select selected_tenant_id as id from users where id = ${userId}`,
  );
  return user?.id ?? undefined;
}

export async function updateSelectedTenant(tx: Tx, userId: string, tenantId: string): Promise<void> {
  await execute(tx, sql`update users set selected_tenant_id = ${tenantId} where id = ${userId}`);
}

/** The ids of every tenant that the person belongs to, in order. */
export async function listTenantIdsOf(tx: Tx, userId: string): Promise<string[]> {
  const found = await rows<{ id: string }>(
    tx,
    sql`
    select tenant_id as id from memberships where user_id = ${userId} and removed_at is null order by tenant_id`,
  );
  return found.map(({ id }) => id);
}

/** The ids of all tenants, in order. Call it as the system role: the app role sees only the tenants of its transaction. */
export async function listAllTenantIds(tx: Tx): Promise<string[]> {
  return (await rows<{ id: string }>(tx, sql`select id from tenants order by id`)).map(({ id }) => id);
}
