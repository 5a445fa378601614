// The wallet's balance, how much of it a new operation can use (docs/decisions/0052-balance-shown.md), and what messages
// have used today (docs/decisions/0169-a-company-sees-its-limits.md).
import type { WalletData } from '@trefoil/contract';
import type { Database } from '../lib/postgres/database.ts';
import type { Tx } from '../lib/postgres/sql.ts';
import { CREDITS_PER_POUND } from './rules/pounds.ts';
import { getSmsUses, getWallet } from './statement-store.ts';
import { readTestBalance } from './test-mode/read-test-wallet.ts';

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

/** Test mode holds nothing, and its messages use nothing of the budget. */
const toTestWallet = (balance: number) => ({ balance, held: 0 });
const UNUSED = { dayCredits: 0, dayMessages: 0 };

export async function readWallet(
  { database, findSmsBudget }: WalletDependencies,
  tenantId: string,
  isTest = false,
): Promise<WalletData> {
  const [{ balance, held }, liveUses, budget] = await database.forTenants([tenantId], (tx) =>
    Promise.all([
      isTest ? readTestBalance(tx, tenantId).then(toTestWallet) : getWallet(tx, tenantId),
      getSmsUses(tx, tenantId),
      findSmsBudget(tx, tenantId),
    ]),
  );
  const uses = isTest ? { ...liveUses, ...UNUSED } : liveUses;
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
