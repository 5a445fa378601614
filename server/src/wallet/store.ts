// The wallet's row. Holds, charges and the ledger join it with the live mode.
import { execute, rows, sql, type Tx } from '../lib/sql.ts';

export async function insertWallet(tx: Tx, tenantId: string): Promise<void> {
  await execute(tx, sql`insert into wallets (tenant_id) values (${tenantId})`);
}

export async function getBalance(tx: Tx, tenantId: string): Promise<number> {
  const [wallet] = await rows<{ balance: number }>(tx, sql`select balance from wallets where tenant_id = ${tenantId}`);
  if (!wallet) throw new Error('a tenant has no wallet');
  return wallet.balance;
}
