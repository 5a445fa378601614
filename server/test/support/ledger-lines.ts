// Lines of a journal as the ledger writes them, but with kinds, amounts and times of a test's choice.
import { newId } from '../../src/lib/ids.ts';
import type { TestServer } from '../harness.ts';
import { plant } from './money-states.ts';

export type Kind = 'top-up' | 'adjust' | 'report-charge' | 'report-refund' | 'sms-charge' | 'sms-writeoff';
export type Line = { readonly kind: Kind; readonly amount: number; readonly at: string };

/** The effect on the wallet. */
export const signed = ({ kind, amount }: Line) =>
  kind === 'report-charge' || kind === 'sms-charge' ? -amount : kind === 'sms-writeoff' ? 0 : amount;

export async function post(server: TestServer, tenantId: string, lines: readonly Line[]): Promise<void> {
  const statements = lines.flatMap((each) => {
    const id = newId();
    const effect = signed(each);
    const other = effect === 0 && each.kind === 'sms-writeoff' ? 'writeoff' : 'funding';
    const reverses = each.kind === 'report-refund' ? '1' : 'null';
    return [
      `update wallets set balance = balance + ${effect}, last_seq = last_seq + 1 where tenant_id = '${tenantId}'`,
      `insert into ledger_txs (tenant_id, seq, kind, source_id, reverses_seq, balance_after, created_at)
       select tenant_id, last_seq, '${each.kind}', '${id}', ${reverses}, balance, '${each.at}' from wallets where tenant_id = '${tenantId}'`,
      `insert into ledger_entries (tenant_id, seq, account, amount)
       select tenant_id, last_seq, account, amount from wallets,
              (values ('${each.kind === 'sms-writeoff' ? 'revenue:sms' : 'wallet'}', ${each.kind === 'sms-writeoff' ? each.amount : effect}),
                      ('${other}', ${each.kind === 'sms-writeoff' ? -each.amount : -effect})) as entries (account, amount)
        where tenant_id = '${tenantId}'`,
    ];
  });
  await plant(server, ...statements);
}
