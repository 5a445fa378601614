// Statements as rows: written once, found by their report or by their own id.
import { agedTable } from '../lib/postgres/retention.ts';
import { execute, rows, sql, type Tx } from '../lib/postgres/sql.ts';

export type StoredEvidence = {
  readonly id: string;
  readonly tenantId: string;
  readonly creditReportId: string;
  /** The exact text that was signed. */
  readonly statement: string;
  /** In lower-case hexadecimal digits. */
  readonly statementSha256: string;
  readonly kid: string;
  readonly signature: Buffer;
  readonly issuedAt: Date;
};

export async function findEvidenceOfReport(
  tx: Tx,
  tenantId: string,
  creditReportId: string,
): Promise<StoredEvidence | undefined> {
  const [found] = await rows<StoredEvidence>(
    tx,
    sql`
    select id, tenant_id as "tenantId", credit_report_id as "creditReportId", statement,
           encode(statement_sha256, 'hex') as "statementSha256", kid, signature, issued_at as "issuedAt"
      from evidences where tenant_id = ${tenantId} and credit_report_id = ${creditReportId}`,
  );
  return found;
}

export function listEvidenceOfReports(tx: Tx, tenantId: string, ids: readonly string[]): Promise<StoredEvidence[]> {
  return rows<StoredEvidence>(
    tx,
    sql`
    select id, tenant_id as "tenantId", credit_report_id as "creditReportId", statement,
           encode(statement_sha256, 'hex') as "statementSha256", kid, signature, issued_at as "issuedAt"
      from evidences where tenant_id = ${tenantId} and credit_report_id = any (${ids}::uuid[])`,
  );
}

/** As the system role: a reader of a document knows its evidence id and not its tenant. */
export async function findEvidence(tx: Tx, id: string): Promise<StoredEvidence | undefined> {
  const [found] = await rows<StoredEvidence>(
    tx,
    sql`
    select id, tenant_id as "tenantId", credit_report_id as "creditReportId", statement,
           encode(statement_sha256, 'hex') as "statementSha256", kid, signature, issued_at as "issuedAt"
      from evidences where id = ${id}`,
  );
  return found;
}

/** As the system role: whether we handed out a document with this digest for this evidence. */
export async function isIssuedDocument(tx: Tx, id: string, sha256: string): Promise<boolean> {
  const found = await rows<object>(
    tx,
    sql`select from evidences where id = ${id} and document_digests @> array[decode(${sha256}, 'hex')]`,
  );
  return found.length > 0;
}

/**
 * As the system role: keys that signed and are not among these. It looks at the first statement of each day, since a key signs for
 * months and reading every statement would take minutes.
 */
export async function listKidsBeside(tx: Tx, kids: readonly string[]): Promise<string[]> {
  const found = await rows<{ kid: string }>(
    tx,
    sql`
    select distinct kid
      from generate_series((select min(issued_at) from evidences), clock_timestamp(), interval '1 day') as day
     cross join lateral (select kid from evidences where issued_at >= day order by issued_at limit 1) as first
     where kid <> all (${kids}::text[]) order by kid`,
  );
  return found.map(({ kid }) => kid);
}

/** The database's clock, to the millisecond. */
export async function readClock(tx: Tx): Promise<Date> {
  const [row] = await rows<{ now: Date }>(tx, sql`select clock_timestamp() as now`);
  if (!row) throw new Error('the database has no time');
  return row.now;
}

/** False if the report has a statement already. Waits for another transaction that is writing one. */
export async function insertEvidence(tx: Tx, evidence: StoredEvidence): Promise<boolean> {
  const { tenantId, id, creditReportId, statement, statementSha256, kid, signature, issuedAt } = evidence;
  const inserted = await rows<object>(
    tx,
    sql`
    insert into evidences (tenant_id, id, credit_report_id, statement, statement_sha256, kid, signature, issued_at)
    values (${tenantId}, ${id}, ${creditReportId}, ${statement}, decode(${statementSha256}, 'hex'), ${kid}, ${signature},
            ${issuedAt})
    on conflict (tenant_id, credit_report_id) do nothing returning id`,
  );
  return inserted.length > 0;
}

/** Adds the digest of a document once, however often the document is handed out. */
export async function addDocumentDigest(tx: Tx, tenantId: string, id: string, sha256: string): Promise<void> {
  await execute(
    tx,
    sql`
    update evidences set document_digests = document_digests || decode(${sha256}, 'hex')
     where tenant_id = ${tenantId} and id = ${id} and not document_digests @> array[decode(${sha256}, 'hex')]`,
  );
}

export const EVIDENCES = agedTable('evidences', 'issued_at', '6 years');
