// The audit chain for its readers: pages for a tenant, stretches for the verifier. Nothing here writes.
import { rows, sql, type Tx } from '../lib/postgres/sql.ts';
import type { StoredRow } from './rules/verify.ts';

export type ListedAudit = {
  readonly seq: number;
  readonly actor: string;
  readonly action: string;
  readonly subjectId: string;
  readonly details: Readonly<Record<string, unknown>>;
  readonly occurredAt: Date;
  readonly hash: string;
  /** Null for the first row. */
  readonly previousHash: string | null;
};

export type AuditFilter = {
  /** An action, or its part before the dot. */
  readonly action: string | null;
  readonly actor: string | null;
  readonly subjectId: string | null;
  /** Inclusive and exclusive, as ISO 8601 or `-infinity` and `infinity`. */
  readonly from: string;
  readonly to: string;
  /** Positions in the chain, inclusive and exclusive. */
  readonly seqFrom: number;
  readonly seqTo: number;
};

/** Newest first. Call it after `walkInKeyOrder`. */
export function listAuditRows(tx: Tx, tenantId: string, filter: AuditFilter, limit: number): Promise<ListedAudit[]> {
  const { action, actor, subjectId, from, to, seqFrom, seqTo } = filter;
  return rows<ListedAudit>(
    tx,
    sql`
    select seq, actor, action, subject_id as "subjectId", details, occurred_at as "occurredAt",
           encode(hash, 'hex') as hash,
           (select encode(before.hash, 'hex') from audit_log as before
             where before.tenant_id = log.tenant_id and before.seq = log.seq - 1) as "previousHash"
      from audit_log as log
     where tenant_id = ${tenantId} and seq >= ${seqFrom} and seq < ${seqTo}
       and occurred_at >= ${from} and occurred_at < ${to}
       and (${action}::text is null or action = ${action} or split_part(action, '.', 1) = ${action})
       and (${actor}::text is null or actor = ${actor})
       and (${subjectId}::uuid is null or subject_id = ${subjectId})
     order by seq desc limit ${limit}`,
  );
}

export type FoundAudit = Pick<ListedAudit, 'seq' | 'action' | 'details' | 'occurredAt' | 'hash'>;

/** The rows about a subject with one of these actions, oldest first; positions inclusive and exclusive. */
export function listRowsAbout(
  tx: Tx,
  tenantId: string,
  { actions, subjectId }: { readonly actions: readonly string[]; readonly subjectId: string },
  { seqFrom, seqTo }: { readonly seqFrom: number; readonly seqTo: number },
): Promise<FoundAudit[]> {
  return rows<FoundAudit>(
    tx,
    sql`
    select seq, action, details, occurred_at as "occurredAt", encode(hash, 'hex') as hash from audit_log
     where tenant_id = ${tenantId} and seq >= ${seqFrom} and seq < ${seqTo}
       and action = any (${actions}::text[]) and subject_id = ${subjectId}
     order by seq`,
  );
}

/** The position of the last row in the tenant's chain; 0 before its first row. */
export async function findLastPlace(tx: Tx, tenantId: string): Promise<number> {
  const [head] = await rows<{ seq: number }>(tx, sql`select seq from audit_heads where tenant_id = ${tenantId}`);
  return head?.seq ?? 0;
}

/** Binary search for the position of an instant: rows are in time order, except for clock differences between nodes. */
export async function findAuditPlace(
  tx: Tx,
  tenantId: string,
  at: string,
  last: number,
): Promise<{ low: number; high: number }> {
  const [place] = await rows<{ low: number; high: number }>(
    tx,
    sql`
    with recursive halving (low, high) as (
      select 1::bigint, ${last}::bigint + 1
      union all
      select case when is_before then middle + 1 else low end, case when is_before then high else middle end
        from (select low, high, (low + high) / 2 as middle,
                     (select occurred_at < ${at} from audit_log
                       where tenant_id = ${tenantId} and seq = (low + high) / 2) as is_before
                from halving where low < high offset 0) as probe
       where is_before is not null
    )
    select low, high from halving order by high - low limit 1`,
  );
  return place ?? { low: 1, high: last + 1 };
}

export type ChainHead = { readonly tenantId: string; readonly seq: number; readonly hash: string };

/** As the system role: every tenant's head, ordered by tenant. */
export function listHeads(tx: Tx): Promise<ChainHead[]> {
  return rows<ChainHead>(
    tx,
    sql`select tenant_id as "tenantId", seq, encode(hash, 'hex') as hash from audit_heads order by tenant_id`,
  );
}

export type ChainEnds = { readonly chains: number; readonly loose: number };

/** As the system role: how many chains there are, and how many do not end with the row that their head names. */
export async function countChainEnds(tx: Tx): Promise<ChainEnds> {
  const [found] = await rows<ChainEnds>(
    tx,
    sql`
    select count(*)::int as chains,
           count(*) filter (where last.seq is distinct from nullif(heads.seq, 0)
                               or (last.seq is not null and last.hash is distinct from heads.hash))::int as loose
      from audit_heads as heads
      left join lateral (select seq, hash from audit_log
                          where tenant_id = heads.tenant_id order by seq desc limit 1) as last on true`,
  );
  return found ?? { chains: 0, loose: 0 };
}

/** Every tenant: one without a head may still have rows. */
export async function listChainTenants(tx: Tx): Promise<string[]> {
  const found = await rows<{ id: string }>(
    tx,
    sql`select id from tenants union select tenant_id from audit_heads order by 1`,
  );
  return found.map(({ id }) => id);
}

export type Stretch = {
  readonly rows: readonly StoredRow[];
  /** Undefined when the tenant has no head. */
  readonly head: { readonly seq: number; readonly hash: string } | undefined;
};

type StretchRow = { readonly headSeq: number | null; readonly headHash: string | null } & (
  | (StoredRow & { readonly isRow: true })
  | { readonly isRow: null }
);

/** The next rows of a chain and, from the same snapshot, its head: rows added meanwhile raise no alarm. */
export async function readStretch(tx: Tx, tenantId: string, afterSeq: number, limit: number): Promise<Stretch> {
  const found = await rows<StretchRow>(
    tx,
    // The time in microseconds: a smaller change would not show in a time read in milliseconds.
    sql`
    select heads.seq as "headSeq", encode(heads.hash, 'hex') as "headHash", batch.*
      from (select 1) as one
      left join audit_heads as heads on heads.tenant_id = ${tenantId}
      left join (select true as "isRow", tenant_id as "tenantId", seq, actor, action, subject_id as "subjectId",
                        details::text as details, encode(hash, 'hex') as hash,
                        regexp_replace(to_char(occurred_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'), '000$', '')
                          || 'Z' as "occurredAt"
                   from audit_log where tenant_id = ${tenantId} and seq > ${afterSeq}
                  order by seq limit ${limit}) as batch on true
     order by batch.seq`,
  );
  const [first] = found;
  return {
    rows: found.filter((row) => row.isRow === true),
    head:
      first && first.headSeq !== null && first.headHash !== null
        ? { seq: first.headSeq, hash: first.headHash }
        : undefined,
  };
}

export type RecentAudit = Pick<ListedAudit, 'seq' | 'actor' | 'action' | 'subjectId' | 'occurredAt'>;

/** Newest first, among the latest rows: a busy company reads reports all day, and rare actions must not cause a scan of all of them. */
export function listNewestOfKinds(
  tx: Tx,
  tenantId: string,
  kinds: readonly string[],
  limit: number,
): Promise<RecentAudit[]> {
  return rows<RecentAudit>(
    tx,
    sql`
    select seq, actor, action, subject_id as "subjectId", occurred_at as "occurredAt"
      from (select * from audit_log where tenant_id = ${tenantId} order by seq desc limit 5000) as latest
     where split_part(action, '.', 1) = any (${kinds}::text[])
     order by seq desc limit ${limit}`,
  );
}
