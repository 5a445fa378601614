// A code for a test challenge. A right code creates the report, or fails it, in the same transaction.
import { appendEvents } from '../../events/append-events.ts';
import type { Caller } from '../../http/authenticate.ts';
import type { Tx } from '../../lib/postgres/sql.ts';
import { applyVerdict, type JudgedCode, type VerdictSteps } from '../challenge/apply-verdict.ts';
import type { OpenedChallenge } from '../challenge/lock-challenge.ts';
import type { ReportDependencies } from '../dependencies.ts';
import { submitCode } from '../rules/challenge.ts';
import { openRequest } from '../seal-report.ts';
import { updateChallengeCompleted, updateReport } from '../store.ts';
import { keepInSandbox, noteCompleted } from './keep-in-sandbox.ts';
import { isTestCode, reportFromSandbox } from './sandbox.ts';
import { updateTestOutcome } from './sandbox-store.ts';
import { reportEvent, verifiedEvent } from './test-events.ts';

const FAILED = { status: 'failed', sealedReport: null, sealedProvenance: null } as const;

/** A right code in test mode: creates the report now, from the request that was sealed when the challenge began. */
async function completeInSandbox(
  tx: Tx,
  { key }: OpenedChallenge,
  { dataKey, request }: Awaited<ReturnType<typeof openRequest>>,
  actor: string,
): ReturnType<VerdictSteps['complete']> {
  const { tenantId, creditReportId } = key;
  const made = reportFromSandbox(request);
  if (made.kind === 'failed') {
    const { failure } = made;
    await updateReport(tx, tenantId, creditReportId, FAILED);
    await updateTestOutcome(tx, key, { failure, because: null, bureauResults: null });
    await appendEvents(tx, [verifiedEvent(key), reportEvent({ tenantId, creditReportId }, 'report.failed')]);
    return { failure };
  }
  const { reportText, sealed, digests } = keepInSandbox(dataKey, request, made);
  await updateReport(tx, tenantId, creditReportId, { status: 'complete', ...sealed });
  const { storedResults: bureauResults } = made;
  if (bureauResults) await updateTestOutcome(tx, key, { failure: null, because: null, bureauResults });
  await updateChallengeCompleted(tx, key);
  await appendEvents(tx, [verifiedEvent(key), reportEvent({ tenantId, creditReportId }, 'report.completed')]);
  await noteCompleted(tx, key, actor, digests);
  return { reportText, bureauResults: made.bureauResults };
}

export async function judgeInSandbox(
  tx: Tx,
  dependencies: ReportDependencies,
  { opened, code, caller }: { readonly opened: OpenedChallenge; readonly code: string; readonly caller: Caller },
): Promise<JudgedCode> {
  const { tenantId, creditReportId } = opened.key;
  // First, as in live mode: an erased report examines no code.
  const kept = await openRequest(tx, dependencies.vault, tenantId, creditReportId);
  const verdict = submitCode(opened.challenge, isTestCode(code));
  const result = await applyVerdict(tx, dependencies, opened, verdict, {
    complete: () => completeInSandbox(tx, opened, kept, caller.id),
    async fail() {
      await updateReport(tx, tenantId, creditReportId, FAILED);
      await appendEvents(tx, [reportEvent({ tenantId, creditReportId }, 'report.failed')]);
      return undefined;
    },
    // There is nothing to refund. A job ends the report (expire-in-sandbox.ts); until then its age shows that it has expired.
    expire: async () => undefined,
  });
  return { verdict: verdict.kind, result, ending: undefined };
}
