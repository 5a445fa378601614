// The test wallet and its lines as rows, in tables that live mode does not know. A transaction that changes the wallet locks its row
// first; a check keeps it from falling below zero.
import type { EntryKind } from '@trefoil/contract';
import { agedTable } from '../../lib/postgres/retention.ts';
import { execute, rows, sql, type Tx } from '../../lib/postgres/sql.ts';

export type TestWalletRow = {
  readonly tenantId: string;
  balance: number;
  lastSeq: number;
  /** As of a live wallet. */
  readonly lowBalanceCredits: number | null;
  lowCredits: number | null;
};

export type TestLineKey = { readonly tenantId: string; readonly kind: EntryKind; readonly sourceId: string };

export type TestLine = TestLineKey & {
  readonly seq: number;
  readonly creditReportId: string | null;
  /** The effect on the wallet. */
  readonly amount: number;
  readonly balanceAfter: number;
  readonly reversesSeq: number | null;
  readonly bureauCount: number | null;
  readonly perBureau: number | null;
  readonly note: string | null;
};

/** A tenant that has no test wallet yet gets one, without a line. */
export async function lockTestWallet(tx: Tx, tenantId: string): Promise<TestWalletRow> {
  // Pipelined: PostgreSQL runs them in this order, and the second sees what the first waited for.
  const [, [wallet]] = await Promise.all([
    execute(tx, sql`insert into test_wallets (tenant_id) values (${tenantId}) on conflict do nothing`),
    rows<TestWalletRow>(
      tx,
      sql`
      select tenant_id as "tenantId", balance, last_seq as "lastSeq", low_credits as "lowCredits",
             (select low_balance_credits from tenants where tenants.id = test_wallets.tenant_id) as "lowBalanceCredits"
        from test_wallets where tenant_id = ${tenantId}
         for no key update`,
    ),
  ]);
  if (!wallet) throw new Error('a test wallet is gone');
  return wallet;
}

/** With the wallet locked. */
export async function insertTestLines(tx: Tx, wallet: TestWalletRow, lines: readonly TestLine[]): Promise<void> {
  await execute(
    tx,
    sql`
    with changed as (
      update test_wallets
         set balance = ${wallet.balance}, last_seq = ${wallet.lastSeq}, low_credits = ${wallet.lowCredits}
       where tenant_id = ${wallet.tenantId})
    insert into test_wallet_lines (tenant_id, seq, kind, source_id, credit_report_id, amount, balance_after, reverses_seq,
                                   bureau_count, per_bureau, note)
    select ${wallet.tenantId}::uuid, added.*
      from unnest(${lines.map((line) => line.seq)}::bigint[], ${lines.map((line) => line.kind)}::text[],
                  ${lines.map((line) => line.sourceId)}::uuid[], ${lines.map((line) => line.creditReportId)}::uuid[],
                  ${lines.map((line) => line.amount)}::bigint[], ${lines.map((line) => line.balanceAfter)}::bigint[],
                  ${lines.map((line) => line.reversesSeq)}::bigint[], ${lines.map((line) => line.bureauCount)}::smallint[],
                  ${lines.map((line) => line.perBureau)}::bigint[], ${lines.map((line) => line.note)}::text[]) as added`,
  );
}

export type FoundTestLine = TestLineKey & Pick<TestLine, 'seq' | 'amount' | 'bureauCount' | 'perBureau'>;

export function listTestLinesByKey(tx: Tx, keys: readonly TestLineKey[]): Promise<FoundTestLine[]> {
  return rows<FoundTestLine>(
    tx,
    sql`
    select lines.tenant_id as "tenantId", lines.kind, lines.source_id as "sourceId", seq, amount,
           bureau_count as "bureauCount", per_bureau as "perBureau"
      from unnest(${keys.map((key) => key.tenantId)}::uuid[], ${keys.map((key) => key.kind)}::text[],
                  ${keys.map((key) => key.sourceId)}::uuid[]) as asked (tenant_id, kind, source_id)
      join test_wallet_lines as lines on lines.tenant_id = asked.tenant_id and lines.kind = asked.kind
                                     and lines.source_id = asked.source_id`,
  );
}

/** Undefined for a tenant that has not used its test wallet. */
export async function findTestWallet(
  tx: Tx,
  tenantId: string,
): Promise<{ readonly balance: number; readonly lastSeq: number } | undefined> {
  const [wallet] = await rows<{ balance: number; lastSeq: number }>(
    tx,
    sql`select balance, last_seq as "lastSeq" from test_wallets where tenant_id = ${tenantId}`,
  );
  return wallet;
}

/** Charge and refund of each test report that was charged; no row for another, nor once its charge was deleted by age. */
export function listTestCosts(
  tx: Tx,
  tenantId: string,
  ids: readonly string[],
): Promise<{ readonly id: string; readonly costCredits: number }[]> {
  return rows<{ id: string; costCredits: number }>(
    tx,
    sql`
    select source_id as id, -sum(amount)::bigint as "costCredits"
      from test_wallet_lines
     where tenant_id = ${tenantId} and kind in ('report-charge', 'report-refund') and source_id = any (${ids}::uuid[])
     group by source_id having bool_or(kind = 'report-charge')`,
  );
}

/** Of a test report, oldest first: its charge, its refund and its messages. */
export function listTestCourse(
  tx: Tx,
  tenantId: string,
  creditReportId: string,
): Promise<{ kind: 'report-charge' | 'report-refund' | 'sms-charge'; at: Date; credits: number; sourceId: string }[]> {
  return rows(
    tx,
    sql`
    select kind, created_at as at, abs(amount)::bigint as credits, source_id as "sourceId"
      from test_wallet_lines where tenant_id = ${tenantId} and credit_report_id = ${creditReportId} order by seq`,
  );
}

/** Longer than the longest retention of a report: what a report says it cost stays as long as the report does. */
export const TEST_WALLET_LINES = agedTable('test_wallet_lines', 'created_at', '91 days');
