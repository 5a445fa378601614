// A tenant's credentials as its own people run them. Runs as the app role, within the wall; never shows a secret's hash.
import type { Role, Scope } from '@trefoil/contract';
import { execute, rows, sql, type Tx } from '../../lib/sql.ts';
import type { AuthMethod } from '../store.ts';

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
  readonly publicKeys: readonly { readonly kid?: string }[] | null;
  readonly secrets: readonly { readonly id: string; readonly createdAt: string; readonly endsAt: string | null }[];
  readonly createdAt: Date;
  readonly lastUsedAt: Date | null;
};

const HIGHEST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** Newest first. Live secrets only, by the database's clock. */
export function listCredentialRows(
  tx: Tx,
  tenantId: string,
  which: { readonly id?: string; readonly beforeId?: string | undefined },
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
                                                       'endsAt', secrets.expires_at)
                                     order by secrets.created_at desc, secrets.id desc)
                       from credential_secrets as secrets
                      where secrets.tenant_id = credentials.tenant_id and secrets.credential_id = credentials.id
                        and (expires_at is null or expires_at > clock_timestamp())), '[]') as secrets,
           credentials.created_at as "createdAt", last_used_at as "lastUsedAt"
      from credentials
      join memberships on memberships.tenant_id = credentials.tenant_id
                      and memberships.user_id = credentials.owner_user_id
      join users on users.id = credentials.owner_user_id
     where credentials.tenant_id = ${tenantId} and credentials.id = coalesce(${which.id ?? null}::uuid, credentials.id)
       and credentials.id < ${which.beforeId ?? HIGHEST_ID}
     order by credentials.id desc limit ${limit}`,
  );
}

export type LockedCredential = { readonly authMethod: AuthMethod; readonly scopes: readonly Scope[] };

/** Locked, because two changes at once must not both find room for a secret. Undefined also when another tenant's. */
export async function lockCredential(tx: Tx, tenantId: string, id: string): Promise<LockedCredential | undefined> {
  const [credential] = await rows<LockedCredential>(
    tx,
    sql`
    select auth_method as "authMethod", scopes from credentials
     where tenant_id = ${tenantId} and id = ${id} for no key update`,
  );
  return credential;
}

/**
 * Held in the order of people, so that nobody takes a role away until this is done. Who is no member or is disabled has
 * none.
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

/** Says whether there was such a live secret. */
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
  /** Undefined leaves it; null is anywhere. */
  readonly allowedNetworks?: readonly string[] | null | undefined;
};

export async function updateCredential(
  tx: Tx,
  tenantId: string,
  id: string,
  { name, isEnabled, ownerUserId, allowedNetworks }: CredentialChange,
): Promise<void> {
  await execute(
    tx,
    // The database writes networks in their one shortest form and cuts off what lies beyond the prefix.
    sql`
    update credentials
       set name = coalesce(${name ?? null}, name), is_enabled = coalesce(${isEnabled ?? null}, is_enabled),
           owner_user_id = coalesce(${ownerUserId ?? null}, owner_user_id),
           allowed_networks = case when ${allowedNetworks === undefined} then allowed_networks
             else nullif(array(select distinct network(each::inet)::cidr
                                 from unnest(${allowedNetworks ?? []}::text[]) as each order by 1), '{}') end
     where tenant_id = ${tenantId} and id = ${id}`,
  );
}

/** As the system role. A row that somebody is changing is left out: it is noted at the next use. */
export async function updateLastUsed(tx: Tx, ids: readonly string[]): Promise<void> {
  await execute(
    tx,
    sql`
    update credentials set last_used_at = clock_timestamp()
     where id in (select id from credentials where id = any (${ids}::uuid[]) order by id
                     for no key update skip locked)`,
  );
}
