// Rows that only test mode writes or reads: what a request chose as its outcome, the clock of a test report, and the
// messages of test challenges, which have no rows of their own.
import type { BureauResult } from '@trefoil/contract';
import type { WrappedKey } from '../../lib/crypto/vault.ts';
import { execute, rows, sql, type Tx } from '../../lib/postgres/sql.ts';
import type { Refusal } from '../rules/delivery.ts';
import type { Failure } from '../rules/settlement.ts';
import type { ReportKey } from '../store.ts';

export type TestOutcome = {
  readonly failure: Failure | null;
  readonly because: Refusal | null;
  readonly bureauResults: readonly BureauResult[] | null;
};

/** Only for a test report: `is_test` is part of the condition, so that no mistake can rewrite a live one. */
export async function updateTestOutcome(tx: Tx, key: ReportKey, outcome: TestOutcome): Promise<void> {
  const results = outcome.bureauResults && JSON.stringify(outcome.bureauResults);
  await execute(
    tx,
    sql`
    update credit_reports
       set failure = ${outcome.failure}, not_deliverable_because = ${outcome.because}, bureau_results = ${results}::json
     where tenant_id = ${key.tenantId} and id = ${key.creditReportId} and is_test`,
  );
}

/**
 * Moves the report's clock forward: what the challenge measures from lies that much further back. Call it with the report
 * locked. Null without a challenge.
 */
export async function updateClock(tx: Tx, key: ReportKey, seconds: number): Promise<number | null> {
  const [moved] = await rows<{ sinceLastSendUs: number }>(
    tx,
    sql`
    update challenges
       set last_sent_at = last_sent_at - ${seconds} * interval '1 second',
           completed_at = completed_at - ${seconds} * interval '1 second',
           test_due_at = test_due_at - ${seconds} * interval '1 second'
     where tenant_id = ${key.tenantId} and credit_report_id = ${key.creditReportId}
       -- Only a live challenge has this: no mistake can move its clock.
       and due_at is null
    returning (extract(epoch from clock_timestamp() - last_sent_at) * 1000000)::bigint as "sinceLastSendUs"`,
  );
  return moved?.sinceLastSendUs ?? null;
}

/** By the database's clock. */
export async function findDayFromNow(tx: Tx): Promise<Date> {
  const [found] = await rows<{ at: Date }>(tx, sql`select clock_timestamp() + interval '24 hours' as at`);
  if (!found) throw new Error('the database has no clock');
  return found.at;
}

export type InboxPlace = {
  /** This report and older ones. */
  readonly fromId: string;
  readonly window: number;
};

/** Test reports with a challenge, newest first, among the next `window` test reports. Call it after `walkInKeyOrder`. */
export function listChallenged(tx: Tx, tenantId: string, place: InboxPlace, limit: number): Promise<{ id: string }[]> {
  return rows<{ id: string }>(
    tx,
    sql`
    select id
      from (select id from credit_reports
             where tenant_id = ${tenantId} and id <= ${place.fromId} and is_test
             order by id desc limit ${place.window}) as seen
     where exists (select from challenges where tenant_id = ${tenantId} and credit_report_id = seen.id)
     order by id desc limit ${limit}`,
  );
}

/** The first test report after the window; undefined when the window reached the end. */
export async function findNextWindow(tx: Tx, tenantId: string, place: InboxPlace): Promise<string | undefined> {
  const [next] = await rows<{ id: string }>(
    tx,
    sql`
    select id from credit_reports
     where tenant_id = ${tenantId} and id <= ${place.fromId} and is_test
     order by id desc offset ${place.window} limit 1`,
  );
  return next?.id;
}

export type SentInTest = {
  readonly creditReportId: string;
  readonly challengeId: string;
  /** The first message is as old as its report. */
  readonly sentAt: readonly Date[];
  readonly sealedRequest: Buffer;
  readonly wrapped: WrappedKey;
};

/** Unordered. A report past its retention time is left out, erased or not. */
export async function listSentInTest(tx: Tx, tenantId: string, ids: readonly string[]): Promise<SentInTest[]> {
  const found = await rows<Omit<SentInTest, 'wrapped'> & { ringKeyId: string; wrappedKey: Buffer }>(
    tx,
    sql`
    select reports.id as "creditReportId", challenges.id as "challengeId",
           array[reports.created_at] || challenges.resent_at as "sentAt",
           sealed_request as "sealedRequest", ring_key_id as "ringKeyId", wrapped_key as "wrappedKey"
      from credit_reports as reports
      join tenants on tenants.id = reports.tenant_id
      join data_keys on data_keys.tenant_id = reports.tenant_id and data_keys.credit_report_id = reports.id
      join challenges on challenges.tenant_id = reports.tenant_id and challenges.credit_report_id = reports.id
     where reports.tenant_id = ${tenantId} and reports.id = any (${ids}::uuid[]) and is_test and purged_at is null
       and (status = 'challenged'
            or coalesce(settled_at, reports.created_at) > clock_timestamp() - retention_days * interval '1 day')`,
  );
  return found.map(({ ringKeyId, wrappedKey, ...sent }) => ({ ...sent, wrapped: { ringKeyId, wrappedKey } }));
}
