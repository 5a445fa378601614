// The statement of the test wallet for reads. It has the functions of ../statement-store.ts that list-entries.ts needs, by the same names.
import { rows, sql, type Tx } from '../../lib/postgres/sql.ts';
import type { LineFilter, StatementLine } from '../statement-store.ts';
import { findTestWallet } from './test-wallet-store.ts';

export async function findBounds(tx: Tx, tenantId: string): Promise<{ firstSeq: number; lastSeq: number }> {
  const { lastSeq = 0 } = (await findTestWallet(tx, tenantId)) ?? {};
  // The first lines are deleted by age.
  const [first] = await rows<{ seq: number | null }>(
    tx,
    sql`select min(seq) as seq from test_wallet_lines where tenant_id = ${tenantId}`,
  );
  return { firstSeq: first?.seq ?? lastSeq + 1, lastSeq };
}

/** Test wallets are short: their lines are looked through from the newest. */
export const findPlaceAt = async () => ({ low: 1, high: Number.MAX_SAFE_INTEGER });

/** Newest first, by position. Call it after `walkInKeyOrder`. */
export function listLines(tx: Tx, tenantId: string, filter: LineFilter, limit: number): Promise<StatementLine[]> {
  return rows<StatementLine>(
    tx,
    sql`
    select seq, kind, amount, balance_after as "balanceAfter", credit_report_id as "creditReportId",
           reverses_seq as "reversesSeq", note, created_at as "createdAt", bureau_count as "bureauCount"
      from test_wallet_lines
     where tenant_id = ${tenantId} and seq >= ${filter.seqFrom} and seq < ${filter.seqTo}
       and created_at >= ${filter.from} and created_at < ${filter.to} and kind = any (${filter.kinds}::text[])
     order by seq desc limit ${limit}`,
  );
}

/** Newest first, of some reports with their messages. */
export function listLinesOfSources(
  tx: Tx,
  tenantId: string,
  creditReportIds: readonly string[],
  filter: LineFilter,
  limit: number,
): Promise<StatementLine[]> {
  // Materialised, and with the condition of the index in words, so that the planner searches by report and never scans along the positions.
  return rows<StatementLine>(
    tx,
    sql`
    with lines as materialized (
      select * from test_wallet_lines
       where tenant_id = ${tenantId} and credit_report_id = any (${creditReportIds}::uuid[])
         and credit_report_id is not null)
    select seq, kind, amount, balance_after as "balanceAfter", credit_report_id as "creditReportId",
           reverses_seq as "reversesSeq", note, created_at as "createdAt", bureau_count as "bureauCount"
      from lines
     where seq >= ${filter.seqFrom} and seq < ${filter.seqTo}
       and created_at >= ${filter.from} and created_at < ${filter.to} and kind = any (${filter.kinds}::text[])
     order by seq desc limit ${limit}`,
  );
}
