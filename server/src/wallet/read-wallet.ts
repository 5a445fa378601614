// The wallet's balance, how much of it a new operation can use (docs/decisions/0052-balance-shown.md), and what messages
// have used today (docs/decisions/0169-a-company-sees-its-limits.md).
import type { WalletData } from '@trefoil/contract';
import type { Database } from '../lib/postgres/database.ts';
import type { Tx } from '../lib/postgres/sql.ts';
import { CREDITS_PER_POUND } from './rules/pounds.ts';
import { getSmsUses, getWallet } from './statement-store.ts';

export { getSmsUses as readSmsUses } from './statement-store.ts';

/** How much a tenant's messages may use per day. The wallet does not know messages: `app.ts` passes this in. */
export type FindSmsBudget = (
  tx: Tx,
  tenantId: string,
) => Promise<{ readonly dayCredits: number; readonly dayMessages: number }>;

export type WalletDependencies = { readonly database: Database; readonly findSmsBudget: FindSmsBudget };

/** What a new operation can use. */
export async function readAvailable(tx: Tx, tenantId: string): Promise<number> {
  const { balance, held } = await getWallet(tx, tenantId);
  return balance - held;
}

export async function readWallet(
  { database, findSmsBudget }: WalletDependencies,
  tenantId: string,
): Promise<WalletData> {
  const [{ balance, held }, uses, budget] = await database.forTenants([tenantId], (tx) =>
    Promise.all([getWallet(tx, tenantId), getSmsUses(tx, tenantId), findSmsBudget(tx, tenantId)]),
  );
  return {
    balance,
    held,
    available: balance - held,
    creditsPerPound: CREDITS_PER_POUND,
    smsDay: {
      maxMessages: budget.dayMessages,
      usedMessages: uses.dayMessages,
      maxCredits: budget.dayCredits,
      usedCredits: uses.dayCredits,
      resetsAt: uses.dayEndsAt.toISOString(),
    },
  };
}
