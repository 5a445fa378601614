// The books of a server held against themselves, in words of their own: nothing of the service's own checks is used.
import { createHash } from 'node:crypto';
import { Client, type QueryResultRow } from 'pg';
import { expect } from 'vitest';
import { linkText } from '../../src/audit/rules/chain.ts';
import type { TestServer } from '../harness.ts';
import { grave } from './grave.ts';

/** Each finds rows that must not be. */
const CHECKS: Readonly<Record<string, string>> = {
  'a balance is the sum of the wallet’s entries': `
    select wallets.tenant_id, balance, coalesce(sum(amount), 0) as entries
      from wallets left join ledger_entries on ledger_entries.tenant_id = wallets.tenant_id and account = 'wallet'
     group by 1, 2 having balance <> coalesce(sum(amount), 0)`,
  'what is held is the sum of the open holds': `
    select wallets.tenant_id, held, coalesce(sum(amount), 0) as holds
      from wallets left join holds on holds.tenant_id = wallets.tenant_id and state = 'open'
     group by 1, 2 having held <> coalesce(sum(amount), 0)`,
  'never negative': 'select * from wallets where balance < held or held < 0 or balance < 0',
  'all entries sum to zero': 'select sum(amount) from ledger_entries having sum(amount) <> 0',
  'each line sums to zero, over two accounts': `
    select tenant_id, seq, sum(amount), count(amount) from ledger_txs left join ledger_entries using (tenant_id, seq)
     group by 1, 2 having sum(amount) is distinct from 0 or count(amount) <> 2`,
  'places have no gap and end where the wallet says': `
    select tenant_id, last_seq, count(seq), max(seq) from wallets left join ledger_txs using (tenant_id)
     group by 1, 2 having count(seq) <> last_seq or coalesce(max(seq), 0) <> last_seq`,
  'each line says the balance after it': `
    select * from (select ledger_txs.tenant_id, ledger_txs.seq, balance_after,
                          sum(coalesce(amount, 0)) over (partition by ledger_txs.tenant_id order by ledger_txs.seq) as sum
                     from ledger_txs left join ledger_entries on ledger_entries.tenant_id = ledger_txs.tenant_id
                          and ledger_entries.seq = ledger_txs.seq and account = 'wallet') as lines
     where balance_after <> sum`,
  'a captured hold has one charge, an open one none, a given-back report none': `
    select holds.kind, holds.source_id, state, count(seq) from holds left join ledger_txs on ledger_txs.tenant_id = holds.tenant_id
           and ledger_txs.source_id = holds.source_id and ledger_txs.kind = holds.kind || '-charge'
     group by holds.tenant_id, holds.kind, holds.source_id
    having (state = 'captured' and count(seq) <> 1) or (state = 'open' and count(seq) <> 0)
        or (state = 'voided' and holds.kind = 'report' and count(seq) <> 0)`,
  'a captured hold was charged what was captured of it': `
    select holds.kind, holds.source_id, captured_amount, ledger_entries.amount from holds
           join ledger_txs on ledger_txs.tenant_id = holds.tenant_id and ledger_txs.source_id = holds.source_id
            and ledger_txs.kind = holds.kind || '-charge'
           join ledger_entries on ledger_entries.tenant_id = ledger_txs.tenant_id and ledger_entries.seq = ledger_txs.seq
            and account = 'wallet'
     where state = 'captured' and ledger_entries.amount <> -captured_amount`,
  'a report is charged once and refunded once at most, and not more than its charge': `
    select credit_report_id, array_agg(kind || ' ' || amount) from ledger_txs join ledger_entries using (tenant_id, seq)
     where account = 'wallet' and kind in ('report-charge', 'report-refund') group by tenant_id, credit_report_id
    having count(*) filter (where kind = 'report-charge') <> 1 or count(*) > 2 or sum(amount) > 0`,
  'a report that ended without a result has cost nothing': `
    select credit_reports.id, status, sum(amount) from credit_reports
           join ledger_txs on ledger_txs.tenant_id = credit_reports.tenant_id and credit_report_id = credit_reports.id
            and kind in ('report-charge', 'report-refund')
           join ledger_entries on ledger_entries.tenant_id = ledger_txs.tenant_id and ledger_entries.seq = ledger_txs.seq
            and account = 'wallet'
     where status in ('failed', 'expired', 'blocked')
     group by credit_reports.tenant_id, credit_reports.id having sum(amount) <> 0`,
  'a delivered message has one charge or one write-off, another none': `
    select sms_sends.id, state, count(seq) from sms_sends left join ledger_txs
           on ledger_txs.tenant_id = sms_sends.tenant_id and source_id = sms_sends.id
     group by sms_sends.tenant_id, sms_sends.id having count(seq) <> (case when state = 'delivered' then 1 else 0 end)`,
  'a test balance is the sum of its lines, and where it ends is their number': `
    select test_wallets.tenant_id, balance, sum(amount), last_seq, count(seq), max(seq)
      from test_wallets left join test_wallet_lines on test_wallet_lines.tenant_id = test_wallets.tenant_id
     group by test_wallets.tenant_id having balance <> sum(amount) or last_seq <> count(seq) or last_seq <> max(seq) or balance < 0`,
  'each test line says the balance after it': `
    select * from (select tenant_id, seq, balance_after, sum(amount) over (partition by tenant_id order by seq) as sum
                     from test_wallet_lines) as lines
     where balance_after <> sum`,
  'a test report that ended without a result has cost nothing, and no test report has a live line or a live report a test line': `
    select credit_reports.id, status, is_test, sum(amount) from credit_reports
           join test_wallet_lines on test_wallet_lines.tenant_id = credit_reports.tenant_id
                                 and source_id = credit_reports.id
     group by credit_reports.tenant_id, credit_reports.id
    having not is_test or sum(amount) > 0 or (status in ('failed', 'expired', 'blocked') and sum(amount) <> 0)
        or (status in ('complete', 'challenged') and count(*) filter (where kind = 'report-charge') <> 1)`,
  'a test report is in no money table': `
    select credit_reports.id from credit_reports
     where is_test and (exists (select from holds where source_id = credit_reports.id)
                     or exists (select from ledger_txs where credit_report_id = credit_reports.id)
                     or exists (select from sms_sends where credit_report_id = credit_reports.id))`,
};

type AuditLine = {
  tenant_id: string;
  seq: string;
  actor: string;
  action: string;
  subject_id: string;
  details: string;
  occurred_at: Date;
  hash: Buffer;
};

type Query = <Row extends QueryResultRow>(text: string) => Promise<Row[]>;

/** Every tenant's audit chain, computed again from its first row to its head. */
async function expectChainsToHold(query: Query): Promise<void> {
  const lines = await query<AuditLine>(
    `select tenant_id, seq, actor, action, subject_id, details::text, occurred_at, hash from audit_log
      order by tenant_id, seq`,
  );
  const ends = new Map<string, { seq: number; hash: Buffer }>();
  for (const line of lines) {
    const before = ends.get(line.tenant_id) ?? { seq: 0, hash: Buffer.alloc(32) };
    const row = {
      tenantId: line.tenant_id,
      seq: Number(line.seq),
      actor: line.actor,
      action: line.action,
      subjectId: line.subject_id,
      details: line.details,
      occurredAt: line.occurred_at.toISOString(),
    };
    expect(row.seq, 'an audit chain has a gap').toBe(before.seq + 1);
    const hash = createHash('sha256').update(linkText(row, before.hash)).digest();
    expect(hash.equals(line.hash), `row ${row.seq} of an audit chain`).toBe(true);
    ends.set(line.tenant_id, { seq: row.seq, hash });
  }
  const heads = await query<{ tenant_id: string; seq: string; hash: Buffer }>('select * from audit_heads');
  expect(heads.length).toBe(ends.size);
  for (const head of heads) expect({ seq: Number(head.seq), hash: head.hash }).toEqual(ends.get(head.tenant_id));
}

/**
 * All in one snapshot: the server may still be at work, and what is written between two looks would seem to be missing from one
 * of them. On a connection of its own, since that of the server is shared.
 */
export async function expectBooksToBalance(server: TestServer): Promise<void> {
  const client = new Client({ connectionString: server.config.database.ownerUrl });
  await client.connect();
  try {
    await client.query('begin isolation level repeatable read read only');
    const query: Query = async <Row extends QueryResultRow>(text: string) => (await client.query<Row>(text)).rows;
    await grave('the books', async () => {
      for (const [promise, text] of Object.entries(CHECKS)) expect(await query(text), promise).toEqual([]);
      await expectChainsToHold(query);
    });
  } finally {
    await client.end();
  }
}
