// The wallets' days: what each kind of line sums up to on each day in London. A job counts the journal's lines once
// (docs/decisions/0233-days-of-a-wallet.md); a reader adds those that it has not counted yet, from the same snapshot.
// Amounts are joined laterally, as in statement-store.ts.
import { execute, rows, sql, type Tx } from '../../lib/postgres/sql.ts';
import type { MonthSum } from '../rules/months.ts';

export type Behind = { readonly tenantId: string; readonly lastSeq: number };

/** As the system role: wallets with lines that are not counted yet, those with the most first. */
export function listBehind(tx: Tx, limit: number): Promise<Behind[]> {
  return rows<Behind>(
    tx,
    sql`
    select wallets.tenant_id as "tenantId", wallets.last_seq as "lastSeq"
      from wallets left join wallet_rollups using (tenant_id)
     where wallets.last_seq > coalesce(wallet_rollups.last_seq, 0)
     order by wallets.last_seq - coalesce(wallet_rollups.last_seq, 0) desc, 1 limit ${limit}`,
  );
}

export type Stretch = { readonly tenantId: string; readonly fromSeq: number; readonly toSeq: number };

/** As the system role. Where each wallet's count stands; wallets that another worker is counting are left out. */
export async function lockRollups(tx: Tx, tenantIds: readonly string[]): Promise<Behind[]> {
  await execute(
    tx,
    sql`
    insert into wallet_rollups (tenant_id, last_seq) select unnest(${tenantIds}::uuid[]), 0 on conflict do nothing`,
  );
  return rows<Behind>(
    tx,
    sql`
    select tenant_id as "tenantId", last_seq as "lastSeq" from wallet_rollups
     where tenant_id = any (${tenantIds}::uuid[]) order by tenant_id for update skip locked`,
  );
}

/** The sums over all wallets of one call. Credits in and out add up: a line that takes some back undoes none. */
export type CountedKind = { readonly kind: string; readonly lines: number; readonly credits: number };

/** As the system role, with the rollups locked, in statements after that one: they must see what its previous owner did. */
export async function countStretches(tx: Tx, stretches: readonly Stretch[]): Promise<CountedKind[]> {
  const tenantIds = stretches.map(({ tenantId }) => tenantId);
  const ends = stretches.map(({ toSeq }) => toSeq);
  const kinds = await rows<CountedKind>(
    tx,
    sql`
    with counted as (
    select txs.tenant_id, (txs.created_at at time zone 'Europe/London')::date as day, txs.kind, count(*) as lines,
           coalesce(sum(entries.amount), 0) as amount, coalesce(sum(abs(entries.amount)), 0) as credits
      from unnest(${tenantIds}::uuid[], ${stretches.map(({ fromSeq }) => fromSeq)}::bigint[], ${ends}::bigint[])
             as due (tenant_id, from_seq, to_seq)
      join ledger_txs as txs on txs.tenant_id = due.tenant_id and txs.seq > due.from_seq and txs.seq <= due.to_seq
      left join lateral (
             select amount from ledger_entries
              where tenant_id = txs.tenant_id and seq = txs.seq and account = 'wallet' offset 0) as entries on true
     group by 1, 2, 3),
    added as (
    insert into wallet_days as days (tenant_id, day, kind, lines, amount)
    select tenant_id, day, kind, lines, amount from counted
        on conflict (tenant_id, day, kind)
        do update set lines = days.lines + excluded.lines, amount = days.amount + excluded.amount)
    select kind, sum(lines)::bigint as lines, sum(credits)::bigint as credits from counted group by kind`,
  );
  await execute(
    tx,
    sql`
    update wallet_rollups set last_seq = done.to_seq
      from unnest(${tenantIds}::uuid[], ${ends}::bigint[]) as done (tenant_id, to_seq)
     where wallet_rollups.tenant_id = done.tenant_id`,
  );
  return kinds;
}

/** How many lines of the journal are not counted yet. */
export async function getUncounted(tx: Tx, tenantId: string): Promise<number> {
  const [left] = await rows<{ count: number }>(
    tx,
    sql`
    select wallets.last_seq - coalesce(wallet_rollups.last_seq, 0) as count
      from wallets left join wallet_rollups using (tenant_id) where wallets.tenant_id = ${tenantId}`,
  );
  if (!left) throw new Error('a tenant has no wallet');
  return left.count;
}

/** Every month since the first line, oldest first, the current one last; one statement, so one snapshot. Call it after `walkByKey`. */
export function listMonthSums(tx: Tx, tenantId: string): Promise<MonthSum[]> {
  return rows<MonthSum>(
    tx,
    sql`
    with tail as (
      select (txs.created_at at time zone 'Europe/London')::date as day, txs.kind, count(*) as lines,
             coalesce(sum(entries.amount), 0) as amount
        from (select coalesce(max(last_seq), 0) as seq from wallet_rollups where tenant_id = ${tenantId}) as place
        -- A join, because row-level security keeps a condition with a subquery from the index.
        join ledger_txs as txs on txs.tenant_id = ${tenantId} and txs.seq > place.seq
        left join lateral (
               select amount from ledger_entries
                where tenant_id = txs.tenant_id and seq = txs.seq and account = 'wallet' offset 0) as entries on true
       group by 1, 2),
    sums as (
      select date_trunc('month', day::timestamp) as month, kind, sum(lines)::bigint as lines, sum(amount)::bigint as amount
        from (select day, kind, lines, amount from wallet_days where tenant_id = ${tenantId}
              union all select day, kind, lines, amount from tail) as days
       group by 1, 2),
    now_in_london as (select date_trunc('month', statement_timestamp() at time zone 'Europe/London') as month)
    select to_char(months.month, 'YYYY-MM') as month, months.month at time zone 'Europe/London' as "startsAt",
           (months.month + interval '1 month') at time zone 'Europe/London' as "endsAt",
           kind, coalesce(lines, 0) as lines, coalesce(amount, 0) as amount
      from generate_series((select least(min(sums.month), min(now_in_london.month)) from now_in_london left join sums on true),
                           (select greatest(max(sums.month), max(now_in_london.month)) from now_in_london left join sums on true),
                           interval '1 month') as months (month)
      left join sums on sums.month = months.month
     order by months.month, kind`,
  );
}

export type SpentDay = {
  /** As YYYY-MM-DD, in London. */
  readonly day: string;
  /** Credits of charges less refunds: negative on a day that refunds more than it charges. */
  readonly reports: number;
  readonly messages: number;
};

/** The last days for test mode, which moves no live credits: no line is read, however many are not counted yet. */
export function listFreeDays(tx: Tx, days: number): Promise<SpentDay[]> {
  return rows<SpentDay>(
    tx,
    sql`
    select to_char(generate_series(today - ${days - 1}::integer, today, interval '1 day'), 'YYYY-MM-DD') as day,
           0 as reports, 0 as messages
      from (select (statement_timestamp() at time zone 'Europe/London')::date as today) as now_in_london
     order by 1`,
  );
}

/** The last days, today included, oldest first; one statement, so one snapshot. Call it after `walkByKey`. */
export function listSpentDays(tx: Tx, tenantId: string, days: number): Promise<SpentDay[]> {
  return rows<SpentDay>(
    tx,
    sql`
    with tail as (
      select (txs.created_at at time zone 'Europe/London')::date as day, txs.kind, sum(entries.amount) as amount
        from (select coalesce(max(last_seq), 0) as seq from wallet_rollups where tenant_id = ${tenantId}) as place
        join ledger_txs as txs on txs.tenant_id = ${tenantId} and txs.seq > place.seq
        cross join lateral (
          select amount from ledger_entries
           where tenant_id = txs.tenant_id and seq = txs.seq and account = 'wallet' offset 0) as entries
       group by 1, 2),
    asked as (
      select generate_series(today - ${days - 1}::integer, today, interval '1 day')::date as day
        from (select (statement_timestamp() at time zone 'Europe/London')::date as today) as now_in_london)
    select to_char(asked.day, 'YYYY-MM-DD') as day,
           coalesce(-sum(amount) filter (where kind in ('report-charge', 'report-refund')), 0)::bigint as reports,
           coalesce(-sum(amount) filter (where kind = 'sms-charge'), 0)::bigint as messages
      from asked
      left join (select day, kind, amount from wallet_days
                  where tenant_id = ${tenantId} and day >= (select min(asked.day) from asked)
                 union all select day, kind, amount from tail) as moved on moved.day = asked.day
     group by asked.day order by asked.day`,
  );
}
