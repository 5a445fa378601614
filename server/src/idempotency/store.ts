// Idempotency keys as rows: one per tenant, caller, route and key, under each key of the hash ring. A row without an answer
// belongs to a request that is still in progress. A row is void when it is a day old, or when its subject frees it: the next
// request takes it over. The subject is what the request was about, mostly a report; its column keeps its first name.
import { OPERATIONS } from '@trefoil/contract';
import { agedTable } from '../lib/postgres/retention.ts';
import { execute, rows, sql, type Tx } from '../lib/postgres/sql.ts';

/** The keys of codes and messages keep their answers: only a generate can run again (docs/decisions/0056-idempotency.md). */
const GENERATE_ROUTE = `${OPERATIONS.generateCreditReport.method} ${OPERATIONS.generateCreditReport.path}`;

export type KeyScope = {
  readonly tenantId: string;
  readonly callerId: string;
  readonly route: string;
  readonly keyHash: Buffer;
};

/** The row of a key under one hash key. The request's fingerprint is under the same. */
export type KeyRow = KeyScope & { readonly fingerprint: Buffer };

type Rows = readonly [KeyRow, ...KeyRow[]];

const hashesOf = (keyRows: readonly KeyRow[]) => keyRows.map(({ keyHash }) => keyHash);

async function lockRow(tx: Tx, scope: KeyScope): Promise<boolean> {
  const [row] = await rows<{ isOurs: boolean }>(
    tx,
    sql`
    select pg_try_advisory_xact_lock(hashtextextended(
             concat_ws('|', ${scope.tenantId}::text, ${scope.callerId}::text, ${scope.route}::text,
                       encode(${scope.keyHash}::bytea, 'hex')), 0)) as "isOurs"`,
  );
  return row?.isOurs === true;
}

/** True when no other transaction holds one of the key's rows now; our transaction then holds all until it ends. */
export async function lockKey(tx: Tx, key: Rows): Promise<boolean> {
  // In one order for all nodes, and none after one that is held: of two requests at once one gets them all.
  for (const row of key.toSorted((a, b) => a.keyHash.compare(b.keyHash))) {
    if (!(await lockRow(tx, row))) return false;
  }
  return true;
}

/** The rows that are now ours, new or in place of a void one. Call it with the key locked. */
export function insertKey(tx: Tx, key: Rows): Promise<Pick<KeyScope, 'keyHash'>[]> {
  const [{ tenantId, callerId, route }] = key;
  return rows<Pick<KeyScope, 'keyHash'>>(
    tx,
    sql`
    insert into idempotency_keys as kept (tenant_id, caller_id, route, key_hash, fingerprint)
    select ${tenantId}::uuid, ${callerId}::uuid, ${route}::text, *
      from unnest(${hashesOf(key)}::bytea[], ${key.map(({ fingerprint }) => fingerprint)}::bytea[])
     -- The order of insertKeys.
     order by 4
    on conflict (tenant_id, caller_id, route, key_hash) do update
       set fingerprint = excluded.fingerprint, answer = null, credit_report_id = null, created_at = excluded.created_at
     where kept.created_at < clock_timestamp() - interval '24 hours'
        or (kept.route = ${GENERATE_ROUTE} and report_frees_its_key(kept.tenant_id, kept.credit_report_id))
    returning key_hash as "keyHash"`,
  );
}

export async function updateAnswer(tx: Tx, key: Rows, subjectId: string, answer: object): Promise<void> {
  const [{ tenantId, callerId, route }] = key;
  await execute(
    tx,
    sql`
    update idempotency_keys set answer = ${JSON.stringify(answer)}, credit_report_id = ${subjectId}
     where tenant_id = ${tenantId} and caller_id = ${callerId} and route = ${route}
       and key_hash = any (${hashesOf(key)}::bytea[])`,
  );
}

export async function updateSubjectOfKey(tx: Tx, key: Rows, subjectId: string): Promise<void> {
  const [{ tenantId, callerId, route }] = key;
  await execute(
    tx,
    sql`
    update idempotency_keys set credit_report_id = ${subjectId}
     where tenant_id = ${tenantId} and caller_id = ${callerId} and route = ${route}
       and key_hash = any (${hashesOf(key)}::bytea[])`,
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

export type NewKeyRow = KeyRow & { readonly subjectId: string };

/**
 * Claims keys, each with its subject and no answer yet, and returns those that are now ours. It neither changes nor
 * locks other requests' rows: the transaction that holds one may be waiting for a wallet that we hold.
 */
export function insertKeys(tx: Tx, keys: readonly NewKeyRow[]): Promise<KeyScope[]> {
  return rows<KeyScope>(
    tx,
    sql`
    insert into idempotency_keys (tenant_id, caller_id, route, key_hash, fingerprint, credit_report_id)
    select * from unnest(${keys.map((key) => key.tenantId)}::uuid[], ${keys.map((key) => key.callerId)}::uuid[],
                         ${keys.map((key) => key.route)}::text[], ${keys.map((key) => key.keyHash)}::bytea[],
                         ${keys.map((key) => key.fingerprint)}::bytea[], ${keys.map((key) => key.subjectId)}::uuid[])
     -- One order for all: two transactions that claim the same keys must not wait for each other.
     order by 1, 2, 3, 4
    on conflict do nothing
    returning tenant_id as "tenantId", caller_id as "callerId", route, key_hash as "keyHash"`,
  );
}

/** Takes over those of these rows that are void. */
export async function takeVoidKeys(tx: Tx, keys: readonly NewKeyRow[]): Promise<KeyScope[]> {
  const scopes = [
    keys.map((key) => key.tenantId),
    keys.map((key) => key.callerId),
    keys.map((key) => key.route),
    keys.map((key) => key.keyHash),
  ] as const;
  const [, taken] = await Promise.all([
    // Locks in one order, before the decision: of two transactions that want the same rows, the later one waits here
    // and then finds them taken.
    execute(
      tx,
      sql`
      select from unnest(${scopes[0]}::uuid[], ${scopes[1]}::uuid[], ${scopes[2]}::text[], ${scopes[3]}::bytea[])
             as wanted (tenant_id, caller_id, route, key_hash)
        join idempotency_keys as kept
          on kept.tenant_id = wanted.tenant_id and kept.caller_id = wanted.caller_id
         and kept.route = wanted.route and kept.key_hash = wanted.key_hash
       order by kept.tenant_id, kept.caller_id, kept.route, kept.key_hash
         for no key update of kept`,
    ),
    rows<KeyScope>(
      tx,
      sql`
      update idempotency_keys as kept
         set fingerprint = taken.fingerprint, answer = null, credit_report_id = taken.credit_report_id,
             created_at = clock_timestamp()
        from unnest(${scopes[0]}::uuid[], ${scopes[1]}::uuid[], ${scopes[2]}::text[], ${scopes[3]}::bytea[],
                    ${keys.map((key) => key.fingerprint)}::bytea[], ${keys.map((key) => key.subjectId)}::uuid[])
             as taken (tenant_id, caller_id, route, key_hash, fingerprint, credit_report_id)
       where kept.tenant_id = taken.tenant_id and kept.caller_id = taken.caller_id and kept.route = taken.route
         and kept.key_hash = taken.key_hash
         and (kept.created_at < clock_timestamp() - interval '24 hours'
              or (kept.route = ${GENERATE_ROUTE} and report_frees_its_key(kept.tenant_id, kept.credit_report_id)))
      returning kept.tenant_id as "tenantId", kept.caller_id as "callerId", kept.route, kept.key_hash as "keyHash"`,
    ),
  ]);
  return taken;
}

export type KeptKey = KeyScope & {
  /** Null while unknown: a request works on a code or a message for its challenge. */
  readonly isVoid: boolean | null;
  readonly fingerprint: Buffer;
  readonly subjectId: string | null;
  readonly answer: object | null;
};

export function listKeys(tx: Tx, scopes: readonly KeyScope[]): Promise<KeptKey[]> {
  return rows<KeptKey>(
    tx,
    sql`
    select kept.tenant_id as "tenantId", kept.caller_id as "callerId", kept.route, kept.key_hash as "keyHash",
           fingerprint, credit_report_id as "subjectId", answer,
           created_at < clock_timestamp() - interval '24 hours'
             or (kept.route = ${GENERATE_ROUTE} and report_frees_its_key(kept.tenant_id, credit_report_id)) as "isVoid"
      from unnest(${scopes.map((scope) => scope.tenantId)}::uuid[], ${scopes.map((scope) => scope.callerId)}::uuid[],
                  ${scopes.map((scope) => scope.route)}::text[], ${scopes.map((scope) => scope.keyHash)}::bytea[])
           as asked (tenant_id, caller_id, route, key_hash)
      join idempotency_keys as kept
        on kept.tenant_id = asked.tenant_id and kept.caller_id = asked.caller_id
       and kept.route = asked.route and kept.key_hash = asked.key_hash`,
  );
}

export type AnswerOfSubject = { readonly tenantId: string; readonly subjectId: string; readonly answer: object };

/** Stores the answer for every key that waits for one of these subjects. */
export async function updateAnswersOfSubjects(tx: Tx, answers: readonly AnswerOfSubject[]): Promise<void> {
  if (answers.length === 0) return;
  await execute(
    tx,
    sql`
    update idempotency_keys as kept set answer = given.answer
      from unnest(${answers.map((each) => each.tenantId)}::uuid[], ${answers.map((each) => each.subjectId)}::uuid[],
                  ${answers.map((each) => JSON.stringify(each.answer))}::json[])
           as given (tenant_id, credit_report_id, answer)
     where kept.tenant_id = given.tenant_id and kept.credit_report_id = given.credit_report_id
       and kept.answer is null`,
  );
}

/** An hour longer than a key is valid. */
export const IDEMPOTENCY_KEYS = agedTable('idempotency_keys', 'created_at', '25 hours');
