// The audit chain as rows: the log is append-only, and the head records where each tenant's chain ends.
import { execute, rows, sql, type Tx } from '../lib/postgres/sql.ts';
import type { AuditRow } from './rules/chain.ts';

export type Head = { readonly tenantId: string; seq: number; hash: Buffer };

/** In tenant order, like the wallets, and after them. */
export function lockHeads(tx: Tx, tenantIds: readonly string[]): Promise<Head[]> {
  return rows<Head>(
    tx,
    sql`
    select tenant_id as "tenantId", seq, hash from audit_heads where tenant_id = any (${tenantIds}::uuid[])
     order by tenant_id for no key update`,
  );
}

export async function insertHeads(tx: Tx, tenantIds: readonly string[]): Promise<void> {
  await execute(
    tx,
    sql`insert into audit_heads (tenant_id) select unnest(${tenantIds}::uuid[]) order by 1 on conflict do nothing`,
  );
}

/** Inserts the rows and updates the heads in one statement. */
export async function insertAuditRows(
  tx: Tx,
  added: readonly (AuditRow & { hash: Buffer })[],
  heads: readonly Head[],
): Promise<void> {
  await execute(
    tx,
    sql`
    with added as (
      insert into audit_log (tenant_id, seq, actor, action, subject_id, details, occurred_at, hash)
      select * from unnest(${added.map((row) => row.tenantId)}::uuid[], ${added.map((row) => row.seq)}::bigint[],
                           ${added.map((row) => row.actor)}::text[], ${added.map((row) => row.action)}::text[],
                           ${added.map((row) => row.subjectId)}::uuid[], ${added.map((row) => row.details)}::json[],
                           ${added.map((row) => row.occurredAt)}::timestamptz[],
                           ${added.map((row) => row.hash)}::bytea[]))
    update audit_heads set seq = changed.seq, hash = changed.hash
      from unnest(${heads.map((head) => head.tenantId)}::uuid[], ${heads.map((head) => head.seq)}::bigint[],
                  ${heads.map((head) => head.hash)}::bytea[]) as changed (tenant_id, seq, hash)
     where audit_heads.tenant_id = changed.tenant_id`,
  );
}
