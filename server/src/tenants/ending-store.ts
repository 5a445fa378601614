// What ends with a member besides their own access: the credentials they own, and the secrets and keys they made for
// any credential (docs/decisions/0151-what-a-member-made.md). Runs as the app role, under row-level security.
import type { MemberEndings } from '@trefoil/contract';
import { execute, rows, sql, type Tx } from '../lib/postgres/sql.ts';

type Endings = Omit<MemberEndings, 'invitations' | 'webhookEndpoints'>;

/**
 * The person, and the credentials that they own or made a secret or a key of, disabled and ended ones too: what one of these made,
 * the person may have made. Locks the credentials in id order, before any of them is changed (docs/decisions/0120-lock-order.md).
 */
export async function lockMakersOf(tx: Tx, tenantId: string, userId: string): Promise<string[]> {
  const credentials = await rows<{ id: string }>(
    tx,
    sql`
    select id from credentials
     where tenant_id = ${tenantId}
       and (owner_user_id = ${userId}
            or public_keys @> jsonb_build_array(jsonb_build_object('made_by', ${userId}::text))
            or id in (select credential_id from credential_secrets
                       where tenant_id = ${tenantId} and made_by = ${userId}))
     order by id for no key update`,
  );
  return [userId, ...credentials.map(({ id }) => id)];
}

/** Call it with the credentials locked, in a separate statement. */
export async function findEndings(tx: Tx, tenantId: string, userId: string): Promise<Endings> {
  const [credentials, secrets, keys] = await Promise.all([
    rows<Endings['credentials'][number]>(
      tx,
      sql`
      select id as "credentialId", name from credentials
       where tenant_id = ${tenantId} and owner_user_id = ${userId} and is_enabled order by id`,
    ),
    rows<Endings['secrets'][number]>(
      tx,
      sql`
      select credentials.id as "credentialId", name, secrets.id as "secretId"
        from credential_secrets as secrets
        join credentials on credentials.tenant_id = secrets.tenant_id and credentials.id = secrets.credential_id
       where secrets.tenant_id = ${tenantId} and made_by = ${userId}
         and (expires_at is null or expires_at > clock_timestamp())
       order by credentials.id, secrets.id`,
    ),
    rows<Endings['keys'][number]>(
      tx,
      sql`
      select id as "credentialId", name, key ->> 'kid' as "keyId"
        from credentials cross join jsonb_array_elements(public_keys) with ordinality as each (key, place)
       where tenant_id = ${tenantId} and auth_method = 'private_key_jwt' and key ->> 'made_by' = ${userId}
       order by id, place`,
    ),
  ]);
  return { credentials, secrets, keys };
}

/**
 * Credentials are disabled for good, and not only through their owner: if the person comes back, the credentials stay
 * disabled. A credential that loses a secret or a key starts a new epoch: its running tokens do not show which secret
 * or key obtained them, so all of them become invalid.
 */
export async function endCredentialsOf(tx: Tx, tenantId: string, userId: string, endings: Endings): Promise<void> {
  const proofs = [...endings.secrets, ...endings.keys].map(({ credentialId }) => credentialId);
  const keyed = endings.keys.map(({ credentialId }) => credentialId);
  // Pipelined: PostgreSQL runs them in this order.
  await Promise.all([
    execute(
      tx,
      sql`
      update credential_secrets set expires_at = clock_timestamp()
       where tenant_id = ${tenantId} and made_by = ${userId} and (expires_at is null or expires_at > clock_timestamp())`,
    ),
    execute(
      tx,
      sql`
      update credentials
         set is_enabled = is_enabled and owner_user_id <> ${userId},
             token_epoch = token_epoch + case when id = any (${proofs}::uuid[]) then 1 else 0 end,
             public_keys = case when id <> all (${keyed}::uuid[]) then public_keys
               else coalesce((select jsonb_agg(key order by place)
                                from jsonb_array_elements(public_keys) with ordinality as each (key, place)
                               where key ->> 'made_by' is distinct from ${userId}), '[]') end
       where tenant_id = ${tenantId} and (owner_user_id = ${userId} or id = any (${proofs}::uuid[]))`,
    ),
  ]);
}
