// Messages, their receipts and the uses of a mobile number as rows. Neither a code nor a number stands here: codes are
// derived from the send's id, numbers are known by a keyed hash.
import { execute, rows, sql, type Tx } from '../lib/sql.ts';
import type { ReportKey } from './live-store.ts';
import type { MobileUses } from './rules/mobile-caps.ts';
import type { SendState } from './rules/receipt.ts';

export type NewSend = ReportKey & { readonly id: string; readonly challengeId: string };

export async function insertSends(tx: Tx, sends: readonly NewSend[]): Promise<void> {
  await execute(
    tx,
    sql`
    insert into sms_sends (tenant_id, id, credit_report_id, challenge_id)
    select * from unnest(${sends.map((send) => send.tenantId)}::uuid[], ${sends.map((send) => send.id)}::uuid[],
                         ${sends.map((send) => send.creditReportId)}::uuid[],
                         ${sends.map((send) => send.challengeId)}::uuid[])`,
  );
}

export type LockedSend = ReportKey & {
  readonly id: string;
  readonly state: SendState;
  readonly carrierRef: string | null;
};

export async function lockSend(tx: Tx, tenantId: string, sendId: string): Promise<LockedSend | undefined> {
  const [send] = await rows<LockedSend>(
    tx,
    sql`
    select tenant_id as "tenantId", id, credit_report_id as "creditReportId", state, carrier_ref as "carrierRef"
      from sms_sends where tenant_id = ${tenantId} and id = ${sendId}
       for no key update`,
  );
  return send;
}

export type ChallengeSend = { readonly id: string; readonly state: SendState; readonly sinceSentUs: number };

/** Call it with the report locked. The sends are locked too: a receipt may come at the same time as the code. */
export function lockSendsOfChallenge(tx: Tx, key: ReportKey, challengeId: string): Promise<ChallengeSend[]> {
  return rows<ChallengeSend>(
    tx,
    sql`
    select id, state, (extract(epoch from clock_timestamp() - sent_at) * 1000000)::bigint as "sinceSentUs"
      from sms_sends
     where tenant_id = ${key.tenantId} and credit_report_id = ${key.creditReportId} and challenge_id = ${challengeId}
     order by id
       for no key update`,
  );
}

/**
 * Takes a queued message for submission: at most one caller gets it, ever. Undefined when somebody has it; `isUseful`
 * is false when its challenge has ended or its code has run out.
 */
export async function claimSend(
  tx: Tx,
  tenantId: string,
  sendId: string,
): Promise<(ReportKey & { readonly isUseful: boolean }) | undefined> {
  const [claimed] = await rows<ReportKey & { isUseful: boolean }>(
    tx,
    sql`
    update sms_sends set state = 'submitted', submitted_at = clock_timestamp()
      from credit_reports
     where sms_sends.tenant_id = ${tenantId} and sms_sends.id = ${sendId} and state = 'queued'
       and credit_reports.tenant_id = sms_sends.tenant_id and credit_reports.id = sms_sends.credit_report_id
    returning sms_sends.tenant_id as "tenantId", credit_report_id as "creditReportId",
              status = 'challenged' and sent_at > clock_timestamp() - interval '5 minutes' as "isUseful"`,
  );
  return claimed;
}

export async function updateSend(
  tx: Tx,
  key: { readonly tenantId: string; readonly id: string },
  change: { readonly state: SendState; readonly carrierRef: string | null },
): Promise<void> {
  await execute(
    tx,
    sql`
    update sms_sends
       set state = ${change.state}, carrier_ref = coalesce(carrier_ref, ${change.carrierRef}),
           settled_at = case when ${change.state}::text in ('queued', 'submitted') then settled_at
                             else coalesce(settled_at, clock_timestamp()) end
     where tenant_id = ${key.tenantId} and id = ${key.id}`,
  );
}

/** False when this very receipt was here before. */
export async function insertReceipt(
  tx: Tx,
  receipt: {
    readonly tenantId: string;
    readonly carrier: string;
    readonly carrierRef: string;
    readonly status: string;
    readonly sendId: string;
  },
): Promise<boolean> {
  const added = await execute(
    tx,
    sql`
    insert into sms_receipts (tenant_id, carrier, carrier_ref, status, send_id)
    values (${receipt.tenantId}, ${receipt.carrier}, ${receipt.carrierRef}, ${receipt.status}, ${receipt.sendId})
    on conflict do nothing`,
  );
  return added === 1;
}

/** As the system role: messages nobody has submitted, oldest first. */
export function listQueuedSends(tx: Tx, limit: number): Promise<{ tenantId: string; id: string }[]> {
  return rows<{ tenantId: string; id: string }>(
    tx,
    sql`
    select tenant_id as "tenantId", id from sms_sends
     where state = 'queued' and sent_at < clock_timestamp() - interval '2 seconds'
     order by sent_at limit ${limit}`,
  );
}

/** As the system role: messages without a word from the carrier for 72 hours. */
export function listSilentSends(tx: Tx, limit: number): Promise<{ tenantId: string; id: string }[]> {
  return rows<{ tenantId: string; id: string }>(
    tx,
    sql`
    select tenant_id as "tenantId", id from sms_sends
     where state in ('queued', 'submitted') and sent_at < clock_timestamp() - interval '72 hours'
     order by sent_at limit ${limit}`,
  );
}

export type LockedUses = MobileUses & { readonly numberHash: Buffer };

/** Locks the numbers' rows, in the order of their hashes, and counts the last 24 hours by the database's clock. */
export async function lockMobileUses(tx: Tx, numberHashes: readonly Buffer[]): Promise<LockedUses[]> {
  const added = execute(
    tx,
    sql`
    insert into mobile_uses (number_hash) select distinct unnest(${numberHashes}::bytea[]) order by 1
    on conflict do nothing`,
  );
  const locked = rows<LockedUses>(
    tx,
    sql`
    select number_hash as "numberHash",
           (select count(*) from unnest(challenged_at) as at where at > clock_timestamp() - interval '24 hours') as challenges,
           (select count(*) from unnest(messaged_at) as at where at > clock_timestamp() - interval '24 hours') as messages,
           (select count(*) from unnest(mistaken_at) as at where at > clock_timestamp() - interval '24 hours') as mistakes
      from mobile_uses where number_hash = any (${numberHashes}::bytea[])
     order by number_hash
       for update`,
  );
  // Sent together, run in this order.
  return (await Promise.all([added, locked]))[1];
}

export type CountedUse = { readonly numberHash: Buffer } & MobileUses;

/** Adds uses that happen now and forgets those older than a day. One entry per number. */
export async function updateMobileUses(tx: Tx, uses: readonly CountedUse[]): Promise<void> {
  await execute(
    tx,
    sql`
    update mobile_uses
       set challenged_at = array(select at from unnest(challenged_at) as at where at > clock_timestamp() - interval '24 hours')
                           || array_fill(clock_timestamp(), array[counted.challenges]),
           messaged_at = array(select at from unnest(messaged_at) as at where at > clock_timestamp() - interval '24 hours')
                           || array_fill(clock_timestamp(), array[counted.messages]),
           mistaken_at = array(select at from unnest(mistaken_at) as at where at > clock_timestamp() - interval '24 hours')
                           || array_fill(clock_timestamp(), array[counted.mistakes]),
           last_used_at = clock_timestamp()
      from unnest(${uses.map((use) => use.numberHash)}::bytea[], ${uses.map((use) => use.challenges)}::integer[],
                  ${uses.map((use) => use.messages)}::integer[], ${uses.map((use) => use.mistakes)}::integer[])
           as counted (number_hash, challenges, messages, mistakes)
     where mobile_uses.number_hash = counted.number_hash`,
  );
}
