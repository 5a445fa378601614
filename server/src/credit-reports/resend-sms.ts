// Sends the code again: at most three messages per challenge, each of which restarts the five minutes. In test mode
// nothing is sent, but the counting is the same. Interface, "Limits".
import type { ResendSmsData, ResendSmsRequest } from '@trefoil/contract';
import type { Caller } from '../http/authenticate.ts';
import type { IdempotentRequest } from '../http/operations.ts';
import { answerOnce, type KeyedOutcome } from '../idempotency/answer-once.ts';
import { ServiceError, unreachable } from '../lib/errors.ts';
import { keyedRequest, orThrow, type Reference, type Rendered, render } from './answer.ts';
import { endChallenge } from './challenge/end-challenge.ts';
import { lockChallenge } from './challenge/lock-challenge.ts';
import type { ReportDependencies } from './dependencies.ts';
import type { Settlement } from './live/settle-reports.ts';
import { modeOf } from './modes.ts';
import { resend } from './rules/challenge.ts';
import { type MetLimit, smsLimit } from './rules/sms-limit.ts';
import { updateSends } from './store.ts';

type ResendReference = Reference<ResendSmsData>;
type Resent = KeyedOutcome<ResendReference, undefined>;

const refused = (code: 'challenge-closed' | 'challenge-expired'): Resent => ({
  kind: 'refused',
  refusal: new ServiceError(code),
});

/**
 * Without Retry-After: most of these limits last longer than a client waits, and some for good
 * (docs/decisions/0041-resend-limit.md).
 */
function limited(met: MetLimit, resetsAt: Date | null): Resent {
  const { kind, message } = smsLimit(met, resetsAt !== null);
  const limit = { kind, resetsAt: resetsAt?.toISOString() ?? null };
  return { kind: 'refused', refusal: new ServiceError('sms-limit-reached', message, { fields: { limit } }) };
}

export async function resendSms(
  dependencies: ReportDependencies,
  caller: Caller,
  order: ResendSmsRequest & { readonly creditReportId: string },
  idempotency: IdempotentRequest | undefined,
): Promise<Rendered<ResendSmsData>> {
  const { database, vault, hashIdempotency, queue } = dependencies;
  const { tenantId } = caller;
  const { creditReportId, challengeId } = order;
  let sendId: string | undefined;
  let ending: Settlement | undefined;
  const outcome = await database.forTenants([tenantId], async (tx) => {
    const once = await answerOnce<ResendReference, undefined>(
      tx,
      hashIdempotency,
      keyedRequest(caller, idempotency, { creditReportId }),
      async () => {
        const opened = await lockChallenge(tx, caller, creditReportId, challengeId);
        const mode = modeOf(dependencies, opened.isTest);
        const allowed = resend(opened.challenge);
        switch (allowed.kind) {
          case 'sent': {
            const { remainingSmsCount, smsSentCount } = allowed;
            const resent = await mode.resend(tx, { opened, actor: caller.id, smsSentCount });
            if ('why' in resent) return limited(resent.why, resent.resetsAt);
            sendId = resent.sendId;
            await updateSends(tx, opened.key, smsSentCount);
            const reference = { data: { remainingSmsCount, smsSentCount } };
            return { kind: 'answered', subjectId: creditReportId, reference, result: undefined };
          }
          case 'closed':
            return refused('challenge-closed');
          case 'expired':
            ending = mode.endExpired(opened, caller.id);
            return refused('challenge-expired');
          case 'limit-reached':
            return limited('challenge', null);
          default:
            return unreachable(allowed);
        }
      },
    );
    return render<ResendSmsData>(tx, vault, tenantId, once);
  });
  if (ending) await endChallenge(queue, ending);
  const answer = orThrow(outcome);
  if (sendId !== undefined) dependencies.live?.dispatch(tenantId, sendId);
  return answer;
}
