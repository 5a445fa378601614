// Live reports as rows: found again after a lost commit, locked to be settled, settled in lists, and found when
// whoever worked on them is gone.
import { execute, packBytes, rows, sql, type Tx } from '../lib/sql.ts';
import type { ReportStatus } from './rules/report-status.ts';
import type { Failure } from './rules/settlement.ts';

export type ReportKey = { readonly tenantId: string; readonly creditReportId: string };

export type LockedLiveReport = ReportKey & {
  readonly callerId: string;
  readonly fence: number;
  readonly firstSendId: string | null;
  readonly isTest: boolean;
  status: ReportStatus;
  failure: Failure | null;
};

/** In the order of their keys: a sweep and a request may want the same ones. */
export function lockReports(tx: Tx, keys: readonly ReportKey[]): Promise<LockedLiveReport[]> {
  return rows<LockedLiveReport>(
    tx,
    sql`
    select tenant_id as "tenantId", id as "creditReportId", caller_id as "callerId", fence,
           first_send_id as "firstSendId", is_test as "isTest", status, failure
      from credit_reports
     where (tenant_id, id) in (select * from unnest(${keys.map((key) => key.tenantId)}::uuid[],
                                                    ${keys.map((key) => key.creditReportId)}::uuid[]))
     order by tenant_id, id
       for no key update`,
  );
}

/** The ids among these that are rows already. */
export async function listReportIds(tx: Tx, keys: readonly ReportKey[]): Promise<Set<string>> {
  const found = await rows<{ id: string }>(
    tx,
    sql`
    select id from credit_reports
     where (tenant_id, id) in (select * from unnest(${keys.map((key) => key.tenantId)}::uuid[],
                                                    ${keys.map((key) => key.creditReportId)}::uuid[]))`,
  );
  return new Set(found.map(({ id }) => id));
}

export type SettledReport = ReportKey & {
  readonly status: ReportStatus;
  readonly failure: Failure | null;
  readonly sealedReport: Buffer | null;
  /** JSON text, or null. */
  readonly bureauResults: string | null;
};

export async function updateSettledReports(tx: Tx, reports: readonly SettledReport[]): Promise<void> {
  const sealed = packBytes(reports.map((report) => report.sealedReport));
  await execute(
    tx,
    sql`
    update credit_reports
       set status = settled.status, failure = settled.failure, 
           sealed_report = substring(${sealed.bytes}::bytea from settled.start for settled.length),
           bureau_results = settled.bureau_results,
           settled_at = case when settled.status <> 'challenged' then clock_timestamp() end
      from unnest(${reports.map((report) => report.tenantId)}::uuid[], ${reports.map((report) => report.creditReportId)}::uuid[],
                  ${reports.map((report) => report.status)}::text[], ${reports.map((report) => report.failure)}::text[],
                  ${sealed.starts}::integer[], ${sealed.lengths}::integer[],
                  ${reports.map((report) => report.bureauResults)}::json[])
           as settled (tenant_id, id, status, failure, start, length, bureau_results)
     where credit_reports.tenant_id = settled.tenant_id and credit_reports.id = settled.id`,
  );
}

/** A right code: from here on one request, known by its fence, asks the bureaus. */
export async function updateReportFetching(tx: Tx, key: ReportKey): Promise<number> {
  const [report] = await rows<{ fence: number }>(
    tx,
    sql`
    update credit_reports set status = 'fetching', fence = fence + 1
     where tenant_id = ${key.tenantId} and id = ${key.creditReportId}
    returning fence`,
  );
  if (!report) throw new Error('a locked report is gone');
  return report.fence;
}

export type ReportState = {
  readonly status: ReportStatus;
  readonly fence: number;
  readonly failure: Failure | null;
  readonly bureauResults: object | null;
};

export async function findReportState(
  tx: Tx,
  { tenantId, creditReportId }: ReportKey,
): Promise<ReportState | undefined> {
  const [state] = await rows<ReportState>(
    tx,
    sql`
    select status, fence, failure, bureau_results as "bureauResults" from credit_reports
     where tenant_id = ${tenantId} and id = ${creditReportId}`,
  );
  return state;
}

export async function findChallengeId(tx: Tx, tenantId: string, creditReportId: string): Promise<string | undefined> {
  const [challenge] = await rows<{ id: string }>(
    tx,
    sql`select id from challenges where tenant_id = ${tenantId} and credit_report_id = ${creditReportId}`,
  );
  return challenge?.id;
}

export type AbandonedReport = ReportKey & { readonly firstSendId: string | null };

/** As the system role: live reports whose worker has let the lease run out. The hold of a pending one is its lease. */
export function listAbandonedReports(tx: Tx, limit: number): Promise<AbandonedReport[]> {
  return rows<AbandonedReport>(
    tx,
    sql`
    select holds.tenant_id as "tenantId", source_id as "creditReportId", first_send_id as "firstSendId"
      from holds join credit_reports on credit_reports.tenant_id = holds.tenant_id and credit_reports.id = source_id
     where state = 'open' and expires_at < clock_timestamp() and kind = 'report'
     order by expires_at limit ${limit}`,
  );
}

export type DueChallenge = ReportKey & { readonly status: ReportStatus };

/** As the system role: challenges whose five minutes are over, and fetches whose worker has let the lease run out. */
export function listDueChallenges(tx: Tx, limit: number): Promise<DueChallenge[]> {
  return rows<DueChallenge>(
    tx,
    sql`
    select challenges.tenant_id as "tenantId", credit_report_id as "creditReportId", status
      from challenges
      join credit_reports on credit_reports.tenant_id = challenges.tenant_id
                         and credit_reports.id = challenges.credit_report_id
     where due_at < clock_timestamp()
     order by due_at limit ${limit}`,
  );
}

/**
 * Call it with the reports locked. Those among them whose five minutes are not over: a message went out after somebody
 * had found the challenge expired.
 */
export async function listUnexpiredIds(tx: Tx, keys: readonly ReportKey[]): Promise<Set<string>> {
  const found = await rows<{ id: string }>(
    tx,
    sql`
    select credit_report_id as id from challenges
     where (tenant_id, credit_report_id) in (select * from unnest(${keys.map((key) => key.tenantId)}::uuid[],
                                                                  ${keys.map((key) => key.creditReportId)}::uuid[]))
       and last_sent_at >= clock_timestamp() - interval '5 minutes'`,
  );
  return new Set(found.map(({ id }) => id));
}

export async function updateChallengesEnded(tx: Tx, keys: readonly ReportKey[]): Promise<void> {
  await execute(
    tx,
    sql`
    update challenges set due_at = null, completed_at = case when status = 'complete' then clock_timestamp() end
      from unnest(${keys.map((key) => key.tenantId)}::uuid[], ${keys.map((key) => key.creditReportId)}::uuid[])
           as ended (tenant_id, credit_report_id)
      join credit_reports on credit_reports.tenant_id = ended.tenant_id and credit_reports.id = ended.credit_report_id
     where challenges.tenant_id = ended.tenant_id and challenges.credit_report_id = ended.credit_report_id`,
  );
}

/** Sets when the challenge is looked at next, counted from now by the database's clock. */
export async function updateChallengeDue(
  tx: Tx,
  key: ReportKey,
  due: { readonly inMs: number; readonly completingSendId: string | null },
): Promise<void> {
  await execute(
    tx,
    sql`
    update challenges
       set due_at = clock_timestamp() + ${due.inMs}::integer * interval '1 millisecond',
           completing_send_id = coalesce(${due.completingSendId}, completing_send_id)
     where tenant_id = ${key.tenantId} and credit_report_id = ${key.creditReportId}`,
  );
}

/** The first use binds a session; later ones are told whether they are of the same tenant and person. */
export async function bindSessions(
  tx: Tx,
  sessions: readonly { readonly sessionHash: Buffer; readonly boundTo: Buffer }[],
): Promise<Map<string, Buffer>> {
  const added = execute(
    tx,
    sql`
    insert into device_sessions (session_hash, bound_to)
    select distinct on (1) * from unnest(${sessions.map((each) => each.sessionHash)}::bytea[],
                                         ${sessions.map((each) => each.boundTo)}::bytea[]) order by 1
    on conflict do nothing`,
  );
  const listed = rows<{ session_hash: Buffer; bound_to: Buffer }>(
    tx,
    sql`
    select session_hash, bound_to from device_sessions
     where session_hash = any (${sessions.map((each) => each.sessionHash)}::bytea[])`,
  );
  // Sent together, run in this order.
  const [, bound] = await Promise.all([added, listed]);
  return new Map(bound.map((each) => [each.session_hash.toString('hex'), each.bound_to]));
}

export type SmsSettings = {
  readonly tenantId: string;
  readonly name: string;
  readonly countries: readonly string[];
  readonly dailyCredits: number | null;
  readonly otpHost: string | null;
};

export function listSmsSettings(tx: Tx, tenantIds: readonly string[]): Promise<SmsSettings[]> {
  return rows<SmsSettings>(
    tx,
    sql`
    select id as "tenantId", name, sms_countries as countries, sms_daily_credits as "dailyCredits",
           otp_host as "otpHost"
      from tenants where id = any (${tenantIds}::uuid[])`,
  );
}
