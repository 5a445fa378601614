// Reports as those see them who read them again: state and age, found by id or listed. Nothing here writes, and
// nothing sealed is opened.
import type { BureauResult } from '@trefoil/contract';
import { rows, sql, type Tx } from '../lib/sql.ts';
import type { ReportStatus } from './rules/report-status.ts';
import type { Failure } from './rules/settlement.ts';

export type ReadableReport = {
  readonly id: string;
  readonly isTest: boolean;
  readonly status: ReportStatus;
  readonly failure: Failure | null;
  readonly bureauResults: BureauResult[] | null;
  readonly createdAt: Date;
  /** Erased, or past its retention time and about to be. */
  readonly isPurged: boolean;
  readonly challengeId: string | null;
  readonly sinceLastSendUs: number | null;
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
    select reports.id, is_test as "isTest", status, failure, bureau_results as "bureauResults",
           reports.created_at as "createdAt",
           purged_at is not null or data_keys.tenant_id is null
             or (status in ('complete', 'failed', 'blocked', 'expired')
                 and reports.created_at <= clock_timestamp() - retention_days * interval '1 day') as "isPurged",
           challenge.id as "challengeId", challenge."sinceLastSendUs"
      from credit_reports as reports
      join tenants on tenants.id = reports.tenant_id
      left join data_keys on data_keys.tenant_id = reports.tenant_id and data_keys.credit_report_id = reports.id
      left join lateral (
        select id, (extract(epoch from clock_timestamp() - last_sent_at) * 1000000)::bigint as "sinceLastSendUs"
          from challenges
         where challenges.tenant_id = reports.tenant_id and challenges.credit_report_id = reports.id
         order by id desc limit 1) as challenge on true
     where reports.tenant_id = ${tenantId} and reports.id = ${creditReportId}`,
  );
  return report;
}

export type ReportFilter = {
  /** Reports older than this one; the highest id there can be for all of them. */
  readonly beforeId: string;
  readonly statuses: readonly ReportStatus[];
  /** Live reports are left out. */
  readonly isTestOnly: boolean;
  /** How many reports are looked at for those in these states: a rare state must not mean a walk through all. */
  readonly window: number;
};

/** The newest reports of a tenant: ids are made in the order of time. Call it after `walkInKeyOrder`. */
export function listNewest(tx: Tx, tenantId: string, filter: ReportFilter, limit: number): Promise<{ id: string }[]> {
  return rows<{ id: string }>(
    tx,
    sql`
    select id
      from (select id, status, is_test from credit_reports
             where tenant_id = ${tenantId} and id < ${filter.beforeId}
             order by id desc limit ${filter.window}) as seen
     where status = any (${filter.statuses}::text[]) and (is_test or not ${filter.isTestOnly}::boolean)
     order by id desc limit ${limit}`,
  );
}

/** The same among those of one reference. */
export function listNewestOfReference(
  tx: Tx,
  tenantId: string,
  externalReferenceHash: Buffer,
  filter: ReportFilter,
  limit: number,
): Promise<{ id: string }[]> {
  // Materialised, so that the way in is the reference and never a walk along the ids.
  return rows<{ id: string }>(
    tx,
    sql`
    with seen as materialized (
      select id, status, is_test from credit_reports
       where tenant_id = ${tenantId} and external_reference_hash = ${externalReferenceHash})
    select id from seen where id < ${filter.beforeId} and status = any (${filter.statuses}::text[])
       and (is_test or not ${filter.isTestOnly}::boolean)
     order by id desc limit ${limit}`,
  );
}

/** The last report that `listNewest` looked at; undefined when it came to the end. */
export async function findWindowEnd(tx: Tx, tenantId: string, filter: ReportFilter): Promise<string | undefined> {
  const [last, beyond] = await rows<{ id: string }>(
    tx,
    sql`
    select id from credit_reports
     where tenant_id = ${tenantId} and id < ${filter.beforeId}
     order by id desc offset ${filter.window - 1} limit 2`,
  );
  return beyond && last?.id;
}

export type ListedReport = Omit<ReadableReport, 'failure' | 'bureauResults' | 'challengeId'>;

/** In no order: a page is small, and its ids are in order already. */
export function listReadableReports(tx: Tx, tenantId: string, ids: readonly string[]): Promise<ListedReport[]> {
  return rows<ListedReport>(
    tx,
    sql`
    select reports.id, is_test as "isTest", status, reports.created_at as "createdAt",
           purged_at is not null or data_keys.tenant_id is null
             or (status in ('complete', 'failed', 'blocked', 'expired')
                 and reports.created_at <= clock_timestamp() - retention_days * interval '1 day') as "isPurged",
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

/** Live reports of a reference: test reports never meet money. */
export function listLiveReportIds(
  tx: Tx,
  tenantId: string,
  externalReferenceHash: Buffer,
  limit: number,
): Promise<{ id: string }[]> {
  return rows<{ id: string }>(
    tx,
    sql`
    select id from credit_reports
     where tenant_id = ${tenantId} and external_reference_hash = ${externalReferenceHash} and not is_test
     limit ${limit}`,
  );
}

/** A challenge sends three messages at most, so the reports bound this list. */
export function listSendIds(tx: Tx, tenantId: string, creditReportIds: readonly string[]): Promise<{ id: string }[]> {
  return rows<{ id: string }>(
    tx,
    sql`
    select id from sms_sends
     where tenant_id = ${tenantId} and credit_report_id = any (${creditReportIds}::uuid[])`,
  );
}
