// A code for a test challenge. A right code creates the report, or fails it, in the same transaction.
import { appendEvents } from '../../events/append-events.ts';
import type { Tx } from '../../lib/postgres/sql.ts';
import { applyVerdict, type JudgedCode, type VerdictSteps } from '../challenge/apply-verdict.ts';
import type { OpenedChallenge } from '../challenge/lock-challenge.ts';
import type { ReportDependencies } from '../dependencies.ts';
import { submitCode } from '../rules/challenge.ts';
import { openRequest, sealReport } from '../seal-report.ts';
import { updateChallengeCompleted, updateReport } from '../store.ts';
import { isTestCode, reportFromSandbox } from './sandbox.ts';
import { updateTestOutcome } from './sandbox-store.ts';
import { reportEvent, verifiedEvent } from './test-events.ts';

/** A right code in test mode: creates the report now, from the request that was sealed when the challenge began. */
async function completeInSandbox(
  tx: Tx,
  { vault }: ReportDependencies,
  { key }: OpenedChallenge,
): ReturnType<VerdictSteps['complete']> {
  const { tenantId, creditReportId } = key;
  const { dataKey, request } = await openRequest(tx, vault, tenantId, creditReportId);
  const made = reportFromSandbox(request);
  if (made.kind === 'failed') {
    const { failure } = made;
    await updateReport(tx, tenantId, creditReportId, { status: 'failed', sealedReport: null });
    await updateTestOutcome(tx, key, { failure, because: null, bureauResults: null });
    await appendEvents(tx, [verifiedEvent(key), reportEvent({ tenantId, creditReportId }, 'report.failed')]);
    return { failure };
  }
  const { reportText, sealedReport } = sealReport(dataKey, made.report);
  await updateReport(tx, tenantId, creditReportId, { status: 'complete', sealedReport });
  const { storedResults: bureauResults } = made;
  if (bureauResults) await updateTestOutcome(tx, key, { failure: null, because: null, bureauResults });
  await updateChallengeCompleted(tx, key);
  await appendEvents(tx, [verifiedEvent(key), reportEvent({ tenantId, creditReportId }, 'report.completed')]);
  return { reportText, bureauResults: made.bureauResults };
}

export async function judgeInSandbox(
  tx: Tx,
  dependencies: ReportDependencies,
  { opened, code }: { readonly opened: OpenedChallenge; readonly code: string },
): Promise<JudgedCode> {
  const { tenantId, creditReportId } = opened.key;
  const verdict = submitCode(opened.challenge, isTestCode(code));
  const result = await applyVerdict(tx, dependencies, opened, verdict, {
    complete: () => completeInSandbox(tx, dependencies, opened),
    async fail() {
      await updateReport(tx, tenantId, creditReportId, { status: 'failed', sealedReport: null });
      await appendEvents(tx, [reportEvent({ tenantId, creditReportId }, 'report.failed')]);
      return undefined;
    },
    // There is nothing to refund. A job ends the report (expire-in-sandbox.ts); until then its age shows that it has expired.
    expire: async () => undefined,
  });
  return { verdict: verdict.kind, result, ending: undefined };
}
