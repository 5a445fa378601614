// Reports for reads: state and age, found by id or listed. Nothing here writes or opens sealed data.
import type { ReportSource } from '@trefoil/contract';
import type { WrappedKey } from '../../lib/crypto/vault.ts';
import { rows, sql, type Tx } from '../../lib/postgres/sql.ts';
import type { Refusal } from '../rules/delivery.ts';
import type { SendState } from '../rules/receipt.ts';
import type { ReportStatus } from '../rules/report-status.ts';
import type { Failure } from '../rules/settlement.ts';

export type ReadableReport = {
  readonly id: string;
  readonly isTest: boolean;
  readonly status: ReportStatus;
  readonly failure: Failure | null;
  readonly because: Refusal | null;
  readonly createdAt: Date;
  readonly source: ReportSource;
  /** Whether it was generated with a reference, which is sealed with the request. */
  readonly hasReference: boolean;
  /** Erased, or past its retention time, which counts from its settlement, and about to be erased. */
  readonly isPurged: boolean;
  readonly challengeId: string | null;
  readonly sinceLastSendUs: number | null;
  /** When later messages of the challenge were requested; null without a challenge. */
  readonly resentAt: readonly Date[] | null;
};

/** Undefined when absent or another tenant's: a caller must not be able to tell which. */
export async function findReadableReport(
  tx: Tx,
  tenantId: string,
  creditReportId: string,
): Promise<ReadableReport | undefined> {
  const [report] = await rows<ReadableReport>(
    tx,
    sql`
    select reports.id, is_test as "isTest", status, failure, not_deliverable_because as because,
           reports.created_at as "createdAt", source, external_reference_hash is not null as "hasReference",
           purged_at is not null or data_keys.tenant_id is null
             or (status in ('complete', 'failed', 'blocked', 'expired')
                 and coalesce(settled_at, reports.created_at)
                       <= clock_timestamp() - retention_days * interval '1 day') as "isPurged",
           challenge.id as "challengeId", challenge."sinceLastSendUs", challenge.resent_at as "resentAt"
      from credit_reports as reports
      join tenants on tenants.id = reports.tenant_id
      left join data_keys on data_keys.tenant_id = reports.tenant_id and data_keys.credit_report_id = reports.id
      left join lateral (
        select id, resent_at, (extract(epoch from clock_timestamp() - last_sent_at) * 1000000)::bigint as "sinceLastSendUs"
          from challenges
         where challenges.tenant_id = reports.tenant_id and challenges.credit_report_id = reports.id
         order by id desc limit 1) as challenge on true
     where reports.tenant_id = ${tenantId} and reports.id = ${creditReportId}`,
  );
  return report;
}

export type CompletedFacts = {
  readonly tenantName: string;
  readonly completedAt: Date;
  /** When the consumer's right code was answered with the report; null without a challenge. */
  readonly authenticatedAt: Date | null;
  /** Null for a report of a release that kept none. */
  readonly sealedProvenance: Buffer | null;
};

/** Undefined when absent or another tenant's. */
export async function findCompletedFacts(
  tx: Tx,
  tenantId: string,
  creditReportId: string,
): Promise<CompletedFacts | undefined> {
  const [facts] = await rows<CompletedFacts>(
    tx,
    sql`
    select tenants.name as "tenantName", coalesce(settled_at, reports.created_at) as "completedAt",
           (select max(completed_at) from challenges
             where challenges.tenant_id = reports.tenant_id and credit_report_id = reports.id) as "authenticatedAt",
           sealed_provenance as "sealedProvenance"
      from credit_reports as reports
      join tenants on tenants.id = reports.tenant_id
     where reports.tenant_id = ${tenantId} and reports.id = ${creditReportId} and status = 'complete'`,
  );
  return facts;
}

export type ReadableSend = {
  readonly state: SendState;
  readonly sentAt: Date;
  readonly settledAt: Date | null;
};

/** A challenge's live messages, oldest first; at most three. */
export function listReadableSends(
  tx: Tx,
  tenantId: string,
  creditReportId: string,
  challengeId: string,
): Promise<ReadableSend[]> {
  return rows<ReadableSend>(
    tx,
    sql`
    select state, sent_at as "sentAt", settled_at as "settledAt" from sms_sends
     where tenant_id = ${tenantId} and credit_report_id = ${creditReportId} and challenge_id = ${challengeId}
     order by id`,
  );
}

/** Open ends are extreme values, never absent: one plan fits all. */
export type ReportFilter = {
  /** Ids between these two, both exclusive. */
  readonly afterId: string;
  readonly beforeId: string;
  readonly statuses: readonly ReportStatus[];
  /** `is_test` of the reports: one value, or both. */
  readonly modes: readonly boolean[];
  /** Of their creation: inclusive and exclusive, as ISO 8601 or `-infinity` and `infinity`. */
  readonly from: string;
  readonly to: string;
  /** How many reports are scanned for these filters: a rare state must not cause a scan of all reports. */
  readonly window: number;
};

/**
 * A tenant's newest reports: ids increase with time. Call it after `walkInKeyOrder`. Where only test reports are asked for, no other is
 * scanned: they have an index of their own, so that many live ones since do not hide them.
 */
export function listNewest(tx: Tx, tenantId: string, filter: ReportFilter, limit: number): Promise<{ id: string }[]> {
  return rows<{ id: string }>(
    tx,
    sql`
    select id
      from (select id, status, is_test, created_at from credit_reports
             where tenant_id = ${tenantId} and id > ${filter.afterId} and id < ${filter.beforeId}
               and (is_test or ${filter.modes.includes(false)}::boolean)
             order by id desc limit ${filter.window}) as seen
     where status = any (${filter.statuses}::text[]) and is_test = any (${filter.modes}::boolean[])
       and created_at >= ${filter.from} and created_at < ${filter.to}
     order by id desc limit ${limit}`,
  );
}

/** The same for the reports of one reference. */
export function listNewestOfReference(
  tx: Tx,
  tenantId: string,
  externalReferenceHashes: readonly Buffer[],
  filter: ReportFilter,
  limit: number,
): Promise<{ id: string }[]> {
  // Materialised, so that the planner searches by the reference and never scans along the ids.
  return rows<{ id: string }>(
    tx,
    sql`
    with seen as materialized (
      select id, status, is_test, created_at from credit_reports
       where tenant_id = ${tenantId} and external_reference_hash = any (${externalReferenceHashes}::bytea[])
         and external_reference_hash is not null)
    select id from seen
     where id < ${filter.beforeId}
       and status = any (${filter.statuses}::text[]) and is_test = any (${filter.modes}::boolean[])
       and created_at >= ${filter.from} and created_at < ${filter.to}
     order by id desc limit ${limit}`,
  );
}

/** The last report that `listNewest` scanned; undefined when it reached the end. */
export async function findWindowEnd(tx: Tx, tenantId: string, filter: ReportFilter): Promise<string | undefined> {
  const [last, beyond] = await rows<{ id: string }>(
    tx,
    sql`
    select id from credit_reports
     where tenant_id = ${tenantId} and id > ${filter.afterId} and id < ${filter.beforeId}
       and (is_test or ${filter.modes.includes(false)}::boolean)
     order by id desc offset ${filter.window - 1} limit 2`,
  );
  return beyond && last?.id;
}

export type ListedReport = Omit<ReadableReport, 'challengeId' | 'resentAt'>;

/** Unordered: a page is small, and its ids are already in order. */
export function listReadableReports(tx: Tx, tenantId: string, ids: readonly string[]): Promise<ListedReport[]> {
  return rows<ListedReport>(
    tx,
    sql`
    select reports.id, is_test as "isTest", status, failure, not_deliverable_because as because,
           reports.created_at as "createdAt", source, external_reference_hash is not null as "hasReference",
           purged_at is not null or data_keys.tenant_id is null
             or (status in ('complete', 'failed', 'blocked', 'expired')
                 and coalesce(settled_at, reports.created_at)
                       <= clock_timestamp() - retention_days * interval '1 day') as "isPurged",
           challenge."sinceLastSendUs"
      from credit_reports as reports
      join tenants on tenants.id = reports.tenant_id
      left join data_keys on data_keys.tenant_id = reports.tenant_id and data_keys.credit_report_id = reports.id
      left join lateral (
        select (extract(epoch from clock_timestamp() - last_sent_at) * 1000000)::bigint as "sinceLastSendUs"
          from challenges
         where challenges.tenant_id = reports.tenant_id and challenges.credit_report_id = reports.id
         order by challenges.id desc limit 1) as challenge on true
     where reports.tenant_id = ${tenantId} and reports.id = any (${ids}::uuid[])`,
  );
}

export type ReportCost = { readonly id: string; readonly costCredits: number };

/** Charge and refund of each live report, from the journal; a report without a line has cost nothing. */
export function listReportCosts(tx: Tx, tenantId: string, ids: readonly string[]): Promise<ReportCost[]> {
  // Materialised, so that the planner searches by kind and source and never scans along the positions. Amounts are joined
  // laterally: without statistics the planner would search all entries of the tenant for each line.
  return rows<ReportCost>(
    tx,
    sql`
    with txs as materialized (
      select seq, source_id from ledger_txs
       where tenant_id = ${tenantId} and kind in ('report-charge', 'report-refund') and source_id = any (${ids}::uuid[]))
    select source_id as id, -sum(amount)::bigint as "costCredits"
      from txs
     cross join lateral (
       select amount from ledger_entries
        where tenant_id = ${tenantId} and seq = txs.seq and account = 'wallet' offset 0) as entries
     group by source_id`,
  );
}

export type SealedRequest = { readonly id: string; readonly sealedRequest: Buffer; readonly wrapped: WrappedKey };

/** The sealed requests of those of these reports that have a reference and a key. */
export async function listReferencedRequests(
  tx: Tx,
  tenantId: string,
  ids: readonly string[],
): Promise<SealedRequest[]> {
  const found = await rows<{ id: string; sealedRequest: Buffer; ringKeyId: string; wrappedKey: Buffer }>(
    tx,
    sql`
    select id, sealed_request as "sealedRequest", ring_key_id as "ringKeyId", wrapped_key as "wrappedKey"
      from credit_reports
      join data_keys on data_keys.tenant_id = credit_reports.tenant_id
                    and data_keys.credit_report_id = credit_reports.id
     where credit_reports.tenant_id = ${tenantId} and id = any (${ids}::uuid[])
       and external_reference_hash is not null`,
  );
  return found.map(({ id, sealedRequest, ...wrapped }) => ({ id, sealedRequest, wrapped }));
}

/** The reports of a reference, of one mode. */
export function listReportIds(
  tx: Tx,
  tenantId: string,
  { hashes, isTest }: { readonly hashes: readonly Buffer[]; readonly isTest: boolean },
  limit: number,
): Promise<{ id: string }[]> {
  return rows<{ id: string }>(
    tx,
    sql`
    select id from credit_reports
     where tenant_id = ${tenantId} and external_reference_hash = any (${hashes}::bytea[])
       and external_reference_hash is not null and is_test = ${isTest}
     limit ${limit}`,
  );
}

/** A challenge sends at most three messages, so the number of reports bounds this list. */
export function listSendIds(tx: Tx, tenantId: string, creditReportIds: readonly string[]): Promise<{ id: string }[]> {
  return rows<{ id: string }>(
    tx,
    sql`
    select id from sms_sends
     where tenant_id = ${tenantId} and credit_report_id = any (${creditReportIds}::uuid[])`,
  );
}
