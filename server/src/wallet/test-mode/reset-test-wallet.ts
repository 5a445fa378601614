// Sets the balance of the test wallet. It is a line of its own: the lines add up to the balance, and a report that was charged before can
// still be refunded.
import { newId } from '../../lib/ids.ts';
import type { Tx } from '../../lib/postgres/sql.ts';
import { openTestWallet } from './open-test-wallet.ts';

export async function resetTestWallet(tx: Tx, tenantId: string, credits: number): Promise<{ balance: number }> {
  const wallet = await openTestWallet(tx, tenantId);
  const amount = credits - wallet.balance();
  if (amount !== 0) wallet.post({ kind: 'adjust', sourceId: newId(), amount });
  await wallet.write();
  return { balance: wallet.balance() };
}
