// What a judged code does to a challenge, and the caller's answer. Test mode and live share it; only the steps that
// complete, fail and expire a report differ, and the caller passes them in.
import type { SubmitOtpData } from '@trefoil/contract';
import type { KeyedOutcome } from '../../idempotency/answer-once.ts';
import { ServiceError, unreachable } from '../../lib/errors.ts';
import type { Tx } from '../../lib/postgres/sql.ts';
import { type Reference, submitData } from '../answer.ts';
import type { ReportDependencies } from '../dependencies.ts';
import type { Settlement } from '../live/settle-reports.ts';
import type { SubmitOutcome } from '../rules/challenge.ts';
import type { Money } from '../rules/failure-message.ts';
import type { Failure } from '../rules/settlement.ts';
import { type OpenedReport, openReport } from '../seal-report.ts';
import { updateAttempts, updateLateAttempts } from '../store.ts';
import type { Fetch } from './fetch-after-challenge.ts';
import type { OpenedChallenge } from './lock-challenge.ts';

/** What is left to do outside the transaction that judged the code. */
export type NextStep = Fetch | { readonly step: 'wait' } | { readonly step: 'end' };

type SubmitReference = Reference<SubmitOtpData>;
export type Judged = KeyedOutcome<SubmitReference, OpenedReport | NextStep | undefined>;

/** The result of judging a code in either mode. */
export type JudgedCode = {
  readonly verdict: SubmitOutcome['kind'];
  readonly result: Judged;
  /** A challenge that is over: the request ends it after this transaction commits. */
  readonly ending: Settlement | undefined;
};

/** What differs between test mode and live. */
export type VerdictSteps = {
  /** What has become of the report's charge, should it fail. */
  readonly money: Money;
  /** Of the wallet that the report is charged to. */
  readBalance(): Promise<number>;
  /** The report, the work left before there is one, or why there is none. */
  complete(): Promise<OpenedReport | NextStep | { readonly failure: Failure }>;
  /** The work left before the failure can be answered, if any. */
  fail(): Promise<NextStep | undefined>;
  expire(): Promise<void>;
};

const READ_IT = 'Read the report by its id: GET …/v1/credit-reports/{creditReportId}.';
const CLOSED_MESSAGE = `The challenge was answered with another code. ${READ_IT}`;
const REPLAY_OVER_MESSAGE = `The challenge has been answered, and its codes are no longer checked. ${READ_IT}`;

export async function applyVerdict(
  tx: Tx,
  dependencies: ReportDependencies,
  opened: OpenedChallenge,
  outcome: SubmitOutcome,
  steps: VerdictSteps,
): Promise<Judged> {
  const { tenantId, creditReportId } = opened.key;
  const { money } = steps;
  const answered = async (data: SubmitReference['data'], result?: OpenedReport): Promise<Judged> => ({
    kind: 'answered',
    subjectId: creditReportId,
    reference: {
      wallet: { balance: await steps.readBalance(), cost: 0 },
      data,
      ...(result !== undefined && { reportOf: creditReportId }),
    },
    result,
  });
  switch (outcome.kind) {
    case 'complete': {
      const result = await steps.complete();
      if ('failure' in result) {
        return answered(submitData(creditReportId, { kind: 'failed', failure: result.failure, money }));
      }
      if ('step' in result) return { kind: 'deferred', subjectId: creditReportId, result };
      return answered(submitData(creditReportId, { kind: 'complete' }), result);
    }
    case 'in-progress':
      return { kind: 'deferred', subjectId: creditReportId, result: { step: 'wait' } };
    case 'completed-before':
      return answered(
        submitData(creditReportId, { kind: 'complete' }),
        await openReport(tx, dependencies.vault, tenantId, creditReportId),
      );
    case 'retry':
      await updateAttempts(tx, opened.key, outcome.attemptsUsed);
      return answered(submitData(creditReportId, outcome));
    case 'failed': {
      await updateAttempts(tx, opened.key, outcome.attemptsUsed);
      const result = await steps.fail();
      if (result) return { kind: 'deferred', subjectId: creditReportId, result };
      return answered(submitData(creditReportId, { kind: 'failed', failure: 'attempts-used', money }));
    }
    case 'failed-before': {
      const failure = opened.report.failure ?? 'attempts-used';
      return answered(submitData(creditReportId, { kind: 'failed', failure, money }));
    }
    case 'closed':
      // Counted even though the request is refused: three of these end the replay for good.
      await updateLateAttempts(tx, opened.key, outcome.lateAttempts);
      return { kind: 'refused', refusal: new ServiceError('challenge-closed', CLOSED_MESSAGE) };
    case 'replay-over':
      return { kind: 'refused', refusal: new ServiceError('challenge-closed', REPLAY_OVER_MESSAGE) };
    case 'expired':
      await steps.expire();
      return { kind: 'refused', refusal: new ServiceError('challenge-expired') };
    default:
      return unreachable(outcome);
  }
}
