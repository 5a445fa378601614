// A code for a test challenge. A right code creates the report in the same transaction.
import { appendEvents } from '../../events/append-events.ts';
import type { Tx } from '../../lib/postgres/sql.ts';
import { applyVerdict, type JudgedCode } from '../challenge/apply-verdict.ts';
import type { OpenedChallenge } from '../challenge/lock-challenge.ts';
import type { ReportDependencies } from '../dependencies.ts';
import { submitCode } from '../rules/challenge.ts';
import { resultsInTestMode } from '../rules/coverage.ts';
import { type OpenedReport, openRequest, sealReport } from '../seal-report.ts';
import { updateChallengeCompleted, updateReport } from '../store.ts';
import { isTestCode, reportFromSandbox } from './sandbox.ts';
import { reportEvent, verifiedEvent } from './test-events.ts';

/** A right code in test mode: creates the report now, from the request that was sealed when the challenge began. */
async function completeInSandbox(
  tx: Tx,
  { vault }: ReportDependencies,
  { key }: OpenedChallenge,
): Promise<OpenedReport> {
  const { tenantId, creditReportId } = key;
  const { dataKey, request } = await openRequest(tx, vault, tenantId, creditReportId);
  const { reportText, sealedReport } = sealReport(dataKey, reportFromSandbox(request));
  await updateReport(tx, tenantId, creditReportId, { status: 'complete', sealedReport });
  await updateChallengeCompleted(tx, key);
  await appendEvents(tx, [verifiedEvent(key), reportEvent({ tenantId, creditReportId }, 'report.completed')]);
  return { reportText, bureauResults: resultsInTestMode(request.bureaus) };
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
