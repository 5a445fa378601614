// People, credentials and their secrets. Runs as the system role.
import type { Role, Scope } from '@trefoil/contract';
import { execute, rows, sql, type Tx } from '../lib/sql.ts';

export type AuthMethod = 'client_secret' | 'private_key_jwt';

/** A credential with all that decides whether it may act now. */
export type Client = {
  readonly id: string;
  readonly tenantId: string;
  readonly authMethod: AuthMethod;
  readonly scopes: readonly Scope[];
  readonly publicKeys: readonly object[] | null;
  readonly secretHashes: readonly Buffer[];
  readonly ownerUserId: string;
  readonly isEnabled: boolean;
  readonly isTenantEnabled: boolean;
  /** Its owner's: a credential can do no more than the person who answers for it. */
  readonly ownerRole: Role;
  readonly isTestOnly: boolean;
  /** Null: from anywhere. */
  readonly allowedNetworks: readonly string[] | null;
  readonly ratePerSecond: number | null;
  readonly rateBurst: number | null;
};

export async function findClient(tx: Tx, id: string): Promise<Client | undefined> {
  const [client] = await listClients(tx, [id]);
  return client;
}

/** Those of them that there are. */
export function listClients(tx: Tx, ids: readonly string[]): Promise<Client[]> {
  return rows<Client>(
    tx,
    sql`
    select credentials.id, credentials.tenant_id as "tenantId", credentials.auth_method as "authMethod",
           array(select scope from unnest(credentials.scopes) with ordinality as given (scope, place)
                  where scope = any (roles.scopes) order by place) as scopes,
           credentials.public_keys as "publicKeys", credentials.owner_user_id as "ownerUserId",
           credentials.is_enabled and users.is_enabled and memberships.removed_at is null as "isEnabled",
           tenants.is_enabled as "isTenantEnabled", memberships.role as "ownerRole",
           credentials.is_test_only as "isTestOnly", credentials.allowed_networks::text[] as "allowedNetworks",
           tenants.rate_per_second as "ratePerSecond", tenants.rate_burst as "rateBurst",
           array(select secret_hash from credential_secrets
                  where credential_secrets.tenant_id = credentials.tenant_id
                    and credential_secrets.credential_id = credentials.id
                    and (expires_at is null or expires_at > clock_timestamp())) as "secretHashes"
      from credentials
      join tenants on tenants.id = credentials.tenant_id
      join users on users.id = credentials.owner_user_id
      join memberships on memberships.tenant_id = credentials.tenant_id
                      and memberships.user_id = credentials.owner_user_id
      join roles on roles.name = memberships.role
     where credentials.id = any (${ids}::uuid[])`,
  );
}

export type NewUser = {
  readonly id: string;
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
};

export async function insertUser(tx: Tx, user: NewUser): Promise<void> {
  await execute(
    tx,
    sql`
    insert into users (id, email, first_name, last_name)
    values (${user.id}, ${user.email}, ${user.firstName}, ${user.lastName})`,
  );
}

export type User = NewUser & { readonly totpEnabled: boolean; readonly isEnabled: boolean; readonly createdAt: Date };

export async function findUser(tx: Tx, id: string): Promise<User | undefined> {
  const [user] = await rows<User>(
    tx,
    sql`
    select id, email, first_name as "firstName", last_name as "lastName", totp_enabled as "totpEnabled",
           is_enabled as "isEnabled", created_at as "createdAt"
      from users where id = ${id}`,
  );
  return user;
}

const LIST_LIMIT = 1_000;

export async function listUsers(tx: Tx): Promise<User[]> {
  return rows<User>(
    tx,
    sql`
    select id, email, first_name as "firstName", last_name as "lastName", totp_enabled as "totpEnabled",
           is_enabled as "isEnabled", created_at as "createdAt"
      from users order by id limit ${LIST_LIMIT}`,
  );
}

/** Says whether there was such a user. */
export async function updateUserEnabled(tx: Tx, userId: string, isEnabled: boolean): Promise<boolean> {
  return (await execute(tx, sql`update users set is_enabled = ${isEnabled} where id = ${userId}`)) === 1;
}

export type NewCredential = {
  readonly tenantId: string;
  readonly id: string;
  readonly name: string;
  readonly ownerUserId: string;
  readonly authMethod: AuthMethod;
  readonly scopes: readonly Scope[];
  readonly publicKeys: readonly object[] | undefined;
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
  secret: { tenantId: string; credentialId: string; id: string; secretHash: Buffer },
): Promise<void> {
  await execute(
    tx,
    sql`
    insert into credential_secrets (tenant_id, credential_id, id, secret_hash)
    values (${secret.tenantId}, ${secret.credentialId}, ${secret.id}, ${secret.secretHash})`,
  );
}

/** Every secret that is live now ends after the grace time, if it would not end before. */
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

/** The address in lower case, as it is kept. */
export async function findUserByEmail(tx: Tx, email: string): Promise<User | undefined> {
  const [user] = await rows<User>(
    tx,
    sql`
    select id, email, first_name as "firstName", last_name as "lastName", totp_enabled as "totpEnabled",
           is_enabled as "isEnabled", created_at as "createdAt"
      from users where email = ${email}`,
  );
  return user;
}

type CredentialState = CredentialLine & {
  /** Enabled, and still a member of the tenant. */
  readonly isOwnerActive: boolean;
  readonly isTenantEnabled: boolean;
  readonly liveSecrets: number;
  readonly createdAt: Date;
};

/** Every credential with all that can stop it, but never a secret's hash. */
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
