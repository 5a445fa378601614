// Messages and their receipts as rows. They contain neither a code nor a number: codes are derived from the send's id,
// and the number is in the sealed request.
import { execute, rows, sql, type Tx } from '../../lib/postgres/sql.ts';
import type { SendState } from '../rules/receipt.ts';
import type { ReportKey } from '../store.ts';

/** `codeKeyId` is the hash key that the code is derived with. */
export type NewSend = ReportKey & { readonly id: string; readonly challengeId: string; readonly codeKeyId: string };

export async function insertSends(tx: Tx, sends: readonly NewSend[]): Promise<void> {
  await execute(
    tx,
    sql`
    insert into sms_sends (tenant_id, id, credit_report_id, challenge_id, code_key_id)
    select * from unnest(${sends.map((send) => send.tenantId)}::uuid[], ${sends.map((send) => send.id)}::uuid[],
                         ${sends.map((send) => send.creditReportId)}::uuid[],
                         ${sends.map((send) => send.challengeId)}::uuid[],
                         ${sends.map((send) => send.codeKeyId)}::text[])`,
  );
}

export type LockedSend = ReportKey & {
  readonly id: string;
  readonly challengeId: string;
  state: SendState;
  carrierRef: string | null;
};

type SendKey = { readonly tenantId: string; readonly sendId: string };

/** The messages in this list that no other transaction has locked. */
export function lockFreeSends(tx: Tx, keys: readonly SendKey[]): Promise<LockedSend[]> {
  return rows<LockedSend>(
    tx,
    sql`
    select tenant_id as "tenantId", id, credit_report_id as "creditReportId", challenge_id as "challengeId", state,
           carrier_ref as "carrierRef"
      from sms_sends
     where (tenant_id, id) in (select * from unnest(${keys.map((key) => key.tenantId)}::uuid[],
                                                    ${keys.map((key) => key.sendId)}::uuid[]))
     order by tenant_id, id
       for no key update skip locked`,
  );
}

/** Locks in key order: a receipt and a code may want the same messages. */
export function lockSends(tx: Tx, keys: readonly SendKey[]): Promise<LockedSend[]> {
  return rows<LockedSend>(
    tx,
    sql`
    select tenant_id as "tenantId", id, credit_report_id as "creditReportId", challenge_id as "challengeId", state,
           carrier_ref as "carrierRef"
      from sms_sends
     where (tenant_id, id) in (select * from unnest(${keys.map((key) => key.tenantId)}::uuid[],
                                                    ${keys.map((key) => key.sendId)}::uuid[]))
     order by tenant_id, id
       for no key update`,
  );
}

export type ChallengeSend = {
  readonly id: string;
  readonly state: SendState;
  readonly sinceSentUs: number;
  /** Null in rows of the previous release. */
  readonly codeKeyId: string | null;
};

/** Call it with the report locked. Locks the sends too: a receipt may arrive at the same time as the code. */
export function lockSendsOfChallenge(tx: Tx, key: ReportKey, challengeId: string): Promise<ChallengeSend[]> {
  return rows<ChallengeSend>(
    tx,
    sql`
    select id, state, (extract(epoch from clock_timestamp() - sent_at) * 1000000)::bigint as "sinceSentUs",
           code_key_id as "codeKeyId"
      from sms_sends
     where tenant_id = ${key.tenantId} and credit_report_id = ${key.creditReportId} and challenge_id = ${challengeId}
     order by id
       for no key update`,
  );
}

export type ClaimedSend = ReportKey & { readonly isUseful: boolean; readonly codeKeyId: string | null };

/**
 * Claims a queued message for submission: at most one caller ever gets it. Undefined when it is already claimed;
 * `isUseful` is false when its challenge has ended or its code has expired.
 */
export async function claimSend(tx: Tx, tenantId: string, sendId: string): Promise<ClaimedSend | undefined> {
  const [claimed] = await rows<ClaimedSend>(
    tx,
    sql`
    update sms_sends set state = 'submitted', submitted_at = clock_timestamp()
      from credit_reports
     where sms_sends.tenant_id = ${tenantId} and sms_sends.id = ${sendId} and state = 'queued'
       and credit_reports.tenant_id = sms_sends.tenant_id and credit_reports.id = sms_sends.credit_report_id
    returning sms_sends.tenant_id as "tenantId", credit_report_id as "creditReportId", code_key_id as "codeKeyId",
              status = 'challenged' and failure is null and sent_at > clock_timestamp() - interval '5 minutes' as "isUseful"`,
  );
  return claimed;
}

/** Call it with the messages locked. */
export async function updateSettledSends(tx: Tx, sends: readonly LockedSend[]): Promise<void> {
  if (sends.length === 0) return;
  await execute(
    tx,
    sql`
    update sms_sends
       set state = changed.state,
           -- A message of a purged report loses its reference once it is settled.
           carrier_ref = case when changed.state not in ('queued', 'submitted')
                                   and exists (select from credit_reports
                                                where credit_reports.tenant_id = sms_sends.tenant_id
                                                  and credit_reports.id = sms_sends.credit_report_id
                                                  and purged_at is not null)
                              then null else coalesce(sms_sends.carrier_ref, changed.carrier_ref) end,
           settled_at = case when changed.state in ('queued', 'submitted') then settled_at
                             else coalesce(settled_at, clock_timestamp()) end
      from unnest(${sends.map((send) => send.tenantId)}::uuid[], ${sends.map((send) => send.id)}::uuid[],
                  ${sends.map((send) => send.state)}::text[], ${sends.map((send) => send.carrierRef)}::text[])
           as changed (tenant_id, id, state, carrier_ref)
     where sms_sends.tenant_id = changed.tenant_id and sms_sends.id = changed.id`,
  );
}

/** The carrier accepted the message. Its receipt may have arrived before this answer. */
export async function updateCarrierRef(tx: Tx, { tenantId, sendId }: SendKey, carrierRef: string): Promise<void> {
  // A statement of its own: the next one then sees whether a purge that it waited for has ended.
  await execute(tx, sql`select from sms_sends where tenant_id = ${tenantId} and id = ${sendId} for no key update`);
  await execute(
    tx,
    sql`
    update sms_sends set carrier_ref = coalesce(carrier_ref, ${carrierRef})
     where tenant_id = ${tenantId} and id = ${sendId}
       and (state in ('queued', 'submitted')
            or exists (select from credit_reports
                        where credit_reports.tenant_id = sms_sends.tenant_id
                          and credit_reports.id = sms_sends.credit_report_id and purged_at is null))`,
  );
}

/** What identifies a receipt. */
export type SentReceipt = {
  readonly tenantId: string;
  readonly carrier: string;
  readonly carrierRef: string;
  readonly status: 'sent' | 'delivered' | 'undelivered';
  readonly sendId: string;
};

const receiptKey = ({ tenantId, carrier, carrierRef, status }: SentReceipt) =>
  `${tenantId}/${carrier}/${carrierRef}/${status}`;

/** Stores receipts to be applied later. Skips those already stored or about no message of ours; returns the new ones. */
export async function insertReceipts(tx: Tx, receipts: readonly SentReceipt[]): Promise<Set<SentReceipt>> {
  const added = await rows<SentReceipt>(
    tx,
    sql`
    insert into sms_receipts (tenant_id, carrier, carrier_ref, status, send_id, pending_since)
    select told.*, clock_timestamp()
      from unnest(${receipts.map((each) => each.tenantId)}::uuid[], ${receipts.map((each) => each.carrier)}::text[],
                  ${receipts.map((each) => each.carrierRef)}::text[], ${receipts.map((each) => each.status)}::text[],
                  ${receipts.map((each) => each.sendId)}::uuid[])
           as told (tenant_id, carrier, carrier_ref, status, send_id)
      join sms_sends on sms_sends.tenant_id = told.tenant_id and sms_sends.id = told.send_id
                    and coalesce(sms_sends.carrier_ref, told.carrier_ref) = told.carrier_ref
     -- One order for all: two nodes that are told the same must not wait for each other.
     order by 1, 2, 3, 4
    on conflict do nothing
    returning tenant_id as "tenantId", carrier, carrier_ref as "carrierRef", status, send_id as "sendId"`,
  );
  const keys = new Set(added.map(receiptKey));
  // If a list contains a receipt twice, only the first is new.
  return new Set(receipts.filter((receipt) => keys.delete(receiptKey(receipt))));
}

export async function updateReceiptsApplied(tx: Tx, receipts: readonly SentReceipt[]): Promise<void> {
  if (receipts.length === 0) return;
  await execute(
    tx,
    sql`
    update sms_receipts set pending_since = null
      from unnest(${receipts.map((each) => each.tenantId)}::uuid[], ${receipts.map((each) => each.carrier)}::text[],
                  ${receipts.map((each) => each.carrierRef)}::text[], ${receipts.map((each) => each.status)}::text[])
           as done (tenant_id, carrier, carrier_ref, status)
     where sms_receipts.tenant_id = done.tenant_id and sms_receipts.carrier = done.carrier
       and sms_receipts.carrier_ref = done.carrier_ref and sms_receipts.status = done.status`,
  );
}

/** As the system role: receipts that were stored but not applied, because a process died or was cut off. */
export function listPendingReceipts(tx: Tx, limit: number): Promise<SentReceipt[]> {
  return rows<SentReceipt>(
    tx,
    sql`
    select tenant_id as "tenantId", carrier, carrier_ref as "carrierRef", status, send_id as "sendId"
      from sms_receipts where pending_since < clock_timestamp() - interval '10 seconds'
     order by pending_since limit ${limit}`,
  );
}

/** As the system role: messages that are not submitted yet, oldest first. */
export function listQueuedSends(tx: Tx, limit: number): Promise<{ tenantId: string; id: string }[]> {
  return rows<{ tenantId: string; id: string }>(
    tx,
    sql`
    select tenant_id as "tenantId", id from sms_sends
     where state = 'queued' and sent_at < statement_timestamp() - interval '2 seconds'
     order by sent_at limit ${limit}`,
  );
}

/**
 * As the system role: messages without a final status for 72 hours. If the carrier can be asked, a message with a
 * reference waits for the answer to its last query, for up to six hours more. Uses the statement's time, so that the
 * index applies.
 */
export function listSilentSends(tx: Tx, limit: number, canAsk: boolean): Promise<{ tenantId: string; id: string }[]> {
  return rows<{ tenantId: string; id: string }>(
    tx,
    sql`
    select tenant_id as "tenantId", id from sms_sends
     where state in ('queued', 'submitted') and sent_at < statement_timestamp() - interval '72 hours'
       and (not ${canAsk} or state = 'queued' or carrier_ref is null or next_ask_at = 'infinity'
            or sent_at < statement_timestamp() - interval '78 hours')
     order by sent_at limit ${limit}`,
  );
}
