// Generate: screens the consumer and answers complete, authentication-required, blocked or failed. Test mode calls
// nothing outside, so the whole operation is one transaction; live mode reserves, calls and settles (generate-live.ts).
import type { ChallengeStatus, CreditReport, GenerateData, GenerateRequest } from '@trefoil/contract';
import type { Caller } from '../http/authenticate.ts';
import type { IdempotentRequest } from '../http/operations.ts';
import { answerOnce, type Settled } from '../idempotency/answer-once.ts';
import { ServiceError, unreachable } from '../lib/errors.ts';
import { newId } from '../lib/ids.ts';
import { normalisePostcode } from '../lib/postcode.ts';
import type { Tx } from '../lib/sql.ts';
import { readBalance } from '../wallet/read-balance.ts';
import { keyedRequest, orThrow, type Reference, type Rendered, render, sealReport, sealRequest } from './answer.ts';
import type { ReportDependencies } from './dependencies.ts';
import { generateLive } from './generate-live.ts';
import { requireLive } from './live.ts';
import { consumerRequest } from './rules/consumer-request.ts';
import type { ReportStatus } from './rules/report-status.ts';
import { reportFromSandbox, screenInSandbox } from './sandbox.ts';
import { insertChallenges, insertReports } from './store.ts';

type GenerateReference = Reference<GenerateData>;

/** What the screening's word makes of a new report. */
function decide(
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

function describe(creditReportId: string, decision: ReturnType<typeof decide>): GenerateReference['data'] {
  if (decision.report) return { status: 'complete', challengeType: 'none', creditReportId };
  if (decision.challengeId === undefined) return { status: 'blocked', creditReportId };
  const { challengeId } = decision;
  return {
    status: 'authentication-required',
    challengeType: 'otp',
    creditReportId,
    challenge: { challengeId },
  } as const;
}

async function generateInSandbox(
  tx: Tx,
  dependencies: ReportDependencies,
  caller: Caller,
  request: GenerateRequest,
  kept: GenerateRequest,
): Promise<Settled<GenerateReference, string | undefined>> {
  const { tenantId } = caller;
  const creditReportId = newId();
  const decision = decide(screenInSandbox(request), kept);
  const { dataKey, wrapped } = dependencies.vault.createDataKey({ tenantId, creditReportId });
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
    await insertChallenges(tx, [{ tenantId, creditReportId, id: decision.challengeId, dueInMs: null }]);
  }
  const reference: GenerateReference = {
    wallet: { balance: await readBalance(tx, tenantId), cost: 0 },
    data: describe(creditReportId, decision),
    ...(decision.report && { reportOf: creditReportId }),
  };
  return { kind: 'answered', creditReportId, reference, result: sealed?.reportText };
}

function generateForTest(
  dependencies: ReportDependencies,
  caller: Caller,
  request: GenerateRequest,
  kept: GenerateRequest,
  idempotency: IdempotentRequest | undefined,
): Promise<Rendered<GenerateData>> {
  return dependencies.database.forTenants([caller.tenantId], async (tx) => {
    const keyed = keyedRequest(caller, idempotency, request);
    const once = await answerOnce(tx, dependencies.hashIdempotency, keyed, () =>
      generateInSandbox(tx, dependencies, caller, request, kept),
    );
    return orThrow(await render<GenerateData>(tx, dependencies.vault, caller.tenantId, once));
  });
}

export async function generateReport(
  dependencies: ReportDependencies,
  caller: Caller,
  request: GenerateRequest,
  idempotency: IdempotentRequest | undefined,
): Promise<Rendered<GenerateData>> {
  if (caller.isTestOnly && !request.test) {
    throw new ServiceError('forbidden', 'This credential is for test mode alone: send test true.');
  }
  const kept = consumerRequest(request, normalisePostcode);
  // The one place that tells the modes apart: everything after it is given what it works with.
  const answer = request.test
    ? await generateForTest(dependencies, caller, request, kept, idempotency)
    : await generateLive(dependencies, requireLive(dependencies), { caller, request, kept, idempotency });
  if (!answer.isReplay) {
    dependencies.metrics.reports.inc({ mode: request.test ? 'test' : 'live', status: answer.data.status });
  }
  return answer;
}
