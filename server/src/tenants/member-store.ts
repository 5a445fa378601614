// The members of a tenant. Changes run as the app role, under row-level security. The app role cannot create a
// membership: the system role prepares one that has already ended, and the app role starts it.
import type { Role } from '@trefoil/contract';
import { execute, rows, sql, type Tx } from '../lib/postgres/sql.ts';

export type LockedMember = { readonly userId: string; readonly role: Role; readonly isEnabled: boolean };

/**
 * Locks the owners and the named people, in id order, so that changes to a tenant's members run one after another. Then
 * it reads them again, since a statement that waited still sees the rows from its start.
 */
export async function lockMembers(tx: Tx, tenantId: string, userIds: readonly string[]): Promise<LockedMember[]> {
  await execute(
    tx,
    sql`
    select user_id from memberships
     where tenant_id = ${tenantId} and removed_at is null and (role = 'owner' or user_id = any (${userIds}::uuid[]))
     order by user_id for no key update`,
  );
  return rows<LockedMember>(
    tx,
    sql`
    select memberships.user_id as "userId", memberships.role, users.is_enabled as "isEnabled"
      from memberships join users on users.id = memberships.user_id
     where memberships.tenant_id = ${tenantId} and memberships.removed_at is null
       and (memberships.role = 'owner' or memberships.user_id = any (${userIds}::uuid[]))`,
  );
}

export async function updateRole(tx: Tx, tenantId: string, userId: string, role: Role): Promise<void> {
  await execute(
    tx,
    sql`
    update memberships set role = ${role}
     where tenant_id = ${tenantId} and user_id = ${userId} and removed_at is null`,
  );
}

export async function updateMemberRemoved(tx: Tx, tenantId: string, userId: string): Promise<void> {
  await execute(
    tx,
    sql`
    update memberships set removed_at = clock_timestamp()
     where tenant_id = ${tenantId} and user_id = ${userId} and removed_at is null`,
  );
}

/** As the system role. Gives no access yet; leaves a current or former member unchanged. */
export async function insertDormantMembership(tx: Tx, tenantId: string, userId: string, role: Role): Promise<void> {
  await execute(
    tx,
    sql`
    insert into memberships (tenant_id, user_id, role, removed_at)
    values (${tenantId}, ${userId}, ${role}, clock_timestamp())
    on conflict (tenant_id, user_id) do nothing`,
  );
}

/** Returns whether there was a membership to start. */
export async function updateMemberJoined(tx: Tx, tenantId: string, userId: string, role: Role): Promise<boolean> {
  const query = sql`
    update memberships set role = ${role}, removed_at = null
     where tenant_id = ${tenantId} and user_id = ${userId} and removed_at is not null`;
  return (await execute(tx, query)) === 1;
}

export type MemberRow = LockedMember & {
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly joinedAt: Date;
};

export type Page = { readonly limit: number; readonly before: string | undefined };

/** Lists one more than the limit, which shows whether the list continues. */
export async function listMemberPage(tx: Tx, tenantId: string, { limit, before }: Page): Promise<MemberRow[]> {
  return rows<MemberRow>(
    tx,
    sql`
    select users.id as "userId", users.email, users.first_name as "firstName", users.last_name as "lastName",
           users.is_enabled as "isEnabled", memberships.role, memberships.created_at as "joinedAt"
      from memberships join users on users.id = memberships.user_id
     where memberships.tenant_id = ${tenantId} and memberships.removed_at is null
       and (${before ?? null}::uuid is null or memberships.user_id < ${before ?? null}::uuid)
     order by memberships.user_id desc limit ${limit + 1}`,
  );
}

export async function findMember(tx: Tx, tenantId: string, userId: string): Promise<MemberRow | undefined> {
  const [member] = await rows<MemberRow>(
    tx,
    sql`
    select users.id as "userId", users.email, users.first_name as "firstName", users.last_name as "lastName",
           users.is_enabled as "isEnabled", memberships.role, memberships.created_at as "joinedAt"
      from memberships join users on users.id = memberships.user_id
     where memberships.tenant_id = ${tenantId} and memberships.user_id = ${userId} and memberships.removed_at is null`,
  );
  return member;
}

export async function findMemberByEmail(tx: Tx, tenantId: string, email: string): Promise<string | undefined> {
  const [member] = await rows<{ id: string }>(
    tx,
    sql`
    select users.id from memberships join users on users.id = memberships.user_id
     where memberships.tenant_id = ${tenantId} and memberships.removed_at is null and users.email = ${email}`,
  );
  return member?.id;
}

/** The addresses of a tenant's enabled members with one of these roles. */
export async function listAddresses(tx: Tx, tenantId: string, roles: readonly Role[]): Promise<string[]> {
  const found = await rows<{ email: string }>(
    tx,
    sql`
    select users.email from memberships join users on users.id = memberships.user_id
     where memberships.tenant_id = ${tenantId} and memberships.removed_at is null and users.is_enabled
       and memberships.role = any (${roles}::text[])
     order by users.email`,
  );
  return found.map(({ email }) => email);
}

/** As the system role, the only one that sees factors: whether a person has one, never its content. */
export async function listWithSecondFactor(tx: Tx, userIds: readonly string[]): Promise<Set<string>> {
  const found = await rows<{ id: string }>(
    tx,
    sql`
    select id from users
     where id = any (${userIds}::uuid[])
       and (totp_enabled or exists (select from user_passkeys where user_passkeys.user_id = users.id))`,
  );
  return new Set(found.map(({ id }) => id));
}

export type Account = { readonly userId: string; readonly email: string; readonly isEnabled: boolean };

/** As the system role: people belong to no tenant. */
export async function findAccount(
  tx: Tx,
  by: { readonly userId: string } | { readonly email: string },
): Promise<Account | undefined> {
  const [account] = await rows<Account>(
    tx,
    'userId' in by
      ? sql`select id as "userId", email, is_enabled as "isEnabled" from users where id = ${by.userId}`
      : sql`select id as "userId", email, is_enabled as "isEnabled" from users where email = ${by.email}`,
  );
  return account;
}
