// Idempotency keys as rows: one per tenant, caller, route and key. A row without an answer belongs to a request whose
// transaction is still open.
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

export async function deleteKey(tx: Tx, scope: KeyScope): Promise<void> {
  await execute(
    tx,
    sql`
    delete from idempotency_keys
     where tenant_id = ${scope.tenantId} and caller_id = ${scope.callerId}
       and route = ${scope.route} and key_hash = ${scope.keyHash}`,
  );
}
