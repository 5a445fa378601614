// The wallet and its journal for reads. Nothing here writes. Amounts are joined laterally, one look-up by key for each line: on
// a plain join a planner without statistics searches all entries of the tenant for each line.
import type { EntryKind } from '@trefoil/contract';
import { rows, sql, type Tx } from '../lib/postgres/sql.ts';

export type WalletState = { readonly balance: number; readonly held: number; readonly lastSeq: number };

export async function getWallet(tx: Tx, tenantId: string): Promise<WalletState> {
  const [wallet] = await rows<WalletState>(
    tx,
    sql`select balance, held, last_seq as "lastSeq" from wallets where tenant_id = ${tenantId}`,
  );
  if (!wallet) throw new Error('a tenant has no wallet');
  return wallet;
}

/** The first and the last position of the journal. */
export async function findBounds(tx: Tx, tenantId: string): Promise<{ firstSeq: number; lastSeq: number }> {
  return { firstSeq: 1, lastSeq: (await getWallet(tx, tenantId)).lastSeq };
}

export type SmsUsesToday = {
  readonly dayCredits: number;
  readonly dayMessages: number;
  readonly minuteMessages: number;
  readonly dayEndsAt: Date;
  readonly minuteEndsAt: Date;
};

/** What messages have used of the current day and minute, by the database's clock, as the wallet's lock would see it. */
export async function getSmsUses(tx: Tx, tenantId: string): Promise<SmsUsesToday> {
  const [uses] = await rows<SmsUsesToday>(
    tx,
    sql`
    select case when sms_day = current_date then sms_day_credits else 0 end as "dayCredits",
           case when sms_count_day = current_date then sms_day_messages else 0 end as "dayMessages",
           case when sms_minute = running.minute then sms_minute_messages else 0 end as "minuteMessages",
           (current_date + 1)::timestamptz as "dayEndsAt", to_timestamp((running.minute + 1) * 60) as "minuteEndsAt"
      from wallets
     cross join (select floor(extract(epoch from clock_timestamp()) / 60)::bigint as minute offset 0) as running
     where tenant_id = ${tenantId}`,
  );
  if (!uses) throw new Error('a tenant has no wallet');
  return uses;
}

export type StatementLine = {
  readonly seq: number;
  readonly kind: EntryKind;
  readonly amount: number;
  readonly balanceAfter: number;
  readonly creditReportId: string | null;
  readonly reversesSeq: number | null;
  readonly note: string | null;
  readonly createdAt: Date;
  /** Of the test wallet: a line says itself for how many bureaus it is. */
  readonly bureauCount?: number | null;
};

/** The bounds of every access path to the journal. Open ends are extreme values, never absent: one plan fits all. */
export type LineFilter = {
  readonly kinds: readonly EntryKind[];
  /** Inclusive and exclusive, as ISO 8601 or `-infinity` and `infinity`. */
  readonly from: string;
  readonly to: string;
  /** Positions in the journal, inclusive and exclusive. */
  readonly seqFrom: number;
  readonly seqTo: number;
};

/**
 * Positions scanned beyond the one found for an instant. The timestamps themselves decide; this only allows for lines
 * out of order where the database's clock was set back.
 */
export const DISORDER_MARGIN = 10_000;

/** Newest first, by position: for a stretch of the journal. Call it after `walkInKeyOrder`. */
export function listLines(tx: Tx, tenantId: string, filter: LineFilter, limit: number): Promise<StatementLine[]> {
  return rows<StatementLine>(
    tx,
    sql`
    select txs.seq, txs.kind, coalesce(entries.amount, 0) as amount, txs.balance_after as "balanceAfter",
           txs.credit_report_id as "creditReportId", txs.reverses_seq as "reversesSeq", txs.note,
           txs.created_at as "createdAt"
      from ledger_txs as txs
      left join lateral (
             select amount from ledger_entries
              where tenant_id = txs.tenant_id and seq = txs.seq and account = 'wallet' offset 0) as entries on true
     where txs.tenant_id = ${tenantId} and txs.seq >= ${filter.seqFrom} and txs.seq < ${filter.seqTo}
       and txs.created_at >= ${filter.from} and txs.created_at < ${filter.to}
       and txs.kind = any (${filter.kinds}::text[])
     order by txs.seq desc limit ${limit}`,
  );
}

/** The same, oldest first. Call it after `walkInKeyOrder`. */
export function listFirstLines(tx: Tx, tenantId: string, filter: LineFilter, limit: number): Promise<StatementLine[]> {
  return rows<StatementLine>(
    tx,
    sql`
    select txs.seq, txs.kind, coalesce(entries.amount, 0) as amount, txs.balance_after as "balanceAfter",
           txs.credit_report_id as "creditReportId", txs.reverses_seq as "reversesSeq", txs.note,
           txs.created_at as "createdAt"
      from ledger_txs as txs
      left join lateral (
             select amount from ledger_entries
              where tenant_id = txs.tenant_id and seq = txs.seq and account = 'wallet' offset 0) as entries on true
     where txs.tenant_id = ${tenantId} and txs.seq >= ${filter.seqFrom} and txs.seq < ${filter.seqTo}
       and txs.created_at >= ${filter.from} and txs.created_at < ${filter.to}
       and txs.kind = any (${filter.kinds}::text[])
     order by txs.seq limit ${limit}`,
  );
}

/** Newest first, by source: for a few reports and messages in a journal of any length. */
export function listLinesOfSources(
  tx: Tx,
  tenantId: string,
  sourceIds: readonly string[],
  filter: LineFilter,
  limit: number,
): Promise<StatementLine[]> {
  // Materialised, so that the planner searches by kind and source and never scans along the positions.
  return rows<StatementLine>(
    tx,
    sql`
    with txs as materialized (
      select * from ledger_txs
       where tenant_id = ${tenantId} and kind = any (${filter.kinds}::text[]) and source_id = any (${sourceIds}::uuid[]))
    select txs.seq, txs.kind, coalesce(entries.amount, 0) as amount, txs.balance_after as "balanceAfter",
           txs.credit_report_id as "creditReportId", txs.reverses_seq as "reversesSeq", txs.note,
           txs.created_at as "createdAt"
      from txs
      left join lateral (
             select amount from ledger_entries
              where tenant_id = txs.tenant_id and seq = txs.seq and account = 'wallet' offset 0) as entries on true
     where txs.seq >= ${filter.seqFrom} and txs.seq < ${filter.seqTo}
       and txs.created_at >= ${filter.from} and txs.created_at < ${filter.to}
     order by txs.seq desc limit ${limit}`,
  );
}

/** Newest first, by kind: for the few lines that people post by hand. */
export function listLinesOfKinds(
  tx: Tx,
  tenantId: string,
  filter: LineFilter,
  limit: number,
): Promise<StatementLine[]> {
  return rows<StatementLine>(
    tx,
    sql`
    with txs as materialized (
      select * from ledger_txs where tenant_id = ${tenantId} and kind = any (${filter.kinds}::text[]))
    select txs.seq, txs.kind, coalesce(entries.amount, 0) as amount, txs.balance_after as "balanceAfter",
           txs.credit_report_id as "creditReportId", txs.reverses_seq as "reversesSeq", txs.note,
           txs.created_at as "createdAt"
      from txs
      left join lateral (
             select amount from ledger_entries
              where tenant_id = txs.tenant_id and seq = txs.seq and account = 'wallet' offset 0) as entries on true
     where txs.seq >= ${filter.seqFrom} and txs.seq < ${filter.seqTo}
       and txs.created_at >= ${filter.from} and txs.created_at < ${filter.to}
     order by txs.seq desc limit ${limit}`,
  );
}

/**
 * The positions between which an instant lies, by binary search: lines are added in time order, so a month of an old
 * wallet needs some twenty look-ups instead of a scan of everything since. Both are equal unless a line is missing.
 */
export async function findPlaceAt(tx: Tx, tenantId: string, at: string): Promise<{ low: number; high: number }> {
  const [place] = await rows<{ low: number; high: number }>(
    tx,
    sql`
    with recursive halving (low, high) as (
      select 1::bigint, last_seq + 1 from wallets where tenant_id = ${tenantId}
      union all
      select case when is_before then middle + 1 else low end, case when is_before then high else middle end
        from (select low, high, (low + high) / 2 as middle,
                     (select created_at < ${at} from ledger_txs
                       where tenant_id = ${tenantId} and seq = (low + high) / 2) as is_before
                from halving where low < high offset 0) as probe
       where is_before is not null
    )
    select low, high from halving order by high - low limit 1`,
  );
  if (!place) throw new Error('a tenant has no wallet');
  return place;
}
