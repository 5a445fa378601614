// What is in the wallet, and how much of it a new operation can use (docs/decisions/0052).
import { CREDITS_PER_POUND, type WalletData } from '@trefoil/contract';
import type { Database } from '../lib/database.ts';
import { getWallet } from './statement-store.ts';

export async function readWallet(database: Database, tenantId: string): Promise<WalletData> {
  const { balance, held } = await database.forTenants([tenantId], (tx) => getWallet(tx, tenantId));
  return { balance, held, available: balance - held, creditsPerPound: CREDITS_PER_POUND };
}
