// A code for a live challenge. Each message had a code of its own, right for five minutes after that message; wrong ones
// are counted for the challenge and, over all challenges, for the number (docs/decisions/0035).
import { appendEvents } from '../events/append-events.ts';
import type { Caller } from '../http/authenticate.ts';
import { isSameCode } from '../lib/one-time-code.ts';
import type { Tx } from '../lib/sql.ts';
import { countMistake, lockNumber } from './allow-delivery.ts';
import { openRequest } from './answer.ts';
import { applyVerdict, type Judged, type NextStep } from './apply-verdict.ts';
import type { ReportDependencies } from './dependencies.ts';
import type { LiveDependencies } from './live.ts';
import { updateChallengeDue, updateReportFetching } from './live-store.ts';
import type { OpenedChallenge } from './lock-challenge.ts';
import { LEASE_MS } from './reserve-reports.ts';
import { ATTEMPTS_MAX, LIFETIME_US, type SubmitOutcome, submitCode } from './rules/challenge.ts';
import { mayGuess } from './rules/mobile-caps.ts';
import { settleReports } from './settle-reports.ts';
import { raiseWriteOff, settleSend } from './settle-send.ts';
import { type ChallengeSend, lockSend, lockSendsOfChallenge } from './sms-store.ts';

/** The message whose code this is, if its five minutes are not over. Once one is right, only that one stays right. */
function findSend(
  live: LiveDependencies,
  { challenge, completingSendId }: OpenedChallenge,
  sends: readonly ChallengeSend[],
  code: string,
): ChallengeSend | undefined {
  const isOpen = challenge.status === 'open';
  const candidates = sends.filter((send) => (isOpen ? send.sinceSentUs <= LIFETIME_US : send.id === completingSendId));
  // All of them are compared, so that the time does not tell which.
  return candidates.filter((send) => isSameCode(code, live.codeOf(send.id)))[0];
}

export async function judgeLive(
  tx: Tx,
  dependencies: ReportDependencies,
  live: LiveDependencies,
  { opened, code, caller }: { opened: OpenedChallenge; code: string; caller: Caller },
): Promise<{ verdict: SubmitOutcome['kind']; result: Judged }> {
  const { tenantId, creditReportId, challengeId } = opened.key;
  const key = { tenantId, creditReportId };
  const sends = await lockSendsOfChallenge(tx, key, challengeId);
  const send = findSend(live, opened, sends, code);
  const judged = submitCode(opened.challenge, send !== undefined);
  const isGuess = judged.kind === 'complete' || judged.kind === 'retry' || judged.kind === 'failed';
  const { dataKey, request } = await openRequest(tx, dependencies.vault, tenantId, creditReportId);
  let verdict = judged;
  if (isGuess && request.mobileNumber !== undefined) {
    const numberHash = live.hashMobile(request.mobileNumber);
    if (!mayGuess(await lockNumber(tx, numberHash))) verdict = { kind: 'failed', attemptsUsed: ATTEMPTS_MAX };
    else if (judged.kind !== 'complete') await countMistake(tx, numberHash);
  }

  async function beginFetch(): Promise<NextStep> {
    const locked = send && (await lockSend(tx, tenantId, send.id));
    if (!locked) throw new Error('the message of a right code is gone');
    const settled = await settleSend(tx, locked, 'delivered', { actor: caller.id, carrierRef: null });
    if (settled.isWrittenOff) raiseWriteOff(dependencies, tenantId);
    const fence = await updateReportFetching(tx, key);
    await updateChallengeDue(tx, key, { inMs: LEASE_MS, completingSendId: locked.id });
    await appendEvents(tx, [{ tenantId, type: 'challenge.verified', subjectId: creditReportId, creditReportId }]);
    return { step: 'fetch', fence, actor: caller.id, request, dataKey };
  }

  const end = async (outcome: { kind: 'failed'; failure: 'attempts-used' } | { kind: 'expired' }) => {
    await settleReports(tx, [{ ...key, from: 'challenged', actor: caller.id, outcome, mayHaveKey: false }]);
  };
  const result = await applyVerdict(tx, dependencies, opened, verdict, {
    complete: beginFetch,
    fail: () => end({ kind: 'failed', failure: 'attempts-used' }),
    expire: async () => {
      if (opened.report.status === 'challenged') await end({ kind: 'expired' });
    },
  });
  return { verdict: verdict.kind, result };
}
