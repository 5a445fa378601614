// What happened on each day in London, by tenant, live and test apart: how many events of each type, how many failures of each
// reason, and how many right codes after how many seconds; and how bureaus answered in each half hour. Counted from the outbox in commit order, inside PostgreSQL: the
// events of a busy day would otherwise travel.
import { rows, sql, type Tx } from '../lib/postgres/sql.ts';

export type Place = { readonly xactId: string; readonly event: number };

/** As the system role. Only one worker counts at a time; the others wait here. */
export async function lockPlace(tx: Tx): Promise<Place> {
  const [place] = await rows<Place>(
    tx,
    sql`select xact_id::text as "xactId", event from usage_place where id = 1 for update`,
  );
  if (!place) throw new Error('the place of the usage is missing');
  return place;
}

/** As the system role, with the place locked. It moves with the counts, so each event is counted once. Returns how many it read. */
export async function countEvents(tx: Tx, after: Place, limit: number): Promise<number> {
  const [counted] = await rows<{ count: number }>(
    tx,
    sql`
    with seen as materialized (
      select xact_id, id, tenant_id, is_test, type, credit_report_id, created_at,
             (created_at at time zone 'Europe/London')::date as day
        from outbox
       where (xact_id, id) > (${after.xactId}::xid8, ${after.event}::bigint)
         and xact_id < pg_snapshot_xmin(pg_current_snapshot())
       order by xact_id, id limit ${limit}),
    happened as (
      select tenant_id, day, is_test, type as item from seen where type not like 'wallet.%'
      union all
      -- Test mode stores no reason where the event says it all.
      select seen.tenant_id, day, seen.is_test,
             'failure:' || coalesce(failure, case type when 'report.expired' then 'expired' else 'attempts-used' end)
        from seen join credit_reports as reports on reports.tenant_id = seen.tenant_id and reports.id = seen.credit_report_id
       where type in ('report.failed', 'report.expired')
      union all
      select seen.tenant_id, day, seen.is_test,
             'code-seconds:' || least(900, greatest(0, round(extract(epoch from
               seen.created_at - coalesce((select min(sent_at) from sms_sends
                                            where sms_sends.tenant_id = seen.tenant_id
                                              and sms_sends.credit_report_id = seen.credit_report_id),
                                          reports.created_at)))))
        from seen join credit_reports as reports on reports.tenant_id = seen.tenant_id and reports.id = seen.credit_report_id
       where type = 'challenge.verified'),
    counted as (
      insert into usage_days as days (tenant_id, day, is_test, item, count)
      select tenant_id, day, is_test, item, count(*) from happened group by 1, 2, 3, 4
          on conflict (tenant_id, day, is_test, item) do update set count = days.count + excluded.count),
    asked as (
      insert into bureau_slots as slots (tenant_id, slot, bureau, asked, answered)
      select seen.tenant_id, date_bin('30 minutes', seen.created_at, timestamptz '2026-01-01Z'), result ->> 'bureau', count(*),
             count(*) filter (where result ->> 'outcome' <> 'unavailable')
        from seen join credit_reports as reports on reports.tenant_id = seen.tenant_id and reports.id = seen.credit_report_id
       cross join lateral json_array_elements(reports.bureau_results) as result
       where type in ('report.completed', 'report.failed') and not seen.is_test
       group by 1, 2, 3
          on conflict (tenant_id, slot, bureau)
          do update set asked = slots.asked + excluded.asked, answered = slots.answered + excluded.answered),
    moved as (
      update usage_place set xact_id = last.xact_id, event = last.id
        from (select xact_id, id from seen order by xact_id desc, id desc limit 1) as last
       where usage_place.id = 1)
    select count(*) from seen`,
  );
  return counted?.count ?? 0;
}

export type UsageItem = { readonly item: string; readonly count: number };

/** Of the last days, today included. */
export function listItems(
  tx: Tx,
  tenantId: string,
  { days, isTest }: { readonly days: number; readonly isTest: boolean },
): Promise<UsageItem[]> {
  return rows<UsageItem>(
    tx,
    sql`
    select item, sum(count)::bigint as count from usage_days
     where tenant_id = ${tenantId} and is_test = ${isTest}
       and day > (statement_timestamp() at time zone 'Europe/London')::date - ${days}::integer
     group by item`,
  );
}

export type BureauSlot = {
  readonly bureau: string;
  readonly startsAt: Date;
  readonly asked: number;
  readonly answered: number;
};

/** Half hours in which a bureau was asked, of the last ones up to the current, oldest first. */
export function listSlots(tx: Tx, tenantId: string, count: number): Promise<BureauSlot[]> {
  return rows<BureauSlot>(
    tx,
    sql`
    select bureau, slot as "startsAt", asked, answered from bureau_slots
     where tenant_id = ${tenantId}
       and slot > date_bin('30 minutes', statement_timestamp(), timestamptz '2026-01-01Z') - ${count} * interval '30 minutes'
     order by bureau, slot`,
  );
}
