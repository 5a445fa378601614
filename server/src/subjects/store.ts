// Hashes of people, how far they are made, and erasures, as rows. No row holds anything about a person in clear text.
import { agedTable } from '../lib/postgres/retention.ts';
import { execute, rows, sql, type Tx } from '../lib/postgres/sql.ts';

export type Mark = { readonly upTo: string; readonly keyIds: readonly string[] };

export async function findMark(tx: Tx, tenantId: string): Promise<Mark | undefined> {
  const [mark] = await rows<Mark>(
    tx,
    sql`select up_to as "upTo", key_ids as "keyIds" from subject_marks where tenant_id = ${tenantId}`,
  );
  return mark;
}

/** Keys that another node has noted stay noted, as long as they are known: that node may have hashed under them. */
export async function upsertMark(
  tx: Tx,
  tenantId: string,
  { upTo, keyIds }: Mark,
  known: readonly string[],
): Promise<void> {
  await execute(
    tx,
    sql`
    insert into subject_marks (tenant_id, up_to, key_ids) values (${tenantId}, ${upTo}, ${keyIds}::text[])
    on conflict (tenant_id) do update
       set up_to = excluded.up_to,
           key_ids = array(select distinct id from unnest(subject_marks.key_ids || excluded.key_ids) as id
                            where id = any (${known}::text[]))`,
  );
}

/** Those of these reports that have hashes under one of these keys. */
export async function listHashed(
  tx: Tx,
  tenantId: string,
  ids: readonly string[],
  keyIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const found = await rows<{ id: string }>(
    tx,
    sql`
    select asked.id from unnest(${ids}::uuid[]) as asked (id)
     where exists (select from subject_hashes
                    where tenant_id = ${tenantId} and credit_report_id = asked.id
                      and key_id = any (${keyIds}::text[]))`,
  );
  return new Set(found.map(({ id }) => id));
}

export type NewHash = { readonly creditReportId: string; readonly subjectHash: Buffer };

/** Call it with the data keys of the reports locked: they could be erased in between otherwise. */
export async function insertHashes(tx: Tx, tenantId: string, keyId: string, added: readonly NewHash[]): Promise<void> {
  if (added.length === 0) return;
  await execute(
    tx,
    sql`
    insert into subject_hashes (tenant_id, credit_report_id, subject_hash, key_id)
    select ${tenantId}::uuid, credit_report_id, subject_hash, ${keyId}::text
      from unnest(${added.map(({ creditReportId }) => creditReportId)}::uuid[],
                  ${added.map(({ subjectHash }) => subjectHash)}::bytea[]) as added (credit_report_id, subject_hash)
     -- One order for all: two nodes that hash the same reports must not wait for each other.
     order by 2, 3
    on conflict do nothing`,
  );
}

export type Sought = {
  readonly hashes: readonly Buffer[];
  /** Only reports before this one, for the next page; all are counted. */
  readonly beforeId: string | undefined;
  readonly limit: number;
};

/** The newest of them, newest first, and how many there are in all. */
export async function findIdsOfHashes(
  tx: Tx,
  tenantId: string,
  { hashes, beforeId, limit }: Sought,
): Promise<{ readonly ids: readonly string[]; readonly total: number }> {
  // Materialised, so that the planner searches by the hash and never scans along the ids.
  const [found] = await rows<{ ids: string[]; total: number }>(
    tx,
    sql`
    with found as materialized (
      select distinct credit_report_id as id from subject_hashes
       where tenant_id = ${tenantId} and subject_hash = any (${hashes}::bytea[]))
    select (select count(*)::int from found) as total,
           array(select id from found where ${beforeId ?? null}::uuid is null or id < ${beforeId ?? null}::uuid
                  order by id desc limit ${limit}) as ids`,
  );
  return found ?? { ids: [], total: 0 };
}

export type ErasureCounts = Readonly<Record<string, number>>;

export type Erasure = {
  readonly tenantId: string;
  readonly id: string;
  readonly creditReportIds: readonly string[];
  readonly actor: string;
  readonly counts: ErasureCounts;
};

/** An erasure that is there already stays as it is: after a restore the same one is done again. */
export async function insertErasure(tx: Tx, erasure: Erasure): Promise<void> {
  const { tenantId, id, creditReportIds, actor, counts } = erasure;
  await execute(
    tx,
    sql`
    insert into erasures (tenant_id, id, credit_report_ids, actor, counts)
    values (${tenantId}, ${id}, ${creditReportIds}::uuid[], ${actor}, ${JSON.stringify(counts)})
    on conflict do nothing`,
  );
}

export type SignedText = { readonly receipt: string; readonly kid: string; readonly signature: Buffer };

/** False if another process has finished it. */
export async function updateErasureFinished(
  tx: Tx,
  { tenantId, id, counts }: Pick<Erasure, 'tenantId' | 'id' | 'counts'>,
  { receipt, kid, signature }: SignedText,
): Promise<boolean> {
  const finished = await execute(
    tx,
    sql`
    update erasures set counts = ${JSON.stringify(counts)}, receipt = ${receipt}, kid = ${kid}, signature = ${signature},
                        finished_at = clock_timestamp()
     where tenant_id = ${tenantId} and id = ${id} and finished_at is null`,
  );
  return finished === 1;
}

export type StoredErasure = Erasure & Partial<SignedText> & { readonly isFinished: boolean };

export async function findErasure(tx: Tx, tenantId: string, id: string): Promise<StoredErasure | undefined> {
  const [found] = await rows<StoredErasure>(
    tx,
    sql`
    select tenant_id as "tenantId", id, credit_report_ids as "creditReportIds", actor, counts, receipt, kid, signature,
           finished_at is not null as "isFinished"
      from erasures where tenant_id = ${tenantId} and id = ${id}`,
  );
  return found;
}

/** As the system role: erasures whose process ended before they were finished. */
export function listUnfinished(tx: Tx, limit: number): Promise<Erasure[]> {
  return rows<Erasure>(
    tx,
    sql`
    select tenant_id as "tenantId", id, credit_report_ids as "creditReportIds", actor, counts from erasures
     where finished_at is null and began_at < statement_timestamp() - interval '1 minute'
     order by began_at limit ${limit}`,
  );
}

/** As the system role: finished erasures for whose messages a carrier may still have something to say, which takes 78 hours at most. */
export function listRecent(tx: Tx, limit: number): Promise<Erasure[]> {
  return rows<Erasure>(
    tx,
    sql`
    select tenant_id as "tenantId", id, credit_report_ids as "creditReportIds", actor, counts from erasures
     where finished_at is not null and began_at > statement_timestamp() - interval '4 days'
       and cardinality(credit_report_ids) > 0
     order by began_at limit ${limit}`,
  );
}

export type FinishedErasure = {
  readonly tenantId: string;
  readonly id: string;
  readonly finishedAt: Date;
} & SignedText;

/** As the system role: finished erasures of one tenant or of all, oldest first, after the given one. */
export function listFinished(
  tx: Tx,
  {
    tenantId,
    afterId,
    limit,
  }: { readonly tenantId: string | undefined; readonly afterId: string; readonly limit: number },
): Promise<FinishedErasure[]> {
  return rows<FinishedErasure>(
    tx,
    sql`
    select tenant_id as "tenantId", id, receipt, kid, signature, finished_at as "finishedAt" from erasures
     where finished_at is not null and (${tenantId ?? null}::uuid is null or tenant_id = ${tenantId ?? null}::uuid)
       and id > ${afterId}
     order by id limit ${limit}`,
  );
}

/** As long as evidence is kept: a receipt says what became of it. */
export const ERASURES = agedTable('erasures', 'began_at', '6 years');

/** The database's clock, to the millisecond. */
export async function readClock(tx: Tx): Promise<Date> {
  const [row] = await rows<{ now: Date }>(tx, sql`select clock_timestamp() as now`);
  if (!row) throw new Error('the database has no time');
  return row.now;
}
