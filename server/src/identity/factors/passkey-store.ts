// Passkeys: the public keys whose private keys people's devices hold. Runs as the system role.
import { execute, rows, sql, type Tx } from '../../lib/postgres/sql.ts';

export type Passkey = {
  readonly userId: string;
  readonly credentialId: Buffer;
  readonly publicKey: Buffer;
  readonly signCount: number;
  readonly transports: readonly string[];
  readonly name: string;
  readonly createdAt: Date;
  readonly lastUsedAt: Date | null;
};

const LIST_LIMIT = 50;

export async function listPasskeys(tx: Tx, userId: string): Promise<Passkey[]> {
  return rows<Passkey>(
    tx,
    sql`
    select user_id as "userId", credential_id as "credentialId", public_key as "publicKey", sign_count as "signCount",
           transports, name, created_at as "createdAt", last_used_at as "lastUsedAt"
      from user_passkeys where user_id = ${userId} order by created_at limit ${LIST_LIMIT}`,
  );
}

/** Locked, because two uses of one copied key must not both pass with the same count. Enabled people only. */
export async function lockPasskey(tx: Tx, credentialId: Buffer): Promise<Passkey | undefined> {
  const [row] = await rows<Passkey>(
    tx,
    sql`
    select user_id as "userId", credential_id as "credentialId", public_key as "publicKey", sign_count as "signCount",
           transports, name, user_passkeys.created_at as "createdAt", last_used_at as "lastUsedAt"
      from user_passkeys join users on users.id = user_id
     where credential_id = ${credentialId} and is_enabled
       for update of user_passkeys`,
  );
  return row;
}

export async function updatePasskeyUsed(tx: Tx, credentialId: Buffer, signCount: number): Promise<void> {
  await execute(
    tx,
    sql`
    update user_passkeys set sign_count = ${signCount}, last_used_at = clock_timestamp()
     where credential_id = ${credentialId}`,
  );
}

export type NewPasskey = Omit<Passkey, 'createdAt' | 'lastUsedAt'>;

/** False when the key is already stored for any person, or when the person already has the maximum number of passkeys. */
export async function insertPasskey(tx: Tx, passkey: NewPasskey): Promise<boolean> {
  const { userId, credentialId, publicKey, signCount, transports, name } = passkey;
  const inserted = await execute(
    tx,
    sql`
    insert into user_passkeys (user_id, credential_id, public_key, sign_count, transports, name)
    select ${userId}, ${credentialId}, ${publicKey}, ${signCount}, ${transports}, ${name}
     where (select count(*) from user_passkeys where user_id = ${userId}) < ${LIST_LIMIT}
    on conflict do nothing`,
  );
  return inserted === 1;
}

export async function deletePasskey(tx: Tx, userId: string, credentialId: Buffer): Promise<boolean> {
  const gone = await execute(
    tx,
    sql`delete from user_passkeys where user_id = ${userId} and credential_id = ${credentialId}`,
  );
  return gone === 1;
}

export async function deletePasskeys(tx: Tx, userId: string): Promise<number> {
  return execute(tx, sql`delete from user_passkeys where user_id = ${userId}`);
}
