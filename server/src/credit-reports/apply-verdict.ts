// What a judged code does to a challenge and what the caller hears of it, the same in test mode and live; only how a
// report is completed, failed and expired differs, and is handed in.
import type { SubmitOtpData } from '@trefoil/contract';
import type { Settled } from '../idempotency/answer-once.ts';
import { ServiceError, unreachable } from '../lib/errors.ts';
import type { Tx } from '../lib/sql.ts';
import { readBalance } from '../wallet/read-balance.ts';
import { openReport, type Reference } from './answer.ts';
import type { ReportDependencies } from './dependencies.ts';
import type { Fetch } from './fetch-after-challenge.ts';
import type { OpenedChallenge } from './lock-challenge.ts';
import type { SubmitOutcome } from './rules/challenge.ts';
import { failureMessage } from './rules/failure-message.ts';
import { updateAttempts, updateLateAttempts } from './store.ts';

/** What is left to do outside the transaction that judged the code. */
export type NextStep = Fetch | { readonly step: 'wait' };

type SubmitReference = Reference<SubmitOtpData>;
export type Judged = Settled<SubmitReference, string | NextStep | undefined>;

export type Mode = {
  /** The JSON text of the report, or what is left to do before there is one. */
  complete(): Promise<string | NextStep>;
  fail(): Promise<void>;
  expire(): Promise<void>;
};

const CLOSED_MESSAGE =
  'The challenge was answered with another code. Read the report by its id: GET …/v1/credit-reports/{creditReportId}.';

function retryMessage(attemptsRemaining: number): string {
  return `The code is not right. ${attemptsRemaining} ${attemptsRemaining === 1 ? 'attempt remains' : 'attempts remain'}.`;
}

export async function applyVerdict(
  tx: Tx,
  dependencies: ReportDependencies,
  opened: OpenedChallenge,
  outcome: SubmitOutcome,
  mode: Mode,
): Promise<Judged> {
  const { tenantId, creditReportId } = opened.key;
  const answered = async (data: SubmitReference['data'], result?: string): Promise<Judged> => ({
    kind: 'answered',
    creditReportId,
    reference: {
      wallet: { balance: await readBalance(tx, tenantId), cost: 0 },
      data,
      ...(result !== undefined && { reportOf: creditReportId }),
    },
    result,
  });
  switch (outcome.kind) {
    case 'complete': {
      const result = await mode.complete();
      if (typeof result !== 'string') return { kind: 'deferred', creditReportId, result };
      return answered({ status: 'complete', creditReportId }, result);
    }
    case 'in-progress':
      return { kind: 'deferred', creditReportId, result: { step: 'wait' } };
    case 'completed-before': {
      const { bureauResults } = opened.report;
      return answered(
        { status: 'complete', creditReportId, ...(bureauResults && { bureauResults }) },
        await openReport(tx, dependencies.vault, tenantId, creditReportId),
      );
    }
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
      await mode.fail();
      return answered({ status: 'failed', creditReportId, errorMessage: failureMessage('attempts-used') });
    case 'failed-before': {
      const errorMessage = failureMessage(opened.report.failure ?? 'attempts-used');
      return answered({ status: 'failed', creditReportId, errorMessage });
    }
    case 'closed':
      // Counted although the request is refused: three of these end the replay for good.
      await updateLateAttempts(tx, opened.key, outcome.lateAttempts);
      return { kind: 'refused', refusal: new ServiceError('challenge-closed', CLOSED_MESSAGE) };
    case 'expired':
      await mode.expire();
      return { kind: 'refused', refusal: new ServiceError('challenge-expired') };
    default:
      return unreachable(outcome);
  }
}
