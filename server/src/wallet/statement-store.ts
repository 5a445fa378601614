// The wallet and its journal as a reader sees them. Nothing here writes.
import type { EntryKind } from '@trefoil/contract';
import { rows, sql, type Tx } from '../lib/sql.ts';

export type WalletState = { readonly balance: number; readonly held: number; readonly lastSeq: number };

export async function getWallet(tx: Tx, tenantId: string): Promise<WalletState> {
  const [wallet] = await rows<WalletState>(
    tx,
    sql`select balance, held, last_seq as "lastSeq" from wallets where tenant_id = ${tenantId}`,
  );
  if (!wallet) throw new Error('a tenant has no wallet');
  return wallet;
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
};

/** What every way into the journal is narrowed by. Open ends are far away, never absent: one plan fits all. */
export type LineFilter = {
  readonly kinds: readonly EntryKind[];
  /** Inclusive and exclusive, as ISO 8601 or `-infinity` and `infinity`. */
  readonly from: string;
  readonly to: string;
  /** Places in the journal, inclusive and exclusive. */
  readonly seqFrom: number;
  readonly seqTo: number;
};

/** Newest first, along the places: for a stretch of the journal. Call it after `walkInKeyOrder`. */
export function listLines(tx: Tx, tenantId: string, filter: LineFilter, limit: number): Promise<StatementLine[]> {
  return rows<StatementLine>(
    tx,
    sql`
    select txs.seq, txs.kind, coalesce(entries.amount, 0) as amount, txs.balance_after as "balanceAfter",
           txs.credit_report_id as "creditReportId", txs.reverses_seq as "reversesSeq", txs.note,
           txs.created_at as "createdAt"
      from ledger_txs as txs
      left join ledger_entries as entries
             on entries.tenant_id = txs.tenant_id and entries.seq = txs.seq and entries.account = 'wallet'
     where txs.tenant_id = ${tenantId} and txs.seq >= ${filter.seqFrom} and txs.seq < ${filter.seqTo}
       and txs.created_at >= ${filter.from} and txs.created_at < ${filter.to}
       and txs.kind = any (${filter.kinds}::text[])
     order by txs.seq desc limit ${limit}`,
  );
}

/** Newest first, by what they are of: for a few reports and messages in however long a journal. */
export function listLinesOfSources(
  tx: Tx,
  tenantId: string,
  sourceIds: readonly string[],
  filter: LineFilter,
  limit: number,
): Promise<StatementLine[]> {
  // Materialised, so that the way in is the key of kind and source and never a walk along the places.
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
      left join ledger_entries as entries
             on entries.tenant_id = txs.tenant_id and entries.seq = txs.seq and entries.account = 'wallet'
     where txs.seq >= ${filter.seqFrom} and txs.seq < ${filter.seqTo}
       and txs.created_at >= ${filter.from} and txs.created_at < ${filter.to}
     order by txs.seq desc limit ${limit}`,
  );
}

/** Newest first, by kind: for kinds that people post by hand, of which there are few. */
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
      left join ledger_entries as entries
             on entries.tenant_id = txs.tenant_id and entries.seq = txs.seq and entries.account = 'wallet'
     where txs.seq >= ${filter.seqFrom} and txs.seq < ${filter.seqTo}
       and txs.created_at >= ${filter.from} and txs.created_at < ${filter.to}
     order by txs.seq desc limit ${limit}`,
  );
}

/**
 * Between which places an instant lies, found by halving: lines are added in the order of time, so a month of an old
 * wallet is some twenty look-ups away instead of a walk through everything since. Both are the same unless a line is
 * missing.
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
