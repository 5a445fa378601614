// People's factors: passwords, authenticator apps, recovery codes, passkeys, and the count of wrong
// second factors. Runs as the system role; the app role cannot read these tables.
import { execute, rows, sql, type Tx } from '../../lib/postgres/sql.ts';

export async function upsertPassword(tx: Tx, userId: string, passwordHash: string): Promise<void> {
  await execute(
    tx,
    sql`
    insert into user_passwords (user_id, hash) values (${userId}, ${passwordHash})
    on conflict (user_id) do update set hash = excluded.hash, changed_at = clock_timestamp()`,
  );
}

export async function findPasswordHash(tx: Tx, userId: string): Promise<string | undefined> {
  const [row] = await rows<{ hash: string }>(tx, sql`select hash from user_passwords where user_id = ${userId}`);
  return row?.hash;
}

export type PasswordHolder = {
  readonly userId: string;
  readonly isEnabled: boolean;
  readonly passwordHash: string | null;
  /** When the password was read, in whole seconds. Later than the password's last change: see `insertSignIn`. */
  readonly seenAtSeconds: number;
};

/** Expects the address in lower case, as it is stored. */
export async function findPasswordHolder(tx: Tx, email: string): Promise<PasswordHolder | undefined> {
  const [row] = await rows<PasswordHolder>(
    tx,
    sql`
    select users.id as "userId", users.is_enabled as "isEnabled", user_passwords.hash as "passwordHash",
           greatest(floor(extract(epoch from clock_timestamp())),
                    ceil(extract(epoch from user_passwords.changed_at)) + 1)::int as "seenAtSeconds"
      from users left join user_passwords on user_passwords.user_id = users.id
     where users.email = ${email}`,
  );
  return row;
}

export type GuessCount = {
  readonly failures: number;
  readonly since: Date;
  readonly dayFailures: number;
  readonly daySince: Date | null;
  readonly warnedAt: Date | null;
};

/** Locked, because fifty parallel guesses must not all read the same count. The clock is read after the lock is held. */
export async function lockGuesses(tx: Tx, userId: string): Promise<GuessCount & { readonly now: Date }> {
  await execute(tx, sql`insert into user_guesses (user_id) values (${userId}) on conflict (user_id) do nothing`);
  await execute(tx, sql`select 1 from user_guesses where user_id = ${userId} for update`);
  const [row] = await rows<GuessCount & { now: Date }>(
    tx,
    sql`
    select failures, since, day_failures as "dayFailures", day_since as "daySince", warned_at as "warnedAt",
           clock_timestamp() as now
      from user_guesses where user_id = ${userId}`,
  );
  if (!row) throw new Error('a locked row no longer exists');
  return row;
}

export async function updateGuesses(tx: Tx, userId: string, count: GuessCount): Promise<void> {
  await execute(
    tx,
    sql`
    update user_guesses
       set failures = ${count.failures}, since = ${count.since}, day_failures = ${count.dayFailures},
           day_since = ${count.daySince}, warned_at = ${count.warnedAt}
     where user_id = ${userId}`,
  );
}

export type Totp = { readonly sealedSecret: Buffer; readonly lastStep: number };

/** The ring keys that seal authenticator secrets; the key's id is the prefix of the sealed text (`seal-secret.ts`). */
export async function listTotpKeys(tx: Tx): Promise<string[]> {
  const found = await rows<{ id: string }>(
    tx,
    sql`
    select distinct convert_from(substring(sealed_secret from 2 for get_byte(sealed_secret, 0)), 'UTF8') as id
      from user_totps`,
  );
  return found.map(({ id }) => id);
}

/** People whose authenticator secret is sealed by another key than this one, in the order of their ids. */
export async function listTotpsBehind(
  tx: Tx,
  ringKeyId: string,
  { afterId, limit }: { readonly afterId: string; readonly limit: number },
): Promise<string[]> {
  const found = await rows<{ userId: string }>(
    tx,
    sql`
    select user_id as "userId" from user_totps
     where user_id > ${afterId}
       and convert_from(substring(sealed_secret from 2 for get_byte(sealed_secret, 0)), 'UTF8') <> ${ringKeyId}
     order by user_id limit ${limit}`,
  );
  return found.map(({ userId }) => userId);
}

export async function updateTotpSealed(tx: Tx, userId: string, sealedSecret: Buffer): Promise<void> {
  await execute(tx, sql`update user_totps set sealed_secret = ${sealedSecret} where user_id = ${userId}`);
}

/** Locked, because one code must not be accepted twice. */
export async function lockTotp(tx: Tx, userId: string): Promise<Totp | undefined> {
  const [row] = await rows<Totp>(
    tx,
    sql`
    select sealed_secret as "sealedSecret", last_step as "lastStep"
      from user_totps where user_id = ${userId} for update`,
  );
  return row;
}

/** False when the person already has an app, which they must remove first. Sets the person's `totp_enabled` flag too. */
export async function insertTotp(
  tx: Tx,
  userId: string,
  first: { step: number; sealedSecret: Buffer },
): Promise<boolean> {
  const inserted = await execute(
    tx,
    sql`
    insert into user_totps (user_id, sealed_secret, confirmed_at, last_step)
    values (${userId}, ${first.sealedSecret}, clock_timestamp(), ${first.step})
    on conflict (user_id) do nothing`,
  );
  if (inserted === 1) await execute(tx, sql`update users set totp_enabled = true where id = ${userId}`);
  return inserted === 1;
}

export async function updateTotpUsed(
  tx: Tx,
  userId: string,
  used: { step: number; sealedSecret: Buffer },
): Promise<void> {
  await execute(
    tx,
    sql`
    update user_totps set last_step = ${used.step}, sealed_secret = ${used.sealedSecret}
     where user_id = ${userId}`,
  );
}

/** Returns false when the person had no app. */
export async function deleteTotp(tx: Tx, userId: string): Promise<boolean> {
  const gone = await execute(tx, sql`delete from user_totps where user_id = ${userId}`);
  await execute(tx, sql`update users set totp_enabled = false where id = ${userId}`);
  return gone === 1;
}

export async function getNow(tx: Tx): Promise<Date> {
  const [row] = await rows<{ now: Date }>(tx, sql`select clock_timestamp() as now`);
  if (!row) throw new Error('the database returned no time');
  return row.now;
}

/** `keyId` is the hash key's; null in rows of the previous release. */
type NewRecoveryCodes = { readonly keyId: string | null; readonly codeHashes: readonly Buffer[] };

export async function replaceRecoveryCodes(
  tx: Tx,
  userId: string,
  { keyId, codeHashes }: NewRecoveryCodes = { keyId: null, codeHashes: [] },
): Promise<void> {
  await execute(tx, sql`delete from user_recovery_codes where user_id = ${userId}`);
  for (const codeHash of codeHashes) {
    await execute(
      tx,
      sql`insert into user_recovery_codes (user_id, code_hash, key_id) values (${userId}, ${codeHash}, ${keyId})`,
    );
  }
}

/** Another text once codes were used or replaced. */
export async function getRecoveryMark(tx: Tx, userId: string): Promise<string> {
  const [row] = await rows<{ mark: string }>(
    tx,
    sql`
    select coalesce(string_agg(encode(code_hash, 'hex'), ' ' order by code_hash), '') as mark
      from user_recovery_codes where user_id = ${userId}`,
  );
  return row?.mark ?? '';
}

/** True for exactly one of the concurrent requests that present the same code. */
export async function deleteRecoveryCode(tx: Tx, userId: string, codeHashes: readonly Buffer[]): Promise<boolean> {
  const gone = await execute(
    tx,
    sql`delete from user_recovery_codes where user_id = ${userId} and code_hash = any (${codeHashes}::bytea[])`,
  );
  return gone === 1;
}

export type FactorSummary = { readonly hasTotp: boolean; readonly recoveryCodes: number; readonly passkeys: number };

export async function getFactorSummary(tx: Tx, userId: string): Promise<FactorSummary> {
  const [row] = await rows<FactorSummary>(
    tx,
    sql`
    select exists (select 1 from user_totps where user_id = ${userId}) as "hasTotp",
           (select count(*) from user_recovery_codes where user_id = ${userId}) as "recoveryCodes",
           (select count(*) from user_passkeys where user_id = ${userId}) as "passkeys"`,
  );
  if (!row) throw new Error('a count returned no row');
  return row;
}

export type RecoveryKey = { readonly keyId: string | null; readonly people: number };

export function listRecoveryKeys(tx: Tx): Promise<RecoveryKey[]> {
  return rows<RecoveryKey>(
    tx,
    sql`select key_id as "keyId", count(distinct user_id)::int as people from user_recovery_codes group by key_id`,
  );
}
