// Credentials and their secrets, with what decides whether a client may act. Runs as the system role.
import type { Role, Scope } from '@trefoil/contract';
import { execute, rows, sql, type Tx } from '../../lib/postgres/sql.ts';

export type AuthMethod = 'client_secret' | 'private_key_jwt';

/** A stored public key: a JSON Web Key with the member who added it. Without `made_by`, the operator added it. */
export type KeptKey = { readonly kid?: string; readonly made_by?: string };

/** A credential with everything that decides whether it may act now. */
export type Client = {
  readonly id: string;
  readonly tenantId: string;
  readonly authMethod: AuthMethod;
  readonly scopes: readonly Scope[];
  readonly publicKeys: readonly KeptKey[] | null;
  readonly secretHashes: readonly Buffer[];
  readonly ownerUserId: string;
  readonly isEnabled: boolean;
  readonly isTenantEnabled: boolean;
  /** The owner's role: a credential can do no more than the person who answers for it. */
  readonly ownerRole: Role;
  readonly isTestOnly: boolean;
  /** Null: from anywhere. */
  readonly allowedNetworks: readonly string[] | null;
  readonly ratePerSecond: number | null;
  readonly rateBurst: number | null;
  /** Tokens issued at a lower epoch are no longer valid (docs/decisions/0151-what-a-member-made.md). */
  readonly tokenEpoch: number;
};

export async function findClient(tx: Tx, id: string): Promise<Client | undefined> {
  const [client] = await listClients(tx, [id]);
  return client;
}

/** The clients that exist among these ids. A secret or key does not work while the person who made it is disabled. */
export function listClients(tx: Tx, ids: readonly string[]): Promise<Client[]> {
  return rows<Client>(
    tx,
    sql`
    select credentials.id, credentials.tenant_id as "tenantId", credentials.auth_method as "authMethod",
           array(select scope from unnest(credentials.scopes) with ordinality as given (scope, place)
                  where scope = any (roles.scopes) order by place) as scopes,
           case when auth_method = 'private_key_jwt' then
             (select coalesce(jsonb_agg(key order by place) filter (where makers.is_enabled is not false), '[]')
                from jsonb_array_elements(public_keys) with ordinality as each (key, place)
                left join users as makers on makers.id = (key ->> 'made_by')::uuid) end as "publicKeys",
           credentials.owner_user_id as "ownerUserId",
           credentials.is_enabled and users.is_enabled and memberships.removed_at is null as "isEnabled",
           tenants.is_enabled as "isTenantEnabled", memberships.role as "ownerRole",
           credentials.is_test_only as "isTestOnly", credentials.allowed_networks::text[] as "allowedNetworks",
           tenants.rate_per_second as "ratePerSecond", tenants.rate_burst as "rateBurst",
           credentials.token_epoch as "tokenEpoch",
           array(select secret_hash from credential_secrets
                  where credential_secrets.tenant_id = credentials.tenant_id
                    and credential_secrets.credential_id = credentials.id
                    and (expires_at is null or expires_at > clock_timestamp())
                    and not exists (select from users as makers where makers.id = made_by and not makers.is_enabled))
             as "secretHashes"
      from credentials
      join tenants on tenants.id = credentials.tenant_id
      join users on users.id = credentials.owner_user_id
      join memberships on memberships.tenant_id = credentials.tenant_id
                      and memberships.user_id = credentials.owner_user_id
      join roles on roles.name = memberships.role
     where credentials.id = any (${ids}::uuid[])`,
  );
}

/** Whether this secret of the credential has expired. */
export async function hasRetiredSecret(tx: Tx, credentialId: string, secretHash: Buffer): Promise<boolean> {
  const found = await rows(
    tx,
    sql`
    select from credential_secrets
      join credentials on credentials.tenant_id = credential_secrets.tenant_id
                      and credentials.id = credential_secrets.credential_id
     where credentials.id = ${credentialId}::uuid and secret_hash = ${secretHash} and expires_at <= clock_timestamp()`,
  );
  return found.length > 0;
}

const LIST_LIMIT = 1_000;

/** Ends the tokens of every credential for which the person made a secret or a key: they may have been obtained with it. */
export async function updateTokenEpochsOf(tx: Tx, userId: string): Promise<void> {
  await execute(
    tx,
    sql`
    update credentials set token_epoch = token_epoch + 1
     where public_keys @> jsonb_build_array(jsonb_build_object('made_by', ${userId}::text))
        or id in (select credential_id from credential_secrets where made_by = ${userId})`,
  );
}

export type NewCredential = {
  readonly tenantId: string;
  readonly id: string;
  readonly name: string;
  readonly ownerUserId: string;
  readonly authMethod: AuthMethod;
  readonly scopes: readonly Scope[];
  readonly publicKeys: readonly KeptKey[] | undefined;
  readonly isTestOnly?: boolean | undefined;
};

export async function insertCredential(tx: Tx, credential: NewCredential): Promise<void> {
  const { tenantId, id, name, ownerUserId, authMethod, scopes, publicKeys, isTestOnly = false } = credential;
  await execute(
    tx,
    sql`
    insert into credentials (tenant_id, id, name, owner_user_id, auth_method, scopes, public_keys, is_test_only)
    values (${tenantId}, ${id}, ${name}, ${ownerUserId}, ${authMethod}, ${scopes},
            ${publicKeys ? JSON.stringify(publicKeys) : null}, ${isTestOnly})`,
  );
}

export async function insertSecret(
  tx: Tx,
  secret: { tenantId: string; credentialId: string; id: string; secretHash: Buffer; madeBy: string | null },
): Promise<void> {
  await execute(
    tx,
    sql`
    insert into credential_secrets (tenant_id, credential_id, id, secret_hash, made_by)
    values (${secret.tenantId}, ${secret.credentialId}, ${secret.id}, ${secret.secretHash}, ${secret.madeBy})`,
  );
}

/** Every live secret ends after the grace period, unless it ends earlier anyway. */
export async function updateSecretsExpiry(
  tx: Tx,
  tenantId: string,
  credentialId: string,
  graceSeconds: number,
): Promise<void> {
  await execute(
    tx,
    sql`
    update credential_secrets
       set expires_at = least(expires_at, clock_timestamp() + make_interval(secs => ${graceSeconds}))
     where tenant_id = ${tenantId} and credential_id = ${credentialId}`,
  );
}

export async function updateCredentialEnabled(tx: Tx, credentialId: string, isEnabled: boolean): Promise<boolean> {
  return (await execute(tx, sql`update credentials set is_enabled = ${isEnabled} where id = ${credentialId}`)) === 1;
}

export type CredentialLine = {
  readonly id: string;
  readonly tenantId: string;
  readonly name: string;
  readonly authMethod: AuthMethod;
  readonly scopes: readonly Scope[];
  readonly ownerEmail: string;
  readonly isEnabled: boolean;
};

export async function listCredentials(tx: Tx, tenantId: string): Promise<CredentialLine[]> {
  return rows<CredentialLine>(
    tx,
    sql`
    select credentials.id, credentials.tenant_id as "tenantId", credentials.name,
           credentials.auth_method as "authMethod", credentials.scopes, users.email as "ownerEmail",
           credentials.is_enabled as "isEnabled"
      from credentials join users on users.id = credentials.owner_user_id
     where credentials.tenant_id = ${tenantId}
     order by credentials.id limit ${LIST_LIMIT}`,
  );
}

type CredentialState = CredentialLine & {
  /** The owner is enabled and still a member of the tenant. */
  readonly isOwnerActive: boolean;
  readonly isTenantEnabled: boolean;
  readonly liveSecrets: number;
  readonly createdAt: Date;
};

/** Every credential with everything that can stop it, but never a secret's hash. */
export async function listCredentialStates(tx: Tx, tenantId: string): Promise<CredentialState[]> {
  return rows<CredentialState>(
    tx,
    sql`
    select credentials.id, credentials.tenant_id as "tenantId", credentials.name,
           credentials.auth_method as "authMethod", credentials.scopes, users.email as "ownerEmail",
           credentials.is_enabled as "isEnabled",
           users.is_enabled and memberships.removed_at is null as "isOwnerActive",
           tenants.is_enabled as "isTenantEnabled", credentials.created_at as "createdAt",
           (select count(*) from credential_secrets
             where credential_secrets.tenant_id = credentials.tenant_id
               and credential_secrets.credential_id = credentials.id
               and (expires_at is null or expires_at > clock_timestamp())) as "liveSecrets"
      from credentials
      join users on users.id = credentials.owner_user_id
      join tenants on tenants.id = credentials.tenant_id
      join memberships on memberships.tenant_id = credentials.tenant_id
                      and memberships.user_id = credentials.owner_user_id
     where credentials.tenant_id = ${tenantId}
     order by credentials.id limit ${LIST_LIMIT}`,
  );
}
