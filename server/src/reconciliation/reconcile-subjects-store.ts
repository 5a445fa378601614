// Reconciliation of the ledger with its subjects, as the system role: reports and messages against their holds and
// lines. It reads states and ids of reports, nothing sealed. rules/ decides which shapes are sound.
import { rows, sql, type Tx } from '../lib/postgres/sql.ts';
import type { Found, Scope } from './reconcile-store.ts';
import type { ReportShape, SendShape } from './rules/settled-money.ts';

export type OddReport = ReportShape & { readonly tenantId: string; readonly id: string };

/** Live reports in the scope with none of these shapes. */
export function listOddReports(tx: Tx, sound: readonly ReportShape[], scope: Scope): Promise<OddReport[]> {
  return rows<OddReport>(
    tx,
    sql`
    with shaped as (
      select reports.tenant_id, reports.id, reports.status, coalesce(holds.state, 'none') as hold,
             case when taken.amount is null then 'none'
                  when -taken.amount = holds.amount then 'all'
                  when -taken.amount >= 0 and -taken.amount < holds.amount then 'part'
                  else 'other' end as charged,
             case when given.amount is null then 'none'
                  when given.amount = -taken.amount then 'all'
                  when given.amount >= 0 and given.amount < -taken.amount then 'part'
                  else 'other' end as refunded,
             -- Where no bureau answered there are results too, and nothing is charged.
             case when reports.bureau_results is null or reports.status <> 'complete' or holds.amount is null then 'unknown'
                  when -coalesce(taken.amount, 0) - coalesce(given.amount, 0)
                       = holds.amount - holds.per_bureau * (select count(*) from json_array_elements(bureau_results) as result
                                                             where result ->> 'outcome' = 'unavailable') then 'right'
                  else 'wrong' end as net
        from tenants
        join credit_reports as reports
          on reports.tenant_id = tenants.id and reports.id >= ${scope.sinceId} and not reports.is_test
        left join holds
               on holds.tenant_id = reports.tenant_id and holds.kind = 'report' and holds.source_id = reports.id
        left join ledger_txs as charge
               on charge.tenant_id = reports.tenant_id and charge.kind = 'report-charge' and charge.source_id = reports.id
        left join ledger_entries as taken
               on taken.tenant_id = charge.tenant_id and taken.seq = charge.seq and taken.account = 'wallet'
        left join ledger_txs as refund
               on refund.tenant_id = reports.tenant_id and refund.kind = 'report-refund' and refund.source_id = reports.id
        left join ledger_entries as given
               on given.tenant_id = refund.tenant_id and given.seq = refund.seq and given.account = 'wallet')
    select tenant_id as "tenantId", id, status, hold, charged, refunded, net
      from shaped
     where (status, hold, charged, refunded, net) not in (
             select * from unnest(${sound.map((each) => each.status)}::text[], ${sound.map((each) => each.hold)}::text[],
                                  ${sound.map((each) => each.charged)}::text[],
                                  ${sound.map((each) => each.refunded)}::text[], ${sound.map((each) => each.net)}::text[]))
     limit ${scope.limit}`,
  );
}

export type OddSend = SendShape & { readonly tenantId: string; readonly id: string };

/** Messages in the scope with none of these shapes. */
export function listOddSends(tx: Tx, sound: readonly SendShape[], scope: Scope): Promise<OddSend[]> {
  return rows<OddSend>(
    tx,
    sql`
    with shaped as (
      select sends.tenant_id, sends.id, sends.state, coalesce(holds.state, 'none') as hold,
             case when charge.seq is null then 'none' when taken.amount = -holds.amount then 'all'
                  else 'other' end as charged,
             case when writeoff.seq is null then 'none' when borne.amount = -holds.amount then 'all'
                  else 'other' end as written_off
        from tenants
        join sms_sends as sends on sends.tenant_id = tenants.id and sends.id >= ${scope.sinceId}
        left join holds on holds.tenant_id = sends.tenant_id and holds.kind = 'sms' and holds.source_id = sends.id
        left join ledger_txs as charge
               on charge.tenant_id = sends.tenant_id and charge.kind = 'sms-charge' and charge.source_id = sends.id
        left join ledger_entries as taken
               on taken.tenant_id = charge.tenant_id and taken.seq = charge.seq and taken.account = 'wallet'
        left join ledger_txs as writeoff
               on writeoff.tenant_id = sends.tenant_id and writeoff.kind = 'sms-writeoff' and writeoff.source_id = sends.id
        left join ledger_entries as borne
               on borne.tenant_id = writeoff.tenant_id and borne.seq = writeoff.seq and borne.account = 'writeoff')
    select tenant_id as "tenantId", id, state, hold, charged, written_off as "writtenOff"
      from shaped
     where (state, hold, charged, written_off) not in (
             select * from unnest(${sound.map((each) => each.state)}::text[], ${sound.map((each) => each.hold)}::text[],
                                  ${sound.map((each) => each.charged)}::text[],
                                  ${sound.map((each) => each.writtenOff)}::text[]))
     limit ${scope.limit}`,
  );
}

/** Lines whose report or message does not exist or is not the one they belong to. */
export function listStrayLines(tx: Tx, { since, limit }: Scope): Promise<Found[]> {
  return rows<Found>(
    tx,
    sql`
    select txs.tenant_id as "tenantId", txs.seq::text as "subjectId",
           format('%s of %s names report %s', txs.kind, txs.source_id, coalesce(txs.credit_report_id::text, 'none')) as detail
      from ledger_txs as txs
      left join credit_reports as reports on reports.tenant_id = txs.tenant_id and reports.id = txs.credit_report_id
      left join sms_sends as sends on sends.tenant_id = txs.tenant_id and sends.id = txs.source_id
     where txs.created_at >= ${since}
       and case when txs.kind in ('top-up', 'adjust') then txs.credit_report_id is not null
                when txs.kind in ('report-charge', 'report-refund')
                  then reports.id is null or txs.source_id <> txs.credit_report_id
                else reports.id is null or sends.credit_report_id is distinct from txs.credit_report_id
           end
     limit ${limit}`,
  );
}

/** A report's hold without the report. A first message is held before it is known to be sent, so it may have no row. */
export function listStrayHolds(tx: Tx, { sinceId, limit }: Scope): Promise<Found[]> {
  return rows<Found>(
    tx,
    sql`
    select holds.tenant_id as "tenantId", holds.source_id::text as "subjectId",
           format('%s hold of %s credits belongs to nothing', holds.kind, holds.amount) as detail
      from tenants
      join holds on holds.tenant_id = tenants.id and holds.kind in ('report', 'sms') and holds.source_id >= ${sinceId}
      left join credit_reports as reports
             on reports.tenant_id = holds.tenant_id and reports.id = holds.source_id and holds.kind = 'report'
      left join sms_sends as sends
             on sends.tenant_id = holds.tenant_id and sends.id = holds.source_id and holds.kind = 'sms'
     where case holds.kind when 'report' then reports.id is null
           -- Taken with its report before there is a message; 90 seconds later there is one, or it was given back.
           else sends.id is null
                and (holds.state = 'captured'
                     or holds.state = 'open'
                        and holds.expires_at < clock_timestamp() + interval '72 hours' - interval '90 seconds') end
     limit ${limit}`,
  );
}

/** Test mode must never reach money: the ledger may contain nothing of a test report, whatever the cause. */
export function listTestMoney(tx: Tx, { since, sinceId, limit }: Scope): Promise<Found[]> {
  return rows<Found>(
    tx,
    sql`
    select holds.tenant_id as "tenantId", reports.id::text as "subjectId",
           format('a %s hold of a test report', holds.kind) as detail
      from tenants
      join holds on holds.tenant_id = tenants.id and holds.kind in ('report', 'sms') and holds.source_id >= ${sinceId}
      left join sms_sends as sends
             on sends.tenant_id = holds.tenant_id and sends.id = holds.source_id and holds.kind = 'sms'
      join credit_reports as reports
        on reports.tenant_id = holds.tenant_id and reports.id = coalesce(sends.credit_report_id, holds.source_id)
     where reports.is_test
    union all
    select txs.tenant_id, reports.id::text, format('a %s of a test report', txs.kind)
      from ledger_txs as txs
      join credit_reports as reports
        on reports.tenant_id = txs.tenant_id and reports.id in (txs.credit_report_id, txs.source_id)
     where txs.created_at >= ${since} and reports.is_test
    limit ${limit}`,
  );
}

/**
 * Nothing stays unsettled for over 60 seconds (docs/decisions/0045-budgets-and-lease.md): workers settle reports, with a
 * job as fallback.
 */
export function listStuckReports(tx: Tx, { limit }: Scope): Promise<Found[]> {
  return rows<Found>(
    tx,
    sql`
    select reports.tenant_id as "tenantId", reports.id::text as "subjectId",
           format('%s since %s', reports.status, reports.created_at) as detail
      from holds
      join credit_reports as reports on reports.tenant_id = holds.tenant_id and reports.id = holds.source_id
     where holds.state = 'open' and holds.kind = 'report' and reports.status = 'pending'
       and reports.created_at < clock_timestamp() - interval '60 seconds' and reachable_for_a_minute()
    union all
    select reports.tenant_id, reports.id::text, format('%s, due at %s', reports.status, challenges.due_at)
      from challenges
      join credit_reports as reports
        on reports.tenant_id = challenges.tenant_id and reports.id = challenges.credit_report_id
     where challenges.due_at < clock_timestamp() - interval '60 seconds' and not reports.is_test
       and reports.status in ('challenged', 'fetching') and reachable_for_a_minute()
    limit ${limit}`,
  );
}

/** A live challenge that no job will ever find again. */
export function listForgottenChallenges(tx: Tx, { sinceId, limit }: Scope): Promise<Found[]> {
  return rows<Found>(
    tx,
    sql`
    select reports.tenant_id as "tenantId", reports.id::text as "subjectId",
           format('%s, and no challenge of it is due', reports.status) as detail
      from tenants
      join credit_reports as reports
        on reports.tenant_id = tenants.id and reports.id >= ${sinceId} and not reports.is_test
     where reports.status in ('challenged', 'fetching')
       and not exists (select from challenges
                        where challenges.tenant_id = reports.tenant_id and challenges.credit_report_id = reports.id
                          and challenges.due_at is not null)
     limit ${limit}`,
  );
}

/**
 * For information: messages given up after 72 hours without a final status from the carrier
 * (docs/decisions/0051-sms-charges.md).
 */
export function listSilentMessages(tx: Tx, { sinceId, limit }: Scope): Promise<Found[]> {
  return rows<Found>(
    tx,
    sql`
    select sends.tenant_id as "tenantId", sends.id::text as "subjectId",
           format('sent at %s, carrier reference %s', sent_at, coalesce(carrier_ref, 'none')) as detail
      from tenants
      join sms_sends as sends on sends.tenant_id = tenants.id and sends.id >= ${sinceId}
     where state = 'silent'
     limit ${limit}`,
  );
}
