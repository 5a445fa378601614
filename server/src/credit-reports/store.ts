// Reports, their data keys and challenges as rows. Consumer data is already sealed here. Inserts take lists, so that
// many requests can share one transaction.
import type { BureauResult, ReportSource } from '@trefoil/contract';
import type { WrappedKey } from '../lib/crypto/vault.ts';
import { execute, packBytes, rows, sql, type Tx } from '../lib/postgres/sql.ts';
import type { ReportStatus } from './rules/report-status.ts';
import type { Failure } from './rules/settlement.ts';

export type ReportKey = { readonly tenantId: string; readonly creditReportId: string };

export type NewReport = {
  readonly tenantId: string;
  readonly id: string;
  readonly isTest: boolean;
  readonly callerId: string;
  readonly source: ReportSource;
  readonly status: ReportStatus;
  readonly externalReferenceHash: Buffer | null;
  readonly sealedRequest: Buffer;
  readonly sealedReport: Buffer | null;
  readonly sealedProvenance: Buffer | null;
  readonly wrapped: WrappedKey;
  /** The key of the hold for the first message's credits; null in test mode and without a mobile number. */
  readonly firstSendId: string | null;
};

/** Inserts each report with its data key, in one statement. */
export async function insertReports(tx: Tx, reports: readonly NewReport[]): Promise<void> {
  const sealed = packBytes(reports.map((report) => report.sealedRequest));
  await execute(
    tx,
    sql`
    with added as (
      insert into credit_reports (tenant_id, id, is_test, caller_id, source, status, external_reference_hash, sealed_request,
                                  sealed_report, sealed_provenance, first_send_id, settled_at)
      select tenant_id, id, is_test, caller_id, source, status, external_reference_hash,
             substring(${sealed.bytes}::bytea from start for length), sealed_report, sealed_provenance,
             first_send_id,
             -- In test mode a report may end where it begins.
             case when status not in ('pending', 'challenged', 'fetching') then clock_timestamp() end
        from unnest(${reports.map((report) => report.tenantId)}::uuid[], ${reports.map((report) => report.id)}::uuid[],
                    ${reports.map((report) => report.isTest)}::boolean[],
                    ${reports.map((report) => report.callerId)}::uuid[],
                    ${reports.map((report) => report.source)}::text[],
                    ${reports.map((report) => report.status)}::text[],
                    ${reports.map((report) => report.externalReferenceHash)}::bytea[],
                    ${sealed.starts}::integer[], ${sealed.lengths}::integer[],
                    ${reports.map((report) => report.sealedReport)}::bytea[],
                    ${reports.map((report) => report.sealedProvenance)}::bytea[],
                    ${reports.map((report) => report.firstSendId)}::uuid[])
             as added (tenant_id, id, is_test, caller_id, source, status, external_reference_hash, start, length,
                       sealed_report, sealed_provenance, first_send_id))
    insert into data_keys (tenant_id, credit_report_id, ring_key_id, wrapped_key)
    select * from unnest(${reports.map((report) => report.tenantId)}::uuid[], ${reports.map((report) => report.id)}::uuid[],
                         ${reports.map((report) => report.wrapped.ringKeyId)}::text[],
                         ${reports.map((report) => report.wrapped.wrappedKey)}::bytea[])`,
  );
}

export type NewChallenge = {
  readonly tenantId: string;
  readonly creditReportId: string;
  readonly id: string;
  readonly isTest: boolean;
  /** When a job ends it if no request does. */
  readonly dueInMs: number;
};

/** The first message counts as sent with the challenge; the database's clock starts the five minutes. */
export async function insertChallenges(tx: Tx, challenges: readonly NewChallenge[]): Promise<void> {
  await execute(
    tx,
    sql`
    insert into challenges (tenant_id, credit_report_id, id, due_at, test_due_at)
    select tenant_id, credit_report_id, id,
           case when not is_test then clock_timestamp() + due_in_ms * interval '1 millisecond' end,
           case when is_test then clock_timestamp() + due_in_ms * interval '1 millisecond' end
      from unnest(${challenges.map((challenge) => challenge.tenantId)}::uuid[],
                  ${challenges.map((challenge) => challenge.creditReportId)}::uuid[],
                  ${challenges.map((challenge) => challenge.id)}::uuid[],
                  ${challenges.map((challenge) => challenge.isTest)}::boolean[],
                  ${challenges.map((challenge) => challenge.dueInMs)}::integer[])
           as added (tenant_id, credit_report_id, id, is_test, due_in_ms)`,
  );
}

export type LockedReport = {
  readonly isTest: boolean;
  readonly status: ReportStatus;
  readonly failure: Failure | null;
};

/** Undefined when absent or another tenant's: a caller must not be able to tell which. */
export async function lockReport(tx: Tx, tenantId: string, creditReportId: string): Promise<LockedReport | undefined> {
  // Locked, because two concurrent guesses must not both read the same attempt count.
  const [report] = await rows<LockedReport>(
    tx,
    sql`
    select is_test as "isTest", status, failure from credit_reports
     where tenant_id = ${tenantId} and id = ${creditReportId}
       for update`,
  );
  return report;
}

export type ChallengeRow = {
  readonly id: string;
  readonly attemptsUsed: number;
  readonly smsSentCount: number;
  readonly lateAttempts: number;
  readonly sinceLastSendUs: number;
  readonly sinceCompletionUs: number;
  readonly completingSendId: string | null;
};

/**
 * Call it after `lockReport`, in a separate statement: the counters and the clock must be read once the lock is held,
 * and a statement that waited for a lock would still see the rows from its start.
 */
export async function findChallenge(
  tx: Tx,
  tenantId: string,
  creditReportId: string,
  challengeId: string,
): Promise<ChallengeRow | undefined> {
  const [challenge] = await rows<ChallengeRow>(
    tx,
    sql`
    select id, attempts_used as "attemptsUsed", sms_sent_count as "smsSentCount", late_attempts as "lateAttempts",
           (extract(epoch from clock_timestamp() - last_sent_at) * 1000000)::bigint as "sinceLastSendUs",
           coalesce((extract(epoch from clock_timestamp() - completed_at) * 1000000)::bigint, 0) as "sinceCompletionUs",
           completing_send_id as "completingSendId"
      from challenges
     where tenant_id = ${tenantId} and credit_report_id = ${creditReportId} and id = ${challengeId}`,
  );
  return challenge;
}

type ChallengeKey = { readonly tenantId: string; readonly creditReportId: string; readonly challengeId: string };

export async function updateAttempts(tx: Tx, key: ChallengeKey, attemptsUsed: number): Promise<void> {
  await execute(
    tx,
    sql`
    update challenges set attempts_used = ${attemptsUsed}
     where tenant_id = ${key.tenantId} and credit_report_id = ${key.creditReportId} and id = ${key.challengeId}`,
  );
}

export async function updateLateAttempts(tx: Tx, key: ChallengeKey, lateAttempts: number): Promise<void> {
  await execute(
    tx,
    sql`
    update challenges set late_attempts = ${lateAttempts}
     where tenant_id = ${key.tenantId} and credit_report_id = ${key.creditReportId} and id = ${key.challengeId}`,
  );
}

/** Counts a send and restarts the five minutes, by the database's clock. */
export async function updateSends(tx: Tx, key: ChallengeKey, smsSentCount: number): Promise<void> {
  await execute(
    tx,
    sql`
    update challenges
       set sms_sent_count = ${smsSentCount}, last_sent_at = clock_timestamp(),
           resent_at = array_append(resent_at, clock_timestamp()),
           test_due_at = case when test_due_at is not null then clock_timestamp() + interval '5 minutes' end
     where tenant_id = ${key.tenantId} and credit_report_id = ${key.creditReportId} and id = ${key.challengeId}`,
  );
}

export async function updateChallengeCompleted(tx: Tx, key: ChallengeKey): Promise<void> {
  await execute(
    tx,
    sql`
    update challenges set completed_at = clock_timestamp(), test_due_at = null
     where tenant_id = ${key.tenantId} and credit_report_id = ${key.creditReportId} and id = ${key.challengeId}`,
  );
}

/** Ends a report in test mode. */
export async function updateReport(
  tx: Tx,
  tenantId: string,
  creditReportId: string,
  change: {
    readonly status: ReportStatus;
    readonly sealedReport: Buffer | null;
    readonly sealedProvenance: Buffer | null;
  },
): Promise<void> {
  await execute(
    tx,
    sql`
    update credit_reports
       set status = ${change.status}, sealed_report = ${change.sealedReport},
           sealed_provenance = ${change.sealedProvenance}, settled_at = clock_timestamp()
     where tenant_id = ${tenantId} and id = ${creditReportId}`,
  );
}

/** As the system role: test challenges whose five minutes are over, and that nobody has ended. */
export function listDueTestChallenges(tx: Tx, limit: number): Promise<ReportKey[]> {
  return rows<ReportKey>(
    tx,
    sql`
    select tenant_id as "tenantId", credit_report_id as "creditReportId" from challenges
     where test_due_at < statement_timestamp() order by test_due_at limit ${limit}`,
  );
}

/** Call it with the reports locked. */
export async function clearTestDue(tx: Tx, keys: readonly ReportKey[]): Promise<void> {
  await execute(
    tx,
    sql`
    update challenges set test_due_at = null
     where (tenant_id, credit_report_id) in (select * from unnest(${keys.map((key) => key.tenantId)}::uuid[],
                                                                  ${keys.map((key) => key.creditReportId)}::uuid[]))`,
  );
}

/** Ends test reports whose challenge has expired. Call it with the reports locked. */
export async function updateReportsExpired(tx: Tx, keys: readonly ReportKey[]): Promise<void> {
  await execute(
    tx,
    sql`
    update credit_reports set status = 'expired', settled_at = clock_timestamp()
     where (tenant_id, id) in (select * from unnest(${keys.map((key) => key.tenantId)}::uuid[],
                                                    ${keys.map((key) => key.creditReportId)}::uuid[]))`,
  );
}

export type SealedReport = {
  readonly sealedRequest: Buffer;
  readonly sealedReport: Buffer | null;
  readonly wrapped: WrappedKey;
  readonly isTest: boolean;
  /** Null in test mode, which asks no bureau. */
  readonly bureauResults: BureauResult[] | null;
};

/** Undefined once the data key is gone: the report can no longer be read by anyone. */
export async function findSealedReport(
  tx: Tx,
  tenantId: string,
  creditReportId: string,
): Promise<SealedReport | undefined> {
  const [row] = await rows<{
    sealed_request: Buffer;
    sealed_report: Buffer | null;
    is_test: boolean;
    bureau_results: BureauResult[] | null;
    ring_key_id: string;
    wrapped_key: Buffer;
  }>(
    tx,
    sql`
    select sealed_request, sealed_report, is_test, bureau_results, ring_key_id, wrapped_key
      from credit_reports
      join data_keys on data_keys.tenant_id = credit_reports.tenant_id
                    and data_keys.credit_report_id = credit_reports.id
     where credit_reports.tenant_id = ${tenantId} and credit_reports.id = ${creditReportId}`,
  );
  return (
    row && {
      sealedRequest: row.sealed_request,
      sealedReport: row.sealed_report,
      isTest: row.is_test,
      bureauResults: row.bureau_results,
      wrapped: { ringKeyId: row.ring_key_id, wrappedKey: row.wrapped_key },
    }
  );
}
