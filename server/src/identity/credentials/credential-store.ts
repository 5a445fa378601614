// A tenant's credentials as its members manage them. Runs as the app role under row-level security; never returns a hash.
import type { Role, Scope } from '@trefoil/contract';
import { execute, rows, sql, type Tx } from '../../lib/postgres/sql.ts';
import type { AuthMethod, KeptKey } from './client-store.ts';

export type CredentialRow = {
  readonly id: string;
  readonly name: string;
  readonly authMethod: AuthMethod;
  readonly scopes: readonly Scope[];
  readonly ownerUserId: string;
  readonly isOwnerActive: boolean;
  readonly isEnabled: boolean;
  readonly isTestOnly: boolean;
  readonly allowedNetworks: readonly string[] | null;
  readonly publicKeys: readonly KeptKey[] | null;
  readonly secrets: readonly {
    readonly id: string;
    readonly createdAt: string;
    readonly endsAt: string | null;
    readonly madeBy: string | null;
  }[];
  readonly isRefused: boolean;
  readonly createdAt: Date;
  readonly lastUsedAt: Date | null;
};

const HIGHEST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** Newest first. Secrets that work only, by the database's clock. With `isTestOnly`, credentials for live mode do not exist. */
export function listCredentialRows(
  tx: Tx,
  tenantId: string,
  which: { readonly id?: string; readonly beforeId?: string | undefined; readonly isTestOnly: boolean },
  limit: number,
): Promise<CredentialRow[]> {
  return rows<CredentialRow>(
    tx,
    sql`
    select credentials.id, credentials.name, auth_method as "authMethod", scopes, owner_user_id as "ownerUserId",
           users.is_enabled and memberships.removed_at is null as "isOwnerActive",
           credentials.is_enabled as "isEnabled", is_test_only as "isTestOnly",
           allowed_networks::text[] as "allowedNetworks", public_keys as "publicKeys",
           coalesce((select json_agg(json_build_object('id', secrets.id, 'createdAt', secrets.created_at,
                                                       'endsAt', secrets.expires_at, 'madeBy', secrets.made_by)
                                     order by secrets.created_at desc, secrets.id desc)
                       from credential_secrets as secrets
                      where secrets.tenant_id = credentials.tenant_id and secrets.credential_id = credentials.id
                        and (expires_at is null or expires_at > clock_timestamp())), '[]') as secrets,
           refused_by is not distinct from owner_user_id as "isRefused",
           credentials.created_at as "createdAt", last_used_at as "lastUsedAt"
      from credentials
      join memberships on memberships.tenant_id = credentials.tenant_id
                      and memberships.user_id = credentials.owner_user_id
      join users on users.id = credentials.owner_user_id
     where credentials.tenant_id = ${tenantId} and credentials.id = coalesce(${which.id ?? null}::uuid, credentials.id)
       and credentials.id < ${which.beforeId ?? HIGHEST_ID} and (is_test_only or not ${which.isTestOnly}::boolean)
     order by credentials.id desc limit ${limit}`,
  );
}

export type LockedCredential = {
  readonly authMethod: AuthMethod;
  readonly scopes: readonly Scope[];
  readonly ownerUserId: string;
  readonly refusedBy: string | null;
  readonly publicKeys: readonly KeptKey[] | null;
};

/** Locked, because two concurrent changes must not both find room for a secret. Undefined for another tenant's too. */
export async function lockCredential(tx: Tx, tenantId: string, id: string): Promise<LockedCredential | undefined> {
  const [credential] = await rows<LockedCredential>(
    tx,
    sql`
    select auth_method as "authMethod", scopes, owner_user_id as "ownerUserId", refused_by as "refusedBy",
           public_keys as "publicKeys"
      from credentials
     where tenant_id = ${tenantId} and id = ${id} for no key update`,
  );
  return credential;
}

/**
 * Locked in the order of user ids, so that no transaction takes a role away before this one ends. A disabled person or a
 * non-member is not in the map.
 */
export async function lockRoles(tx: Tx, tenantId: string, userIds: readonly string[]): Promise<Map<string, Role>> {
  const members = await rows<{ userId: string; role: Role }>(
    tx,
    sql`
    select memberships.user_id as "userId", role from memberships join users on users.id = memberships.user_id
     where memberships.tenant_id = ${tenantId} and memberships.user_id = any (${userIds}::uuid[])
       and memberships.removed_at is null and users.is_enabled
     order by memberships.user_id for share of memberships`,
  );
  return new Map(members.map(({ userId, role }) => [userId, role]));
}

export async function countLiveSecrets(tx: Tx, tenantId: string, credentialId: string): Promise<number> {
  const [row] = await rows<{ count: number }>(
    tx,
    sql`
    select count(*) as count from credential_secrets
     where tenant_id = ${tenantId} and credential_id = ${credentialId}
       and (expires_at is null or expires_at > clock_timestamp())`,
  );
  return row?.count ?? 0;
}

/** Returns false when there was no such live secret. */
export async function updateSecretEnded(
  tx: Tx,
  tenantId: string,
  credentialId: string,
  secretId: string,
): Promise<boolean> {
  const ended = await execute(
    tx,
    sql`
    update credential_secrets set expires_at = clock_timestamp()
     where tenant_id = ${tenantId} and credential_id = ${credentialId} and id = ${secretId}
       and (expires_at is null or expires_at > clock_timestamp())`,
  );
  return ended === 1;
}

export async function updatePublicKeys(tx: Tx, tenantId: string, id: string, keys: readonly object[]): Promise<void> {
  await execute(
    tx,
    sql`
    update credentials set public_keys = ${JSON.stringify(keys)} where tenant_id = ${tenantId} and id = ${id}`,
  );
}

export type CredentialChange = {
  readonly name?: string | undefined;
  readonly isEnabled?: boolean | undefined;
  readonly ownerUserId?: string | undefined;
  /** Undefined leaves the networks unchanged; null allows every network. */
  readonly allowedNetworks?: readonly string[] | null | undefined;
  /** Undefined leaves the refusal unchanged; null clears it. */
  readonly refusedBy?: string | null | undefined;
};

export async function updateCredential(
  tx: Tx,
  tenantId: string,
  id: string,
  { name, isEnabled, ownerUserId, allowedNetworks, refusedBy }: CredentialChange,
): Promise<void> {
  await execute(
    tx,
    // PostgreSQL writes a network in its shortest form and cuts off the bits beyond the prefix.
    sql`
    update credentials
       set name = coalesce(${name ?? null}, name), is_enabled = coalesce(${isEnabled ?? null}, is_enabled),
           owner_user_id = coalesce(${ownerUserId ?? null}, owner_user_id),
           refused_by = case when ${refusedBy === undefined} then refused_by else ${refusedBy ?? null} end,
           allowed_networks = case when ${allowedNetworks === undefined} then allowed_networks
             else nullif(array(select distinct network(each::inet)::cidr
                                 from unnest(${allowedNetworks ?? []}::text[]) as each order by 1), '{}') end
     where tenant_id = ${tenantId} and id = ${id}`,
  );
}

/** The address for mail to the owner of a credential. */
export async function findOwnerEmail(tx: Tx, userId: string): Promise<string | undefined> {
  const [owner] = await rows<{ email: string }>(tx, sql`select email from users where id = ${userId}`);
  return owner?.email;
}

export type OwnedCredential = {
  readonly name: string;
  readonly tenantName: string;
  readonly scopes: readonly Scope[];
  readonly isEnabled: boolean;
  readonly isRefused: boolean;
};

/** Undefined unless the person is a member and owns the credential. */
export async function findOwned(
  tx: Tx,
  { tenantId, credentialId, userId }: { tenantId: string; credentialId: string; userId: string },
): Promise<OwnedCredential | undefined> {
  const [owned] = await rows<OwnedCredential>(
    tx,
    sql`
    select credentials.name, tenants.name as "tenantName", scopes, credentials.is_enabled as "isEnabled",
           refused_by is not distinct from owner_user_id as "isRefused"
      from credentials
      join tenants on tenants.id = credentials.tenant_id
      join memberships on memberships.tenant_id = credentials.tenant_id
                      and memberships.user_id = credentials.owner_user_id and memberships.removed_at is null
     where credentials.tenant_id = ${tenantId} and credentials.id = ${credentialId} and owner_user_id = ${userId}`,
  );
  return owned;
}

export type NamedCredential = { readonly name: string; readonly tenantId: string; readonly tenantName: string };

/** As the system role, for a mail. Undefined once the credential has another owner. */
export async function findCredentialOf(tx: Tx, id: string, email: string): Promise<NamedCredential | undefined> {
  const [credential] = await rows<NamedCredential>(
    tx,
    sql`
    select credentials.name, tenants.id as "tenantId", tenants.name as "tenantName"
      from credentials
      join tenants on tenants.id = credentials.tenant_id and tenants.is_enabled
      join users on users.id = credentials.owner_user_id and users.email = ${email}
      join memberships on memberships.tenant_id = credentials.tenant_id and memberships.user_id = users.id
                      and memberships.removed_at is null
     where credentials.id = ${id}`,
  );
  return credential;
}

/** As the system role. Skips a row that another transaction holds: the next use writes it. */
export async function updateLastUsed(tx: Tx, ids: readonly string[]): Promise<void> {
  await execute(
    tx,
    sql`
    update credentials set last_used_at = clock_timestamp()
     where id in (select id from credentials where id = any (${ids}::uuid[]) order by id
                     for no key update skip locked)`,
  );
}
