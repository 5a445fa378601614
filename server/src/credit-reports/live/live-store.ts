// Live reports as rows: find them after a lost commit, lock and settle them in lists, and find those whose worker is
// gone.
import { execute, packBytes, rows, sql, type Tx } from '../../lib/postgres/sql.ts';
import type { Refusal } from '../rules/delivery.ts';
import type { ReportStatus } from '../rules/report-status.ts';
import type { Failure } from '../rules/settlement.ts';
import type { ReportKey } from '../store.ts';

export type LockedLiveReport = ReportKey & {
  readonly callerId: string;
  readonly fence: number;
  readonly firstSendId: string | null;
  readonly isTest: boolean;
  status: ReportStatus;
  failure: Failure | null;
};

/** A parked group retries soon, and another group may be waiting for its connection. */
export async function shortenLockWaits(tx: Tx): Promise<void> {
  await execute(tx, sql`select set_config('lock_timeout', '300ms', true)`);
}

/** The reports in this list that no other transaction has locked. */
export function lockFreeReports(tx: Tx, keys: readonly ReportKey[]): Promise<LockedLiveReport[]> {
  return rows<LockedLiveReport>(
    tx,
    sql`
    select tenant_id as "tenantId", id as "creditReportId", caller_id as "callerId", fence,
           first_send_id as "firstSendId", is_test as "isTest", status, failure
      from credit_reports
     where (tenant_id, id) in (select * from unnest(${keys.map((key) => key.tenantId)}::uuid[],
                                                    ${keys.map((key) => key.creditReportId)}::uuid[]))
     order by tenant_id, id
       for no key update skip locked`,
  );
}

/** Locks in key order: a sweep and a request may want the same reports. */
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

/** The ids in this list that already have a row. */
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
  readonly because: Refusal | null;
  readonly sealedReport: Buffer | null;
  readonly sealedProvenance: Buffer | null;
  /** JSON text, or null. */
  readonly bureauResults: string | null;
};

export async function updateSettledReports(tx: Tx, reports: readonly SettledReport[]): Promise<void> {
  const sealed = packBytes(reports.map((report) => report.sealedReport));
  const provenance = packBytes(reports.map((report) => report.sealedProvenance));
  await execute(
    tx,
    sql`
    update credit_reports
       set status = settled.status, failure = settled.failure, not_deliverable_because = settled.because,
           sealed_report = substring(${sealed.bytes}::bytea from settled.start for settled.length),
           sealed_provenance = substring(${provenance.bytes}::bytea from provenance_start for provenance_length),
           bureau_results = settled.bureau_results,
           settled_at = case when settled.status <> 'challenged' then clock_timestamp() end
      from unnest(${reports.map((report) => report.tenantId)}::uuid[], ${reports.map((report) => report.creditReportId)}::uuid[],
                  ${reports.map((report) => report.status)}::text[], ${reports.map((report) => report.failure)}::text[],
                  ${reports.map((report) => report.because)}::text[],
                  ${sealed.starts}::integer[], ${sealed.lengths}::integer[],
                  ${provenance.starts}::integer[], ${provenance.lengths}::integer[],
                  ${reports.map((report) => report.bureauResults)}::json[])
           as settled (tenant_id, id, status, failure, because, start, length, provenance_start, provenance_length,
                       bureau_results)
     where credit_reports.tenant_id = settled.tenant_id and credit_reports.id = settled.id`,
  );
}

/** After a right code: from here on one request, identified by its fence, asks the bureaus. */
export async function updateReportFetching(tx: Tx, key: ReportKey): Promise<number> {
  const [report] = await rows<{ fence: number }>(
    tx,
    sql`
    update credit_reports set status = 'fetching', fence = fence + 1
     where tenant_id = ${key.tenantId} and id = ${key.creditReportId}
    returning fence`,
  );
  if (!report) throw new Error('a locked report no longer exists');
  return report.fence;
}

/** A challenge that has failed and is not refunded yet: it stays `challenged`, and takes no more codes. */
export async function updateReportFailing(tx: Tx, key: ReportKey, failure: Failure): Promise<void> {
  await execute(
    tx,
    sql`
    update credit_reports set failure = ${failure}
     where tenant_id = ${key.tenantId} and id = ${key.creditReportId} and status = 'challenged'`,
  );
}

export type ReportState = {
  readonly status: ReportStatus;
  readonly fence: number;
  readonly failure: Failure | null;
  readonly because: Refusal | null;
};

export async function findReportState(
  tx: Tx,
  { tenantId, creditReportId }: ReportKey,
): Promise<ReportState | undefined> {
  const [state] = await rows<ReportState>(
    tx,
    sql`
    select status, fence, failure, not_deliverable_because as because from credit_reports
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

export type Lease = ReportKey & { readonly fence: number };

/** A pending report's hold is its lease. Renewing it moves no credits, so the wallet stays unlocked. */
export async function renewHoldLeases(tx: Tx, leases: readonly Lease[], leaseMs: number): Promise<void> {
  if (leases.length === 0) return;
  await execute(
    tx,
    sql`
    with kept as (
      select holds.tenant_id, kind, source_id
        from unnest(${leases.map((lease) => lease.tenantId)}::uuid[],
                    ${leases.map((lease) => lease.creditReportId)}::uuid[]) as wanted (tenant_id, id)
        join holds on holds.tenant_id = wanted.tenant_id and holds.kind = 'report' and holds.source_id = wanted.id
       -- Not "= 'open'": that would invite the planner to search all open holds instead of the key.
       where holds.state not in ('captured', 'voided')
         -- What is locked is being settled just now.
         for no key update of holds skip locked)
    update holds set expires_at = clock_timestamp() + ${leaseMs}::integer * interval '1 millisecond'
      from kept
     where holds.tenant_id = kept.tenant_id and holds.kind = kept.kind and holds.source_id = kept.source_id`,
  );
}

/** A report in `fetching` is leased until its challenge is due, to the holder of its fence. */
export async function renewFetchLeases(tx: Tx, leases: readonly Lease[], leaseMs: number): Promise<void> {
  if (leases.length === 0) return;
  await execute(
    tx,
    sql`
    with kept as (
      select reports.tenant_id, reports.id
        from unnest(${leases.map((lease) => lease.tenantId)}::uuid[],
                    ${leases.map((lease) => lease.creditReportId)}::uuid[],
                    ${leases.map((lease) => lease.fence)}::integer[]) as wanted (tenant_id, id, fence)
        join credit_reports as reports on reports.tenant_id = wanted.tenant_id and reports.id = wanted.id
       where reports.fence = wanted.fence and reports.status = 'fetching'
         -- What is locked is being settled just now.
         for no key update of reports skip locked)
    update challenges set due_at = clock_timestamp() + ${leaseMs}::integer * interval '1 millisecond'
      from kept
     where challenges.tenant_id = kept.tenant_id and challenges.credit_report_id = kept.id
       and challenges.due_at is not null`,
  );
}

export type AbandonedReport = ReportKey & { readonly firstSendId: string | null };

/** As the system role: live reports whose worker let the lease expire. A pending report's hold is its lease. */
export function listAbandonedReports(tx: Tx, limit: number): Promise<AbandonedReport[]> {
  return rows<AbandonedReport>(
    tx,
    sql`
    select holds.tenant_id as "tenantId", source_id as "creditReportId", first_send_id as "firstSendId"
      from holds join credit_reports on credit_reports.tenant_id = holds.tenant_id and credit_reports.id = source_id
     where state = 'open' and expires_at < statement_timestamp() and kind = 'report'
     order by expires_at limit ${limit}`,
  );
}

/** As the system role: how long the oldest report or challenge that a sweep should settle is overdue. */
export async function getUnsettledSeconds(tx: Tx): Promise<number> {
  const [found] = await rows<{ seconds: number }>(
    tx,
    sql`
    select coalesce(extract(epoch from clock_timestamp() - least(
             (select min(expires_at) from holds
               where state = 'open' and kind = 'report' and expires_at < statement_timestamp()),
             (select min(due_at) from challenges where due_at < statement_timestamp()))), 0)::float8 as seconds`,
  );
  return found?.seconds ?? 0;
}

/** As the system role: since when a sweeping process can reach the database. Also deletes rows of dead processes. */
export async function upsertSweeper(tx: Tx, id: string, reachableMs: number): Promise<void> {
  const reachable = Math.round(reachableMs);
  await execute(
    tx,
    sql`
    insert into sweepers (id, reachable_since)
    values (${id}, clock_timestamp() - ${reachable}::bigint * interval '1 millisecond')
    on conflict (id) do update set reachable_since = excluded.reachable_since, seen_at = clock_timestamp()`,
  );
  await execute(tx, sql`delete from sweepers where seen_at < clock_timestamp() - interval '1 day'`);
}

export type Sweeping = { readonly sweepers: number; readonly secondsAgo: number | null };

/** As the system role: how many processes sweep now, and when one last did; null when none did within a day. */
export async function readSweeping(tx: Tx): Promise<Sweeping> {
  const [found] = await rows<Sweeping>(
    tx,
    sql`
    select count(*) filter (where seen_at > clock_timestamp() - interval '1 minute')::int as sweepers,
           extract(epoch from clock_timestamp() - max(seen_at))::float8 as "secondsAgo" from sweepers`,
  );
  return found ?? { sweepers: 0, secondsAgo: null };
}

export type DueChallenge = ReportKey & { readonly status: ReportStatus; readonly failure: Failure | null };

/** As the system role: challenges whose five minutes are over, and fetches whose worker let the lease expire. */
export function listDueChallenges(tx: Tx, limit: number): Promise<DueChallenge[]> {
  return rows<DueChallenge>(
    tx,
    sql`
    select challenges.tenant_id as "tenantId", credit_report_id as "creditReportId", status, failure
      from challenges
      join credit_reports on credit_reports.tenant_id = challenges.tenant_id
                         and credit_reports.id = challenges.credit_report_id
     where due_at < statement_timestamp()
     order by due_at limit ${limit}`,
  );
}

/**
 * Call it with the reports locked. Returns the reports whose five minutes are not over: a message was sent after a job
 * or request had found the challenge expired.
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

/** Sets when the challenge is next due, counted from now by the database's clock. */
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

/** The first use binds a session to its tenant and person. Returns what each session is bound to. */
export async function bindSessions(
  tx: Tx,
  sessions: readonly { readonly sessionHash: Buffer; readonly boundTo: readonly [Buffer, ...Buffer[]] }[],
): Promise<Map<string, Buffer>> {
  const added = execute(
    tx,
    sql`
    insert into device_sessions (session_hash, bound_to)
    select distinct on (1) * from unnest(${sessions.map((each) => each.sessionHash)}::bytea[],
                                         ${sessions.map((each) => each.boundTo[0])}::bytea[]) order by 1
    on conflict do nothing`,
  );
  const listed = rows<{ session_hash: Buffer; bound_to: Buffer }>(
    tx,
    sql`
    select session_hash, bound_to from device_sessions
     where session_hash = any (${sessions.map((each) => each.sessionHash)}::bytea[])`,
  );
  // Pipelined: PostgreSQL runs them in this order.
  const [, bound] = await Promise.all([added, listed]);
  return new Map(bound.map((each) => [each.session_hash.toString('hex'), each.bound_to]));
}
