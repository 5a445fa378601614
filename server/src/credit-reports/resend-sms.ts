// Sends the code again: at most three messages per challenge, each one starting the five minutes anew. In test mode
// nothing is sent; the counting is the same. Interface, "Limits".
import type { ResendSmsData, ResendSmsRequest } from '@trefoil/contract';
import type { Caller } from '../http/authenticate.ts';
import type { IdempotentRequest } from '../http/operations.ts';
import { answerOnce, type Settled } from '../idempotency/answer-once.ts';
import { ServiceError, unreachable } from '../lib/errors.ts';
import type { Tx } from '../lib/sql.ts';
import { keyedRequest, orThrow, type Reference, type Rendered, type ReportDependencies, render } from './answer.ts';
import { lockChallenge } from './lock-challenge.ts';
import { resend } from './rules/challenge.ts';
import { updateSends } from './store.ts';

type ResendReference = Reference<ResendSmsData>;

async function resendInSandbox(
  tx: Tx,
  tenantId: string,
  creditReportId: string,
  challengeId: string,
): Promise<Settled<ResendReference, undefined>> {
  const { key, challenge } = await lockChallenge(tx, tenantId, creditReportId, challengeId);
  const outcome = resend(challenge);
  switch (outcome.kind) {
    case 'sent': {
      const { remainingSmsCount, smsSentCount } = outcome;
      await updateSends(tx, key, smsSentCount);
      return {
        kind: 'answered',
        creditReportId,
        reference: { data: { remainingSmsCount, smsSentCount } },
        result: undefined,
      };
    }
    case 'closed':
      return { kind: 'refused', refusal: new ServiceError('challenge-closed') };
    case 'expired':
      return { kind: 'refused', refusal: new ServiceError('challenge-expired') };
    case 'limit-reached':
      return { kind: 'refused', refusal: new ServiceError('sms-limit-reached') };
    default:
      return unreachable(outcome);
  }
}

export async function resendSms(
  { database, vault, hashIdempotency }: ReportDependencies,
  caller: Caller,
  order: ResendSmsRequest & { readonly creditReportId: string },
  idempotency: IdempotentRequest | undefined,
): Promise<Rendered<ResendSmsData>> {
  const outcome = await database.forTenants([caller.tenantId], async (tx) => {
    const once = await answerOnce(tx, hashIdempotency, keyedRequest(caller, idempotency, order), () =>
      resendInSandbox(tx, caller.tenantId, order.creditReportId, order.challengeId),
    );
    return render<ResendSmsData>(tx, vault, caller.tenantId, once);
  });
  return orThrow(outcome);
}
