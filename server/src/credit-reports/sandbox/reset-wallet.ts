// Resets the test wallet on request (docs/decisions/0287-money-in-test-mode.md).
import { TEST_CREDITS, type TestWalletData } from '@trefoil/contract';
import type { Caller } from '../../http/authenticate.ts';
import type { IdempotentRequest } from '../../http/operations.ts';
import { answerOnce } from '../../idempotency/answer-once.ts';
import { resetTestWallet } from '../../wallet/test-mode/reset-test-wallet.ts';
import { keyedRequest, orThrow, type Rendered, render } from '../answer.ts';
import type { ReportDependencies } from '../dependencies.ts';

export function resetWallet(
  { database, vault, hashIdempotency }: Pick<ReportDependencies, 'database' | 'vault' | 'hashIdempotency'>,
  caller: Caller,
  credits: number = TEST_CREDITS,
  idempotency?: IdempotentRequest,
): Promise<Rendered<TestWalletData>> {
  const { tenantId } = caller;
  return database.forTenants([tenantId], async (tx) => {
    const once = await answerOnce(tx, hashIdempotency, keyedRequest(caller, idempotency), async () => {
      const reference = { data: await resetTestWallet(tx, tenantId, credits) };
      return { kind: 'answered', subjectId: tenantId, reference, result: undefined } as const;
    });
    return orThrow(await render<TestWalletData>(tx, vault, tenantId, once));
  });
}
