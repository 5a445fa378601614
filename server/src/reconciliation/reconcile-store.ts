// Reconciliation of the ledger itself, as the system role: wallets against their journal, the journal against itself,
// holds against both. Each check is one statement and so sees one snapshot: a concurrent transaction shows completely
// or not at all. Checks of recent data find it by the time of a line (BRIN) or by the time inside an id (primary keys).
import { execute, rows, sql, type Tx } from '../lib/postgres/sql.ts';
import type { Account, TxKind } from '../wallet/rules/journal.ts';

export type Scope = {
  readonly since: Date;
  /** The first id of that instant. */
  readonly sinceId: string;
  /** The most findings of one check; a ledger that is broken throughout needs no more. */
  readonly limit: number;
};

export type Found = { readonly tenantId: string | null; readonly subjectId: string | null; readonly detail: string };

/** A full check compares everything: it reads whole tables instead of millions of look-ups by key. */
export async function readWholeTables(tx: Tx): Promise<void> {
  await execute(tx, sql`select set_config('enable_nestloop', 'off', true), set_config('work_mem', '128MB', true)`);
}

export function listWrongTails(tx: Tx, { limit }: Scope): Promise<Found[]> {
  return rows<Found>(
    tx,
    sql`
    select wallets.tenant_id as "tenantId", null as "subjectId",
           format('balance %s at line %s, the last line is %s with %s', balance, last_seq, coalesce(last.seq, 0),
                  coalesce(last.balance_after, 0)) as detail
      from wallets
      left join lateral (select seq, balance_after from ledger_txs where ledger_txs.tenant_id = wallets.tenant_id
                          order by seq desc limit 1) as last on true
     where last_seq <> coalesce(last.seq, 0) or balance <> coalesce(last.balance_after, 0)
     limit ${limit}`,
  );
}

/** Reads from the first line on: only a full check runs it. */
export function listWrongSums(tx: Tx, { limit }: Scope): Promise<Found[]> {
  return rows<Found>(
    tx,
    sql`
    with sums as (
      select tenant_id, sum(amount) as total from ledger_entries where account = 'wallet' group by tenant_id),
    counts as (
      select tenant_id, count(*) as lines from ledger_txs group by tenant_id)
    select wallets.tenant_id as "tenantId", null as "subjectId",
           format('balance %s, entries sum to %s; %s lines of %s', balance, coalesce(total, 0), coalesce(lines, 0),
                  last_seq) as detail
      from wallets
      left join sums on sums.tenant_id = wallets.tenant_id
      left join counts on counts.tenant_id = wallets.tenant_id
     where balance <> coalesce(total, 0) or last_seq <> coalesce(lines, 0)
     limit ${limit}`,
  );
}

/** What was counted by day against where the journal was then: all lines, and their sum. Reads only the days. */
export function listWrongDays(tx: Tx, { limit }: Scope): Promise<Found[]> {
  return rows<Found>(
    tx,
    sql`
    select counted.tenant_id as "tenantId", null as "subjectId",
           format('days up to line %s: %s lines with %s, the line says %s', last_seq, lines, days.amount,
                  coalesce(balance_after::text, 'nothing')) as detail
      from wallet_rollups as counted
     cross join lateral (select coalesce(sum(lines), 0) as lines, coalesce(sum(amount), 0) as amount
                           from wallet_days where wallet_days.tenant_id = counted.tenant_id) as days
      left join ledger_txs on ledger_txs.tenant_id = counted.tenant_id and ledger_txs.seq = counted.last_seq
     where days.lines <> last_seq or days.amount <> coalesce(balance_after, 0)
     limit ${limit}`,
  );
}

/** Every day and kind counted again from the journal: only a full check runs it. */
export function listWrongDayKinds(tx: Tx, { limit }: Scope): Promise<Found[]> {
  return rows<Found>(
    tx,
    sql`
    with lines as (
      select txs.tenant_id, (created_at at time zone 'Europe/London')::date as day, txs.kind, count(*) as lines,
             coalesce(sum(amount), 0) as amount
        from ledger_txs as txs
        join wallet_rollups on wallet_rollups.tenant_id = txs.tenant_id and txs.seq <= wallet_rollups.last_seq
        left join ledger_entries as entries
               on entries.tenant_id = txs.tenant_id and entries.seq = txs.seq and entries.account = 'wallet'
       group by 1, 2, 3)
    select tenant_id as "tenantId", null as "subjectId",
           format('%s of %s: %s lines with %s counted, the journal has %s with %s', kind, day, coalesce(days.lines, 0),
                  coalesce(days.amount, 0), coalesce(lines.lines, 0), coalesce(lines.amount, 0)) as detail
      from wallet_days as days full join lines using (tenant_id, day, kind)
     where days.lines is distinct from lines.lines or days.amount is distinct from lines.amount
     limit ${limit}`,
  );
}

/** Events by day and type counted again, for the days whose events are all kept: only a full check runs it. */
export function listWrongUsage(tx: Tx, { limit }: Scope): Promise<Found[]> {
  return rows<Found>(
    tx,
    sql`
    with since as (select (statement_timestamp() at time zone 'Europe/London')::date - 28 as day),
    happened as (
      select tenant_id, (created_at at time zone 'Europe/London')::date as day, is_test, type as item, count(*) as count
        from outbox
       where (xact_id, id) <= (select xact_id, event from usage_place where id = 1) and type not like 'wallet.%'
       group by 1, 2, 3, 4)
    select tenant_id as "tenantId", null as "subjectId",
           format('%s of %s: %s counted, %s happened', item, day, coalesce(days.count, 0), coalesce(happened.count, 0)) as detail
      from (select tenant_id, day, is_test, item, count from usage_days where item not like '%:%') as days
      full join happened using (tenant_id, day, is_test, item)
     where days.count is distinct from happened.count and day > (select since.day from since)
     limit ${limit}`,
  );
}

export function listWrongTotal(tx: Tx): Promise<Found[]> {
  return rows<Found>(
    tx,
    sql`
    select null as "tenantId", null as "subjectId", format('all entries sum to %s', sum(amount)) as detail
      from ledger_entries having sum(amount) <> 0`,
  );
}

export function listEntriesWithoutLine(tx: Tx, { limit }: Scope): Promise<Found[]> {
  return rows<Found>(
    tx,
    sql`
    select entries.tenant_id as "tenantId", entries.seq::text as "subjectId",
           format('%s on %s belongs to no line', entries.amount, entries.account) as detail
      from ledger_entries as entries
     where not exists (select from ledger_txs as txs where txs.tenant_id = entries.tenant_id and txs.seq = entries.seq)
     limit ${limit}`,
  );
}

export function listBrokenChains(tx: Tx, { since, limit }: Scope): Promise<Found[]> {
  return rows<Found>(
    tx,
    sql`
    select txs.tenant_id as "tenantId", txs.seq::text as "subjectId",
           case when txs.seq > 1 and before.seq is null then 'the line before is missing'
                else format('%s and %s do not make %s', coalesce(before.balance_after, 0), coalesce(entries.amount, 0),
                            txs.balance_after) end as detail
      from ledger_txs as txs
      left join ledger_entries as entries
             on entries.tenant_id = txs.tenant_id and entries.seq = txs.seq and entries.account = 'wallet'
      left join ledger_txs as before on before.tenant_id = txs.tenant_id and before.seq = txs.seq - 1
     where txs.created_at >= ${since}
       and ((txs.seq > 1 and before.seq is null)
            or txs.balance_after <> coalesce(before.balance_after, 0) + coalesce(entries.amount, 0))
     limit ${limit}`,
  );
}

export type KindAccounts = { readonly kind: TxKind; readonly to: Account; readonly from: Account };

/** No entries, entries that do not sum to zero, or with other accounts or another direction than the kind requires. */
export function listWrongLines(tx: Tx, kinds: readonly KindAccounts[], { since, limit }: Scope): Promise<Found[]> {
  return rows<Found>(
    tx,
    sql`
    select txs.tenant_id as "tenantId", txs.seq::text as "subjectId",
           case when count(entries.seq) = 0 then 'a line without entries'
                when sum(entries.amount) <> 0 then format('entries sum to %s', sum(entries.amount))
                else format('a %s between wrong accounts', txs.kind) end as detail
      from ledger_txs as txs
      join unnest(${kinds.map((each) => each.kind)}::text[], ${kinds.map((each) => each.to)}::text[],
                  ${kinds.map((each) => each.from)}::text[]) as expected (kind, to_account, from_account)
        on expected.kind = txs.kind
      left join ledger_entries as entries on entries.tenant_id = txs.tenant_id and entries.seq = txs.seq
     where txs.created_at >= ${since}
     group by txs.tenant_id, txs.seq, to_account, from_account
    having count(entries.seq) <> 2 or sum(entries.amount) <> 0
        or count(*) filter (where entries.account = to_account and (entries.amount >= 0 or txs.kind = 'adjust')) <> 1
        or count(*) filter (where entries.account = from_account) <> 1
     limit ${limit}`,
  );
}

export function listRepeatedEffects(tx: Tx, { since, limit }: Scope): Promise<Found[]> {
  return rows<Found>(
    tx,
    sql`
    select txs.tenant_id as "tenantId", txs.seq::text as "subjectId",
           format('%s of %s is in the books more than once', txs.kind, txs.source_id) as detail
      from ledger_txs as txs
     where txs.created_at >= ${since}
       and exists (select from ledger_txs as other
                    where other.tenant_id = txs.tenant_id and other.kind = txs.kind
                      and other.source_id = txs.source_id and other.seq < txs.seq)
     limit ${limit}`,
  );
}

export function listWrongHeld(tx: Tx, { limit }: Scope): Promise<Found[]> {
  return rows<Found>(
    tx,
    sql`
    with open_holds as (select tenant_id, sum(amount) as total from holds where state = 'open' group by tenant_id)
    select wallets.tenant_id as "tenantId", null as "subjectId",
           format('%s held, open holds sum to %s', held, coalesce(total, 0)) as detail
      from wallets left join open_holds on open_holds.tenant_id = wallets.tenant_id
     where held <> coalesce(total, 0)
     limit ${limit}`,
  );
}

/** Its expiry was more than 60 seconds ago (docs/decisions/0045-budgets-and-lease.md). */
export function listOverdueHolds(tx: Tx, { limit }: Scope): Promise<Found[]> {
  return rows<Found>(
    tx,
    sql`
    select tenant_id as "tenantId", source_id::text as "subjectId",
           format('the %s hold of %s credits should have ended at %s', kind, amount, expires_at) as detail
      from holds
     where holds.state = 'open' and expires_at < clock_timestamp() - interval '60 seconds'
       -- The carrier has not answered the last ask about the message, which waits six hours at most (docs/decisions/0051-sms-charges.md).
       and not (kind = 'sms' and expires_at > clock_timestamp() - interval '6 hours 10 minutes'
                and exists (select from sms_sends as sends
                             where sends.tenant_id = holds.tenant_id and sends.id = holds.source_id
                               and sends.state = 'submitted' and carrier_ref is not null and next_ask_at < 'infinity'))
       and reachable_for_a_minute()
     order by expires_at limit ${limit}`,
  );
}

/** A captured hold has a charge of the captured amount; any other hold has captured nothing and has no charge. */
export function listWrongHolds(tx: Tx, { sinceId, limit }: Scope): Promise<Found[]> {
  return rows<Found>(
    tx,
    sql`
    select holds.tenant_id as "tenantId", holds.source_id::text as "subjectId",
           format('%s hold %s of %s, captured %s, charged %s', holds.kind, holds.state, holds.amount, captured_amount,
                  coalesce((-entries.amount)::text, 'nothing')) as detail
      from tenants
      join holds on holds.tenant_id = tenants.id and holds.kind in ('report', 'sms') and holds.source_id >= ${sinceId}
      left join ledger_txs as charge
             on charge.tenant_id = holds.tenant_id and charge.kind = holds.kind || '-charge'
            and charge.source_id = holds.source_id
      left join ledger_entries as entries
             on entries.tenant_id = charge.tenant_id and entries.seq = charge.seq and entries.account = 'wallet'
     where case holds.state
             when 'captured' then charge.seq is null or -entries.amount is distinct from captured_amount
             -- A message can be charged after its hold was given back; what it is charged is checked with the message.
             when 'voided' then captured_amount <> 0 or (charge.seq is not null and holds.kind = 'report')
             else captured_amount <> 0 or charge.seq is not null
           end
     limit ${limit}`,
  );
}

export function listChargesWithoutHold(tx: Tx, { since, limit }: Scope): Promise<Found[]> {
  return rows<Found>(
    tx,
    sql`
    select txs.tenant_id as "tenantId", txs.seq::text as "subjectId",
           format('%s of %s was never held', txs.kind, txs.source_id) as detail
      from ledger_txs as txs
     where txs.created_at >= ${since} and txs.kind in ('report-charge', 'sms-charge', 'sms-writeoff')
       and not exists (select from holds
                        where holds.tenant_id = txs.tenant_id and holds.source_id = txs.source_id
                          and holds.kind = case txs.kind when 'report-charge' then 'report' else 'sms' end)
     limit ${limit}`,
  );
}

/** A refund reverses the charge of its own report, and no more than its amount. */
export function listWrongRefunds(tx: Tx, { since, limit }: Scope): Promise<Found[]> {
  return rows<Found>(
    tx,
    sql`
    select refund.tenant_id as "tenantId", refund.seq::text as "subjectId",
           case when charge.source_id = refund.source_id then format('refunds %s of %s', given.amount, -taken.amount)
                else 'refunds what is not the charge of its report' end as detail
      from ledger_txs as refund
      left join ledger_entries as given
             on given.tenant_id = refund.tenant_id and given.seq = refund.seq and given.account = 'wallet'
      left join ledger_txs as charge
             on charge.tenant_id = refund.tenant_id and charge.seq = refund.reverses_seq and charge.kind = 'report-charge'
      left join ledger_entries as taken
             on taken.tenant_id = charge.tenant_id and taken.seq = charge.seq and taken.account = 'wallet'
     where refund.created_at >= ${since} and refund.kind = 'report-refund'
       and (charge.source_id is distinct from refund.source_id or given.amount > -taken.amount)
     limit ${limit}`,
  );
}
