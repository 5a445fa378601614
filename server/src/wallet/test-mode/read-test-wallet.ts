// What test mode reads of its wallet, without a lock.
import { TEST_CREDITS } from '@trefoil/contract';
import type { Tx } from '../../lib/postgres/sql.ts';
import { findTestWallet } from './test-wallet-store.ts';

export { listTestCosts, listTestCourse, listTestLinesByKey, TEST_WALLET_LINES } from './test-wallet-store.ts';

/** A test wallet that was never used has its first credits all the same. */
export async function readTestBalance(tx: Tx, tenantId: string): Promise<number> {
  return (await findTestWallet(tx, tenantId))?.balance ?? TEST_CREDITS;
}
