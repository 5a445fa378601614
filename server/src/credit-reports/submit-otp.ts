// Judges a one-time code. Everything is decided under the report's row lock, so that parallel guesses are judged one
// after another and never a fourth (docs/decisions/0038). A test report is finished in the same transaction; a live one
// is fetched after it, by the one request that brought the right code first.
import type { SubmitOtpData, SubmitOtpRequest } from '@trefoil/contract';
import type { Caller } from '../http/authenticate.ts';
import type { IdempotentRequest } from '../http/operations.ts';
import { answerOnce } from '../idempotency/answer-once.ts';
import type { Tx } from '../lib/sql.ts';
import { isUnavailable } from '../lib/unavailable.ts';
import { keyedRequest, openRequest, orThrow, type Reference, type Rendered, render, sealReport } from './answer.ts';
import { applyVerdict, type Judged, type NextStep } from './apply-verdict.ts';
import type { ReportDependencies } from './dependencies.ts';
import { finishFetch, waitForFetch } from './fetch-after-challenge.ts';
import { judgeLive } from './judge-live.ts';
import { requireLive } from './live.ts';
import { findReportState, type ReportKey } from './live-store.ts';
import { lockChallenge, type OpenedChallenge } from './lock-challenge.ts';
import { type SubmitOutcome, submitCode } from './rules/challenge.ts';
import { isTestCode, reportFromSandbox } from './sandbox.ts';
import { updateChallengeCompleted, updateReport } from './store.ts';

type SubmitReference = Reference<SubmitOtpData>;

/** A right code in test mode: the report is made now, from the request that was sealed when the challenge began. */
async function completeInSandbox(tx: Tx, { vault }: ReportDependencies, { key }: OpenedChallenge): Promise<string> {
  const { tenantId, creditReportId } = key;
  const { dataKey, request } = await openRequest(tx, vault, tenantId, creditReportId);
  const { reportText, sealedReport } = sealReport(dataKey, reportFromSandbox(request));
  await updateReport(tx, tenantId, creditReportId, { status: 'complete', sealedReport });
  await updateChallengeCompleted(tx, key);
  return reportText;
}

function judgeInSandbox(
  tx: Tx,
  dependencies: ReportDependencies,
  opened: OpenedChallenge,
  verdict: SubmitOutcome,
): Promise<Judged> {
  const { tenantId, creditReportId } = opened.key;
  return applyVerdict(tx, dependencies, opened, verdict, {
    complete: () => completeInSandbox(tx, dependencies, opened),
    fail: () => updateReport(tx, tenantId, creditReportId, { status: 'failed', sealedReport: null }),
    // Nothing has to be given back: an expired challenge shows by its time alone.
    expire: async () => undefined,
  });
}

/**
 * The connection broke while a right code was being committed. If it was committed after all, this request is the one
 * that fetches, and nobody else will: so it looks, and goes on.
 */
async function resumeFetch(
  { database }: ReportDependencies,
  key: ReportKey,
  begun: NextStep | undefined,
  error: unknown,
): Promise<NextStep> {
  if (begun?.step !== 'fetch' || !isUnavailable(error)) throw error;
  const state = await database.forTenants([key.tenantId], (tx) => findReportState(tx, key));
  if (state?.status !== 'fetching' || state.fence !== begun.fence) throw error;
  return begun;
}

export async function submitOtp(
  dependencies: ReportDependencies,
  caller: Caller,
  submit: SubmitOtpRequest & { readonly creditReportId: string },
  idempotency: IdempotentRequest | undefined,
): Promise<Rendered<SubmitOtpData>> {
  const { database, vault, hashIdempotency, metrics } = dependencies;
  const { tenantId } = caller;
  const keyed = keyedRequest(caller, idempotency, submit);
  const key = { tenantId, creditReportId: submit.creditReportId };
  let judged: { outcome: SubmitOutcome['kind']; mode: string } | undefined;
  let begun: NextStep | undefined;
  const judging = database.forTenants([tenantId], async (tx) => {
    const once = await answerOnce<SubmitReference, string | NextStep | undefined>(
      tx,
      hashIdempotency,
      keyed,
      async () => {
        const opened = await lockChallenge(tx, caller, submit.creditReportId, submit.challengeId);
        if (opened.isTest) {
          const verdict = submitCode(opened.challenge, isTestCode(submit.code));
          judged = { outcome: verdict.kind, mode: 'test' };
          return judgeInSandbox(tx, dependencies, opened, verdict);
        }
        const live = requireLive(dependencies);
        const { verdict, result } = await judgeLive(tx, dependencies, live, { opened, code: submit.code, caller });
        judged = { outcome: verdict, mode: 'live' };
        return result;
      },
    );
    // The rest happens outside this transaction: asking bureaus, or waiting for the one who asks.
    if (once.kind === 'deferred') {
      begun = once.result as NextStep;
      return begun;
    }
    return render<SubmitOtpData>(tx, vault, tenantId, once as Parameters<typeof render<SubmitOtpData>>[3]);
  });
  const outcome = await judging.catch((error: unknown) => resumeFetch(dependencies, key, begun, error));
  if (judged) metrics.codes.inc(judged);
  const answer = orThrow(outcome);
  if (!('step' in answer)) return answer;
  if (answer.step === 'fetch') return finishFetch(dependencies, key, answer, keyed);
  return waitForFetch(dependencies, key, keyed);
}
