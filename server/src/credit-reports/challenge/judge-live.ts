// A code for a live challenge. Each message has its own code, which is right for five minutes after that message. Wrong
// codes count against the challenge and, across all challenges, against the number: for this tenant and for all tenants
// (docs/decisions/0035-codes-and-caps.md). Locks: report, number, messages, wallet (docs/decisions/0120-lock-order.md).
import type { Bureau } from '@trefoil/contract';
import { appendEvents } from '../../events/append-events.ts';
import type { Caller } from '../../http/authenticate.ts';
import { isSameCode } from '../../lib/crypto/one-time-code.ts';
import type { Tx } from '../../lib/postgres/sql.ts';
import { readBalance } from '../../wallet/read-balance.ts';
import type { LiveDependencies, ReportDependencies } from '../dependencies.ts';
import { updateChallengeDue, updateReportFailing, updateReportFetching } from '../live/live-store.ts';
import { LEASE_MS } from '../live/reserve-reports.ts';
import type { Settlement } from '../live/settle-reports.ts';
import { countMistake, lockNumber } from '../messages/allow-delivery.ts';
import { raiseWriteOff, settleSend } from '../messages/settle-sends.ts';
import { type ChallengeSend, lockSendsOfChallenge } from '../messages/sms-store.ts';
import { ATTEMPTS_MAX, LIFETIME_US, submitCode } from '../rules/challenge.ts';
import { capOnGuess } from '../rules/mobile-caps.ts';
import { openRequest } from '../seal-report.ts';
import { applyVerdict, type JudgedCode, type NextStep } from './apply-verdict.ts';
import type { OpenedChallenge } from './lock-challenge.ts';

/** How long the request with the last wrong code has for the refund, before the job looks for it too. */
const REFUND_MS = 5_000;

/** The message with this code, if its five minutes are not over. Once a code was right, only that code stays right. */
function findSend(
  live: LiveDependencies,
  { challenge, completingSendId }: OpenedChallenge,
  sends: readonly ChallengeSend[],
  code: string,
): ChallengeSend | undefined {
  const isOpen = challenge.status === 'open';
  const candidates = sends.filter((send) => (isOpen ? send.sinceSentUs <= LIFETIME_US : send.id === completingSendId));
  // Compares all candidates, so that the duration does not reveal which one matched.
  return candidates.filter((send) => {
    const right = live.codes.codeOf(send.id, send.codeKeyId);
    return right !== undefined && isSameCode(code, right);
  })[0];
}

export type LiveGuess = {
  readonly opened: OpenedChallenge;
  readonly code: string;
  readonly caller: Caller;
  /** Takes the places that a right code needs, or throws service-unavailable; runs before the code is examined. */
  readonly admit: (bureaus: readonly Bureau[]) => void;
};

export async function judgeLive(
  tx: Tx,
  dependencies: ReportDependencies,
  live: LiveDependencies,
  { opened, code, caller, admit }: LiveGuess,
): Promise<JudgedCode> {
  const { tenantId, creditReportId, challengeId } = opened.key;
  const key = { tenantId, creditReportId };
  const { dataKey, request } = await openRequest(tx, dependencies.vault, tenantId, creditReportId);
  // Admission must not depend on the code: otherwise a refusal would reveal that the code was right.
  if (opened.challenge.status === 'open') admit(request.bureaus);
  const { mobileNumber } = request;
  const number =
    mobileNumber === undefined ? undefined : { tenantId, numberHashes: live.hashMobile.every(mobileNumber) };
  const uses = number && (await lockNumber(tx, number));
  const sends = await lockSendsOfChallenge(tx, key, challengeId);
  const send = findSend(live, opened, sends, code);
  const judged = submitCode(opened.challenge, send !== undefined);
  const isGuess = judged.kind === 'complete' || judged.kind === 'retry' || judged.kind === 'failed';
  let verdict = judged;
  if (isGuess && number && uses) {
    if (capOnGuess(uses) !== undefined) verdict = { kind: 'failed', attemptsUsed: ATTEMPTS_MAX };
    else if (judged.kind !== 'complete') await countMistake(tx, number);
  }
  let ending: Settlement | undefined;
  const endWith = (outcome: { kind: 'failed'; failure: 'attempts-used' } | { kind: 'expired' }) => {
    // An idempotency key that waits for this answer gets it with the refund.
    ending = { ...key, from: 'challenged', actor: caller.id, outcome, mayHaveKey: outcome.kind === 'failed' };
  };

  async function beginFetch(): Promise<NextStep> {
    if (!send) throw new Error('a right code belongs to no message');
    const { id: sendId } = send;
    const actor = caller.id;
    const proof = { tenantId, sendId, proof: 'delivered', actor, carrierRef: null } as const;
    const verified = {
      tenantId,
      actor,
      action: 'challenge.verified' as const,
      subjectId: creditReportId,
      details: { sendId },
    };
    const settled = await settleSend(tx, proof, [verified]);
    if (settled.isWrittenOff) raiseWriteOff(dependencies, tenantId);
    const fence = await updateReportFetching(tx, key);
    await updateChallengeDue(tx, key, { inMs: LEASE_MS, completingSendId: send.id });
    await appendEvents(tx, [
      { tenantId, type: 'challenge.verified', subjectId: creditReportId, creditReportId, challengeId },
    ]);
    return { step: 'fetch', fence, actor: caller.id, request, dataKey };
  }

  const result = await applyVerdict(tx, dependencies, opened, verdict, {
    money: 'refunded',
    readBalance: () => readBalance(tx, tenantId),
    complete: beginFetch,
    async fail() {
      // From here on no code is examined, whatever happens to the refund; if need be the job makes it.
      await updateReportFailing(tx, key, 'attempts-used');
      await updateChallengeDue(tx, key, { inMs: REFUND_MS, completingSendId: null });
      endWith({ kind: 'failed', failure: 'attempts-used' });
      return { step: 'end' };
    },
    async expire() {
      if (opened.report.status === 'challenged') endWith({ kind: 'expired' });
    },
  });
  return { verdict: verdict.kind, result, ending };
}
