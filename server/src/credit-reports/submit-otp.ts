// Judges a one-time code. Everything is decided under the report's row lock, so that parallel guesses are judged one
// after another and never a fourth (docs/decisions/0038).
import type { CreditReport, SubmitOtpData, SubmitOtpRequest } from '@trefoil/contract';
import type { Caller } from '../http/authenticate.ts';
import type { IdempotentRequest } from '../http/operations.ts';
import { answerOnce, type Settled } from '../idempotency/answer-once.ts';
import { ServiceError, unreachable } from '../lib/errors.ts';
import type { Tx } from '../lib/sql.ts';
import { readBalance } from '../wallet/read-balance.ts';
import {
  keyedRequest,
  openReport,
  openRequest,
  orThrow,
  type Reference,
  type Rendered,
  type ReportDependencies,
  render,
  sealReport,
} from './answer.ts';
import { lockChallenge, type OpenedChallenge } from './lock-challenge.ts';
import { ATTEMPTS_MAX, type SubmitOutcome, submitCode } from './rules/challenge.ts';
import { isTestCode, reportFromSandbox } from './sandbox.ts';
import { updateAttempts, updateChallengeCompleted, updateLateAttempts, updateReport } from './store.ts';

type SubmitReference = Reference<SubmitOtpData>;
type Judged = Settled<SubmitReference, CreditReport | undefined>;

const FAILED_MESSAGE = `All ${ATTEMPTS_MAX} attempts are used and the challenge has failed. Generate a new report to start again.`;

function retryMessage(attemptsRemaining: number): string {
  return `The code is not right. ${attemptsRemaining} ${attemptsRemaining === 1 ? 'attempt remains' : 'attempts remain'}.`;
}

/** A right code: the report is made now, from the request that was sealed when the challenge began. */
async function complete(tx: Tx, { vault }: ReportDependencies, opened: OpenedChallenge): Promise<CreditReport> {
  const { tenantId, creditReportId } = opened.key;
  const { dataKey, request } = await openRequest(tx, vault, tenantId, creditReportId);
  const report = reportFromSandbox(request);
  await updateReport(tx, tenantId, creditReportId, { status: 'complete', sealedReport: sealReport(dataKey, report) });
  await updateChallengeCompleted(tx, opened.key);
  return report;
}

async function apply(
  tx: Tx,
  dependencies: ReportDependencies,
  opened: OpenedChallenge,
  outcome: SubmitOutcome,
): Promise<Judged> {
  const { tenantId, creditReportId } = opened.key;
  const answered = async (data: SubmitReference['data'], result?: CreditReport): Promise<Judged> => ({
    kind: 'answered',
    creditReportId,
    reference: {
      wallet: { balance: await readBalance(tx, tenantId), cost: 0 },
      data,
      ...(result && { reportOf: creditReportId }),
    },
    result,
  });
  switch (outcome.kind) {
    case 'complete':
      return answered({ status: 'complete', creditReportId }, await complete(tx, dependencies, opened));
    case 'completed-before':
      return answered(
        { status: 'complete', creditReportId },
        await openReport(tx, dependencies.vault, tenantId, creditReportId),
      );
    case 'retry':
      await updateAttempts(tx, opened.key, outcome.attemptsUsed);
      return answered({
        status: 'retry',
        creditReportId,
        errorMessage: retryMessage(outcome.attemptsRemaining),
        attemptsRemaining: outcome.attemptsRemaining,
      });
    case 'failed':
      await updateAttempts(tx, opened.key, outcome.attemptsUsed);
      await updateReport(tx, tenantId, creditReportId, { status: 'failed', sealedReport: null });
      return answered({ status: 'failed', creditReportId, errorMessage: FAILED_MESSAGE });
    case 'failed-before':
      return answered({ status: 'failed', creditReportId, errorMessage: FAILED_MESSAGE });
    case 'closed':
      // Counted although the request is refused: three of these end the replay for good.
      await updateLateAttempts(tx, opened.key, outcome.lateAttempts);
      return { kind: 'refused', refusal: new ServiceError('challenge-closed') };
    case 'expired':
      return { kind: 'refused', refusal: new ServiceError('challenge-expired') };
    default:
      return unreachable(outcome);
  }
}

export async function submitOtp(
  dependencies: ReportDependencies,
  caller: Caller,
  submit: SubmitOtpRequest & { readonly creditReportId: string },
  idempotency: IdempotentRequest | undefined,
): Promise<Rendered<SubmitOtpData>> {
  const { database, vault, hashIdempotency, metrics } = dependencies;
  let judged: SubmitOutcome['kind'] | undefined;
  const outcome = await database.forTenants([caller.tenantId], async (tx) => {
    const once = await answerOnce(tx, hashIdempotency, keyedRequest(caller, idempotency, submit), async () => {
      const opened = await lockChallenge(tx, caller.tenantId, submit.creditReportId, submit.challengeId);
      const verdict = submitCode(opened.challenge, isTestCode(submit.code));
      judged = verdict.kind;
      return apply(tx, dependencies, opened, verdict);
    });
    return render<SubmitOtpData>(tx, vault, caller.tenantId, once);
  });
  if (judged) metrics.codes.inc({ mode: 'test', outcome: judged });
  return orThrow(outcome);
}
