// Sends the code again: at most three messages per challenge, each one starting the five minutes anew. In test mode
// nothing is sent; the counting is the same. Interface, "Limits".
import type { ResendSmsData, ResendSmsRequest } from '@trefoil/contract';
import type { Caller } from '../http/authenticate.ts';
import type { IdempotentRequest } from '../http/operations.ts';
import { answerOnce, type Settled } from '../idempotency/answer-once.ts';
import { ServiceError, unreachable } from '../lib/errors.ts';
import type { Tx } from '../lib/sql.ts';
import { keyedRequest, orThrow, type Reference, type Rendered, render } from './answer.ts';
import type { ReportDependencies } from './dependencies.ts';
import { requireLive } from './live.ts';
import { lockChallenge, type OpenedChallenge } from './lock-challenge.ts';
import { queueResend } from './queue-resend.ts';
import { resend } from './rules/challenge.ts';
import { settleReports } from './settle-reports.ts';
import { updateSends } from './store.ts';

type ResendReference = Reference<ResendSmsData>;
type Resent = Settled<ResendReference, undefined>;

const refused = (code: 'challenge-closed' | 'challenge-expired' | 'sms-limit-reached'): Resent => ({
  kind: 'refused',
  refusal: new ServiceError(code),
});

/** A live challenge found expired is ended at once, and its report refunded, as the job would do. */
async function expire(tx: Tx, { key, isTest, report }: OpenedChallenge, actor: string): Promise<void> {
  if (isTest || report.status !== 'challenged') return;
  const { tenantId, creditReportId } = key;
  await settleReports(tx, [
    { tenantId, creditReportId, from: 'challenged', actor, outcome: { kind: 'expired' }, mayHaveKey: false },
  ]);
}

export async function resendSms(
  dependencies: ReportDependencies,
  caller: Caller,
  order: ResendSmsRequest & { readonly creditReportId: string },
  idempotency: IdempotentRequest | undefined,
): Promise<Rendered<ResendSmsData>> {
  const { database, vault, hashIdempotency } = dependencies;
  const { tenantId } = caller;
  const { creditReportId, challengeId } = order;
  let sendId: string | undefined;
  const outcome = await database.forTenants([tenantId], async (tx) => {
    const once = await answerOnce<ResendReference, undefined>(
      tx,
      hashIdempotency,
      keyedRequest(caller, idempotency, order),
      async () => {
        const opened = await lockChallenge(tx, caller, creditReportId, challengeId);
        const allowed = resend(opened.challenge);
        switch (allowed.kind) {
          case 'sent': {
            const { remainingSmsCount, smsSentCount } = allowed;
            if (!opened.isTest) {
              sendId = await queueResend(tx, dependencies, requireLive(dependencies), opened);
              if (sendId === undefined) return refused('sms-limit-reached');
            }
            await updateSends(tx, opened.key, smsSentCount);
            const reference = { data: { remainingSmsCount, smsSentCount } };
            return { kind: 'answered', creditReportId, reference, result: undefined };
          }
          case 'closed':
            return refused('challenge-closed');
          case 'expired':
            await expire(tx, opened, caller.id);
            return refused('challenge-expired');
          case 'limit-reached':
            return refused('sms-limit-reached');
          default:
            return unreachable(allowed);
        }
      },
    );
    return render<ResendSmsData>(tx, vault, tenantId, once);
  });
  const answer = orThrow(outcome);
  if (sendId !== undefined) dependencies.live?.dispatch(tenantId, sendId);
  return answer;
}
