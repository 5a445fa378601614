// What is held of reports, for a person who asks: their states, their sealed columns and their messages. Nothing here writes.
import type { BureauResult, ReportSource } from '@trefoil/contract';
import type { WrappedKey } from '../../lib/crypto/vault.ts';
import { rows, sql, type Tx } from '../../lib/postgres/sql.ts';
import type { Refusal } from '../rules/delivery.ts';
import type { SendState } from '../rules/receipt.ts';
import type { ReportStatus } from '../rules/report-status.ts';
import type { Failure } from '../rules/settlement.ts';

export type HeldState = {
  readonly id: string;
  readonly isTest: boolean;
  readonly createdAt: Date;
  /** A request, a code or a job may still change it. A test challenge that nobody ended is over after an hour. */
  readonly isRunning: boolean;
  /** Without its data key nobody can read it any more. */
  readonly hasKey: boolean;
};

/** The tenant's next reports in the order of their ids. Call it after `walkInKeyOrder`. */
export function listStatesAfter(tx: Tx, tenantId: string, afterId: string, limit: number): Promise<HeldState[]> {
  return rows<HeldState>(
    tx,
    sql`
    select reports.id, is_test as "isTest", created_at as "createdAt",
           status in ('pending', 'fetching')
             or (status = 'challenged'
                 and (not is_test or created_at > clock_timestamp() - interval '1 hour')) as "isRunning",
           exists (select from data_keys
                    where data_keys.tenant_id = reports.tenant_id and credit_report_id = reports.id) as "hasKey"
      from (select * from credit_reports where tenant_id = ${tenantId} and id > ${afterId}
             order by id limit ${limit}) as reports
     order by reports.id`,
  );
}

/** Those of these reports that exist, unordered. */
export function listStates(tx: Tx, tenantId: string, ids: readonly string[]): Promise<HeldState[]> {
  return rows<HeldState>(
    tx,
    sql`
    select id, is_test as "isTest", created_at as "createdAt",
           status in ('pending', 'fetching')
             or (status = 'challenged'
                 and (not is_test or created_at > clock_timestamp() - interval '1 hour')) as "isRunning",
           exists (select from data_keys
                    where data_keys.tenant_id = credit_reports.tenant_id
                      and credit_report_id = credit_reports.id) as "hasKey"
      from credit_reports where tenant_id = ${tenantId} and id = any (${ids}::uuid[])`,
  );
}

export type HeldChallenge = {
  readonly challengeId: string;
  readonly attemptsUsed: number;
  /** Wrong codes after the right one. */
  readonly lateAttempts: number;
  readonly messagesSent: number;
  readonly lastSentAt: Date;
  readonly completedAt: Date | null;
};

export type SealedHeld = {
  readonly id: string;
  readonly isTest: boolean;
  readonly status: ReportStatus;
  readonly failure: Failure | null;
  readonly because: Refusal | null;
  readonly source: ReportSource;
  readonly createdAt: Date;
  readonly settledAt: Date | null;
  readonly challenge: HeldChallenge | null;
  readonly sinceLastSendUs: number | null;
  readonly bureauResults: BureauResult[] | null;
  readonly sealedRequest: Buffer;
  readonly sealedReport: Buffer | null;
  readonly sealedProvenance: Buffer | null;
  readonly wrapped: WrappedKey;
};

type NoChallenge = { readonly [Field in keyof HeldChallenge]: null };
type SealedRow = Omit<SealedHeld, 'wrapped' | 'challenge'> & WrappedKey & (HeldChallenge | NoChallenge);

/**
 * Those of these reports that have a data key, in the order of their ids. The key's row is locked against its deletion, so that
 * what is derived from a report cannot be stored after the report was erased. One that is being erased is left out. Provenance is
 * larger than all else together, and only an export needs it.
 */
export async function lockSealedHeld(
  tx: Tx,
  tenantId: string,
  { ids, withProvenance }: { readonly ids: readonly string[]; readonly withProvenance: boolean },
): Promise<SealedHeld[]> {
  const found = await rows<SealedRow>(
    tx,
    sql`
    select reports.id, is_test as "isTest", status, failure, not_deliverable_because as because, source,
           reports.created_at as "createdAt", settled_at as "settledAt", bureau_results as "bureauResults", sealed_request as "sealedRequest", sealed_report as "sealedReport",
           case when ${withProvenance}::boolean then sealed_provenance end as "sealedProvenance", ring_key_id as "ringKeyId", wrapped_key as "wrappedKey",
           challenge.*
      from credit_reports as reports
      join data_keys on data_keys.tenant_id = reports.tenant_id and data_keys.credit_report_id = reports.id
      left join lateral (
        select id as "challengeId", attempts_used as "attemptsUsed", late_attempts as "lateAttempts", sms_sent_count as "messagesSent",
               last_sent_at as "lastSentAt", completed_at as "completedAt",
               (extract(epoch from clock_timestamp() - last_sent_at) * 1000000)::bigint as "sinceLastSendUs"
          from challenges
         where challenges.tenant_id = reports.tenant_id and challenges.credit_report_id = reports.id
         order by id desc limit 1) as challenge on true
     where reports.tenant_id = ${tenantId} and reports.id = any (${ids}::uuid[])
     order by reports.id
       for key share of data_keys skip locked`,
  );
  return found.map(({ ringKeyId, wrappedKey, ...row }) => {
    const { challengeId, attemptsUsed, lateAttempts, messagesSent, lastSentAt, completedAt, ...report } = row;
    const challenge =
      challengeId === null ? null : { challengeId, attemptsUsed, lateAttempts, messagesSent, lastSentAt, completedAt };
    return { ...report, challenge, wrapped: { ringKeyId, wrappedKey } };
  });
}

export type HeldSend = {
  readonly id: string;
  readonly creditReportId: string;
  readonly state: SendState;
  readonly sentAt: Date;
  readonly settledAt: Date | null;
};

/** Oldest first; a challenge has at most three, so the number of reports bounds this list. */
export function listSendsOfReports(tx: Tx, tenantId: string, ids: readonly string[]): Promise<HeldSend[]> {
  return rows<HeldSend>(
    tx,
    sql`
    select id, credit_report_id as "creditReportId", state, sent_at as "sentAt", settled_at as "settledAt"
      from sms_sends where tenant_id = ${tenantId} and credit_report_id = any (${ids}::uuid[]) order by id`,
  );
}
