// A generate in test mode. It calls nothing outside, so the whole operation is one transaction.
import type { ChallengeStatus, CreditReport, GenerateData, GenerateRequest } from '@trefoil/contract';
import { appendEvents } from '../../events/append-events.ts';
import type { Caller } from '../../http/authenticate.ts';
import { answerOnce, type KeyedOutcome } from '../../idempotency/answer-once.ts';
import { unreachable } from '../../lib/errors.ts';
import { newId } from '../../lib/ids.ts';
import type { Tx } from '../../lib/postgres/sql.ts';
import { readBalance } from '../../wallet/read-balance.ts';
import { generateData, keyedRequest, orThrow, type Reference, type Rendered, render } from '../answer.ts';
import type { GenerateOrder, ReportDependencies } from '../dependencies.ts';
import { CHALLENGE_MS } from '../messages/allow-delivery.ts';
import { resultsInTestMode } from '../rules/coverage.ts';
import type { ReportStatus } from '../rules/report-status.ts';
import { type OpenedReport, sealReport, sealRequest } from '../seal-report.ts';
import { insertChallenges, insertReports } from '../store.ts';
import { reportFromSandbox, screenInSandbox } from './sandbox.ts';
import { messageEvents, reportEvent, type TestSubject } from './test-events.ts';

type GenerateReference = Reference<GenerateData>;

/** Applies the screening's verdict to a new report. */
function decideInSandbox(
  verdict: ChallengeStatus,
  request: GenerateRequest,
): { status: ReportStatus; report?: CreditReport; challengeId?: string } {
  switch (verdict) {
    case 'allow':
      return { status: 'complete', report: reportFromSandbox(request) };
    case 'challenge':
      return { status: 'challenged', challengeId: newId() };
    case 'block':
      return { status: 'blocked' };
    default:
      return unreachable(verdict);
  }
}

function dataOf(
  creditReportId: string,
  { report, challengeId }: ReturnType<typeof decideInSandbox>,
): GenerateReference['data'] {
  if (report) return generateData(creditReportId, { kind: 'complete' });
  if (challengeId === undefined) return generateData(creditReportId, { kind: 'blocked' });
  return generateData(creditReportId, { kind: 'challenge', challengeId });
}

function eventsOf({ report, challengeId }: ReturnType<typeof decideInSandbox>, subject: TestSubject) {
  if (report) return [reportEvent(subject, 'report.completed')];
  if (challengeId === undefined) return [reportEvent(subject, 'report.blocked')];
  return [reportEvent(subject, 'report.challenged'), ...messageEvents(subject)];
}

async function insertTestReport(
  tx: Tx,
  dependencies: ReportDependencies,
  caller: Caller,
  request: GenerateRequest,
  kept: GenerateRequest,
): Promise<KeyedOutcome<GenerateReference, OpenedReport | undefined>> {
  const { tenantId } = caller;
  const creditReportId = newId();
  const decision = decideInSandbox(screenInSandbox(request), kept);
  const { dataKey, wrapped } = dependencies.vault.createDataKey({ tenantId, subjectId: creditReportId });
  const sealed = decision.report && sealReport(dataKey, decision.report);
  await insertReports(tx, [
    {
      tenantId,
      id: creditReportId,
      isTest: true,
      callerId: caller.id,
      status: decision.status,
      externalReferenceHash:
        request.externalReference === undefined
          ? null
          : dependencies.hashReference(tenantId, request.externalReference),
      sealedRequest: sealRequest(dataKey, kept),
      sealedReport: sealed?.sealedReport ?? null,
      wrapped,
      firstSendId: null,
    },
  ]);
  if (decision.challengeId !== undefined) {
    const challenge = { tenantId, creditReportId, id: decision.challengeId };
    await insertChallenges(tx, [{ ...challenge, isTest: true, dueInMs: CHALLENGE_MS }]);
  }
  await appendEvents(tx, eventsOf(decision, { tenantId, creditReportId, challengeId: decision.challengeId }));
  const reference: GenerateReference = {
    wallet: { balance: await readBalance(tx, tenantId), cost: 0 },
    data: dataOf(creditReportId, decision),
    ...(decision.report && { reportOf: creditReportId }),
  };
  const result = sealed && { reportText: sealed.reportText, bureauResults: resultsInTestMode(kept.bureaus) };
  return { kind: 'answered', subjectId: creditReportId, reference, result };
}

export function generateInSandbox(
  dependencies: ReportDependencies,
  { caller, request, kept, idempotency }: GenerateOrder,
): Promise<Rendered<GenerateData>> {
  return dependencies.database.forTenants([caller.tenantId], async (tx) => {
    const keyed = keyedRequest(caller, idempotency);
    const once = await answerOnce(tx, dependencies.hashIdempotency, keyed, () =>
      insertTestReport(tx, dependencies, caller, request, kept),
    );
    return orThrow(await render<GenerateData>(tx, dependencies.vault, caller.tenantId, once));
  });
}
