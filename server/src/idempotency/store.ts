// Idempotency keys as rows: one per tenant, caller, route and key. A row without an answer belongs to a request that is
// still being worked on.
import { execute, rows, sql, type Tx } from '../lib/sql.ts';

export type KeyScope = {
  readonly tenantId: string;
  readonly callerId: string;
  readonly route: string;
  readonly keyHash: Buffer;
};

/** True when no other transaction holds the key just now; ours then holds it to its end. */
export async function lockKey(tx: Tx, scope: KeyScope): Promise<boolean> {
  const [row] = await rows<{ isOurs: boolean }>(
    tx,
    sql`
    select pg_try_advisory_xact_lock(hashtextextended(
             concat_ws('|', ${scope.tenantId}::text, ${scope.callerId}::text, ${scope.route}::text,
                       encode(${scope.keyHash}::bytea, 'hex')), 0)) as "isOurs"`,
  );
  return row?.isOurs === true;
}

/** True when the key is now ours; a day-old row is void. Call it with the key locked. */
export async function insertKey(tx: Tx, scope: KeyScope, fingerprint: Buffer): Promise<boolean> {
  const claimed = await execute(
    tx,
    sql`
    insert into idempotency_keys as kept (tenant_id, caller_id, route, key_hash, fingerprint)
    values (${scope.tenantId}, ${scope.callerId}, ${scope.route}, ${scope.keyHash}, ${fingerprint})
    on conflict (tenant_id, caller_id, route, key_hash) do update
       set fingerprint = excluded.fingerprint, answer = null, credit_report_id = null, created_at = excluded.created_at
     where kept.created_at < clock_timestamp() - interval '24 hours'`,
  );
  return claimed === 1;
}

export async function getKey(tx: Tx, scope: KeyScope): Promise<{ fingerprint: Buffer; answer: unknown }> {
  const [row] = await rows<{ fingerprint: Buffer; answer: unknown }>(
    tx,
    sql`
    select fingerprint, answer from idempotency_keys
     where tenant_id = ${scope.tenantId} and caller_id = ${scope.callerId}
       and route = ${scope.route} and key_hash = ${scope.keyHash}`,
  );
  if (!row) throw new Error('an idempotency key vanished while it was held');
  return row;
}

export async function updateAnswer(tx: Tx, scope: KeyScope, creditReportId: string, answer: object): Promise<void> {
  await execute(
    tx,
    sql`
    update idempotency_keys set answer = ${JSON.stringify(answer)}, credit_report_id = ${creditReportId}
     where tenant_id = ${scope.tenantId} and caller_id = ${scope.callerId}
       and route = ${scope.route} and key_hash = ${scope.keyHash}`,
  );
}

export async function updateReportOfKey(tx: Tx, scope: KeyScope, creditReportId: string): Promise<void> {
  await execute(
    tx,
    sql`
    update idempotency_keys set credit_report_id = ${creditReportId}
     where tenant_id = ${scope.tenantId} and caller_id = ${scope.callerId}
       and route = ${scope.route} and key_hash = ${scope.keyHash}`,
  );
}

export async function deleteKeys(tx: Tx, scopes: readonly KeyScope[]): Promise<void> {
  if (scopes.length === 0) return;
  await execute(
    tx,
    sql`
    delete from idempotency_keys as kept
     using unnest(${scopes.map((scope) => scope.tenantId)}::uuid[], ${scopes.map((scope) => scope.callerId)}::uuid[],
                  ${scopes.map((scope) => scope.route)}::text[], ${scopes.map((scope) => scope.keyHash)}::bytea[])
           as gone (tenant_id, caller_id, route, key_hash)
     where kept.tenant_id = gone.tenant_id and kept.caller_id = gone.caller_id
       and kept.route = gone.route and kept.key_hash = gone.key_hash`,
  );
}

export type NewKey = KeyScope & { readonly fingerprint: Buffer; readonly creditReportId: string };

/**
 * The keys that are now ours, each with its report and no answer yet. Rows of others are left alone and unlocked: whoever
 * holds one may be waiting for a wallet that we hold.
 */
export function insertKeys(tx: Tx, keys: readonly NewKey[]): Promise<KeyScope[]> {
  return rows<KeyScope>(
    tx,
    sql`
    insert into idempotency_keys (tenant_id, caller_id, route, key_hash, fingerprint, credit_report_id)
    select * from unnest(${keys.map((key) => key.tenantId)}::uuid[], ${keys.map((key) => key.callerId)}::uuid[],
                         ${keys.map((key) => key.route)}::text[], ${keys.map((key) => key.keyHash)}::bytea[],
                         ${keys.map((key) => key.fingerprint)}::bytea[], ${keys.map((key) => key.creditReportId)}::uuid[])
     -- One order for all: two transactions that claim the same keys must not wait for each other.
     order by 1, 2, 3, 4
    on conflict do nothing
    returning tenant_id as "tenantId", caller_id as "callerId", route, key_hash as "keyHash"`,
  );
}

/** Takes rows of a day ago, which are void, for these keys. */
export function takeVoidKeys(tx: Tx, keys: readonly NewKey[]): Promise<KeyScope[]> {
  return rows<KeyScope>(
    tx,
    sql`
    update idempotency_keys as kept
       set fingerprint = taken.fingerprint, answer = null, credit_report_id = taken.credit_report_id,
           created_at = clock_timestamp()
      from unnest(${keys.map((key) => key.tenantId)}::uuid[], ${keys.map((key) => key.callerId)}::uuid[],
                  ${keys.map((key) => key.route)}::text[], ${keys.map((key) => key.keyHash)}::bytea[],
                  ${keys.map((key) => key.fingerprint)}::bytea[], ${keys.map((key) => key.creditReportId)}::uuid[])
           as taken (tenant_id, caller_id, route, key_hash, fingerprint, credit_report_id)
     where kept.tenant_id = taken.tenant_id and kept.caller_id = taken.caller_id and kept.route = taken.route
       and kept.key_hash = taken.key_hash and kept.created_at < clock_timestamp() - interval '24 hours'
    returning kept.tenant_id as "tenantId", kept.caller_id as "callerId", kept.route, kept.key_hash as "keyHash"`,
  );
}

export type KeptKey = KeyScope & {
  readonly isVoid: boolean;
  readonly fingerprint: Buffer;
  readonly creditReportId: string | null;
  readonly answer: object | null;
};

export function listKeys(tx: Tx, scopes: readonly KeyScope[]): Promise<KeptKey[]> {
  return rows<KeptKey>(
    tx,
    sql`
    select kept.tenant_id as "tenantId", kept.caller_id as "callerId", kept.route, kept.key_hash as "keyHash",
           fingerprint, credit_report_id as "creditReportId", answer,
           created_at < clock_timestamp() - interval '24 hours' as "isVoid"
      from unnest(${scopes.map((scope) => scope.tenantId)}::uuid[], ${scopes.map((scope) => scope.callerId)}::uuid[],
                  ${scopes.map((scope) => scope.route)}::text[], ${scopes.map((scope) => scope.keyHash)}::bytea[])
           as asked (tenant_id, caller_id, route, key_hash)
      join idempotency_keys as kept
        on kept.tenant_id = asked.tenant_id and kept.caller_id = asked.caller_id
       and kept.route = asked.route and kept.key_hash = asked.key_hash`,
  );
}

export type AnswerOfReport = { readonly tenantId: string; readonly creditReportId: string; readonly answer: object };

/** Answers every key that waits for one of these reports. */
export async function updateAnswersOfReports(tx: Tx, answers: readonly AnswerOfReport[]): Promise<void> {
  if (answers.length === 0) return;
  await execute(
    tx,
    sql`
    update idempotency_keys as kept set answer = given.answer
      from unnest(${answers.map((each) => each.tenantId)}::uuid[], ${answers.map((each) => each.creditReportId)}::uuid[],
                  ${answers.map((each) => JSON.stringify(each.answer))}::json[])
           as given (tenant_id, credit_report_id, answer)
     where kept.tenant_id = given.tenant_id and kept.credit_report_id = given.credit_report_id
       and kept.answer is null`,
  );
}
