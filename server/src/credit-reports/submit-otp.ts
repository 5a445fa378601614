// Judges a one-time code. Everything is decided under the report's row lock, so that parallel guesses are judged one after
// another, and never a fourth (docs/decisions/0038-concurrent-submits.md). A test report is completed in the same
// transaction. A live report is fetched after it, by the first request with the right code.
import type { SubmitOtpData, SubmitOtpRequest } from '@trefoil/contract';
import type { Caller } from '../http/authenticate.ts';
import type { IdempotentRequest } from '../http/operations.ts';
import { answerOnce } from '../idempotency/answer-once.ts';
import { type KeyedRequest, keepAnswers } from '../idempotency/claim-keys.ts';
import { ServiceError, unreachable } from '../lib/errors.ts';
import { isUuid } from '../lib/ids.ts';
import type { Release } from '../lib/limits/places.ts';
import type { Tx } from '../lib/postgres/sql.ts';
import { isUnavailable } from '../lib/postgres/unavailable.ts';
import { readBalance } from '../wallet/read-balance.ts';
import {
  keyedRequest,
  orThrow,
  type Reference,
  type Rendered,
  render,
  submitData,
  withReference,
  withReport,
} from './answer.ts';
import type { Judged, NextStep } from './challenge/apply-verdict.ts';
import { endChallenge } from './challenge/end-challenge.ts';
import { finishFetch, waitForFetch } from './challenge/fetch-after-challenge.ts';
import { lockChallenge } from './challenge/lock-challenge.ts';
import type { ReportDependencies } from './dependencies.ts';
import { findSettled } from './live/find-settled.ts';
import { findReportState } from './live/live-store.ts';
import type { Settlement } from './live/settle-reports.ts';
import { modeOf } from './modes.ts';
import type { SubmitOutcome } from './rules/challenge.ts';
import { maySeeReference } from './rules/reader.ts';
import type { OpenedReport } from './seal-report.ts';
import type { ReportKey } from './store.ts';

type SubmitReference = Reference<SubmitOtpData>;

/**
 * The connection broke while a right code was being committed. If the commit succeeded, only this request will fetch
 * the report: so it checks, and continues.
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

/**
 * The last wrong code is counted and committed; the caller is answered after the refund or, if that takes too long,
 * without it. A key keeps the first answer, whether this request, the settlement or the job writes it.
 */
async function tellFailure(
  dependencies: ReportDependencies,
  ending: Settlement,
  keyed: KeyedRequest | undefined,
): Promise<Rendered<SubmitOtpData>> {
  const { tenantId, creditReportId } = ending;
  const settled = await endChallenge(dependencies.queue, ending);
  if (settled?.kind === 'settled') return withReport<SubmitOtpData>(settled.reference as SubmitReference, undefined);
  if (!settled) {
    const data = submitData(creditReportId, { kind: 'failed', failure: 'attempts-used', money: 'refunded' });
    const unsettled = await dependencies.database.forTenants([tenantId], async (tx): Promise<SubmitReference> => {
      const reference = { wallet: { balance: await readBalance(tx, tenantId), cost: 0 }, data };
      if (keyed) await keepAnswers(tx, [{ tenantId, subjectId: creditReportId, answer: reference }]);
      return reference;
    });
    if (!keyed) return withReport<SubmitOtpData>(unsettled, undefined);
  }
  return findSettled<SubmitOtpData>(dependencies, ending, 'submit', keyed);
}

type Submit = SubmitOtpRequest & { readonly creditReportId: string };

/** What the transaction that judges a code passes to the rest of the request. */
type Judging = {
  counted?: { readonly outcome: SubmitOutcome['kind']; readonly mode: string };
  ending?: Settlement | undefined;
  begun?: NextStep;
  release: Release;
};

/** Judges the code in one transaction. Asking bureaus, or waiting for the request that asks, happens outside it. */
function judgeCode(
  dependencies: ReportDependencies,
  caller: Caller,
  { submit, keyed }: { readonly submit: Submit; readonly keyed: KeyedRequest | undefined },
  judging: Judging,
): Promise<Rendered<SubmitOtpData> | ServiceError | NextStep> {
  const { database, vault, hashIdempotency } = dependencies;
  const { tenantId } = caller;

  async function judgeLocked(tx: Tx): Promise<Judged> {
    const opened = await lockChallenge(tx, caller, submit.creditReportId, submit.challengeId);
    const mode = modeOf(dependencies, opened.isTest);
    const keepPlaces = (release: Release) => {
      judging.release = release;
    };
    const { verdict, result, ending } = await mode.judge(tx, { opened, code: submit.code, caller, keepPlaces });
    judging.counted = { outcome: verdict, mode: mode.name };
    judging.ending = ending;
    return result;
  }

  return database.forTenants([tenantId], async (tx) => {
    const once = await answerOnce<SubmitReference, OpenedReport | NextStep | undefined>(
      tx,
      hashIdempotency,
      keyed,
      () => judgeLocked(tx),
    );
    if (once.kind === 'deferred') {
      judging.begun = once.result as NextStep;
      return judging.begun;
    }
    return render<SubmitOtpData>(tx, vault, tenantId, once as Parameters<typeof render<SubmitOtpData>>[3]);
  });
}

export async function submitOtp(
  dependencies: ReportDependencies,
  caller: Caller,
  submit: Submit,
  idempotency: IdempotentRequest | undefined,
): Promise<Rendered<SubmitOtpData>> {
  const { creditReportId } = submit;
  // First: a reference that cannot be opened now must not cost an attempt.
  const references =
    isUuid(creditReportId) && maySeeReference(caller)
      ? await dependencies.openReferences(caller.tenantId, [creditReportId])
      : undefined;
  const answer = await submitCodeOnce(dependencies, caller, submit, idempotency);
  return withReference(answer, references?.get(creditReportId));
}

async function submitCodeOnce(
  dependencies: ReportDependencies,
  caller: Caller,
  submit: Submit,
  idempotency: IdempotentRequest | undefined,
): Promise<Rendered<SubmitOtpData>> {
  const keyed = keyedRequest(caller, idempotency, { creditReportId: submit.creditReportId });
  const key = { tenantId: caller.tenantId, creditReportId: submit.creditReportId };
  const judging: Judging = { release: () => undefined };
  try {
    const outcome = await judgeCode(dependencies, caller, { submit, keyed }, judging).catch((error: unknown) =>
      resumeFetch(dependencies, key, judging.begun, error),
    );
    if (judging.counted) dependencies.metrics.codes.inc(judging.counted);
    const { ending, release } = judging;
    const isFetch = !(outcome instanceof ServiceError) && 'step' in outcome && outcome.step === 'fetch';
    if (!isFetch) release();
    if (ending && outcome instanceof ServiceError) await endChallenge(dependencies.queue, ending);
    const answer = orThrow(outcome);
    if (!('step' in answer)) return answer;
    switch (answer.step) {
      case 'fetch':
        return await finishFetch(dependencies, key, answer, { keyed, release });
      case 'wait':
        return await waitForFetch(dependencies, key, keyed);
      case 'end':
        if (!ending) throw new Error('a failed challenge has no settlement');
        return await tellFailure(dependencies, ending, keyed);
      default:
        return unreachable(answer);
    }
  } finally {
    judging.release();
  }
}
