// A generate in test mode. It calls nothing outside, so the whole operation is one transaction; erasing the new report, where
// the request asks for that, is another.
import type { ChallengeStatus, GenerateData, GenerateRequest } from '@trefoil/contract';
import { appendEvents } from '../../events/append-events.ts';
import { answerOnce, type KeyedOutcome } from '../../idempotency/answer-once.ts';
import { type ServiceError, unreachable } from '../../lib/errors.ts';
import { newId } from '../../lib/ids.ts';
import type { Tx } from '../../lib/postgres/sql.ts';
import { followReport } from '../../lib/traces/span.ts';
import { mobileCountry } from '../../lib/values/phone.ts';
import { readBalance } from '../../wallet/read-balance.ts';
import { generateData, keyedRequest, orThrow, type Reference, type Rendered, render } from '../answer.ts';
import type { GenerateOrder, ReportDependencies } from '../dependencies.ts';
import { CHALLENGE_MS } from '../messages/allow-delivery.ts';
import { sourceOf } from '../rules/report-source.ts';
import type { ReportStatus } from '../rules/report-status.ts';
import { type OpenedReport, sealRequest } from '../seal-report.ts';
import { insertChallenges, insertReports } from '../store.ts';
import { chargeSent, openTestMoney } from './charge-in-sandbox.ts';
import { answerTooLate, findErrorBefore } from './fail-as-asked.ts';
import { keepInSandbox, noteCompleted } from './keep-in-sandbox.ts';
import { refuseForFunds } from './refuse-for-funds.ts';
import { failureBeforeBureaus, type StoredFailure } from './rules/test-options.ts';
import { reportFromSandbox, type SandboxReport, screenInSandbox } from './sandbox.ts';
import { type TestOutcome, updateTestOutcome } from './sandbox-store.ts';
import { type ChargedMessage, messageEvents, moneyEvent, reportEvent, type TestSubject } from './test-events.ts';

type GenerateReference = Reference<GenerateData>;

/** What becomes of a new test report. */
type Decision =
  | Exclude<SandboxReport, { kind: 'failed' }>
  | { readonly kind: 'challenge'; readonly challengeId: string }
  | { readonly kind: 'blocked' }
  | ({ readonly kind: 'failed' } & StoredFailure);

/** In the order of a live report: the screening, the challenge's own failures, then the bureaus. */
function decideInSandbox(verdict: ChallengeStatus, kept: GenerateRequest): Decision {
  const early = failureBeforeBureaus(kept);
  if (early) return { kind: 'failed', ...early };
  switch (verdict) {
    case 'allow': {
      const made = reportFromSandbox(kept);
      return made.kind === 'failed' ? { ...made, because: null } : made;
    }
    case 'challenge':
      return { kind: 'challenge', challengeId: newId() };
    case 'block':
      return { kind: 'blocked' };
    default:
      return unreachable(verdict);
  }
}

const STATUSES: Readonly<Record<Decision['kind'], ReportStatus>> = {
  complete: 'complete',
  challenge: 'challenged',
  blocked: 'blocked',
  failed: 'failed',
};

/** `country` only where the caller may see it: the answer that is stored with a key is in clear text. */
function dataOf(creditReportId: string, decision: Decision, country?: string): GenerateReference['data'] {
  // Nothing is charged before a challenge in live mode either: the sentence is the same.
  return generateData(
    creditReportId,
    decision.kind === 'failed' ? { ...decision, money: 'not-charged', country } : decision,
  );
}

function outcomeOf(decision: Decision): TestOutcome | undefined {
  if (decision.kind === 'failed') return { failure: decision.failure, because: decision.because, bureauResults: null };
  if (decision.kind !== 'complete' || !decision.storedResults) return undefined;
  return { failure: null, because: null, bureauResults: decision.storedResults };
}

/** What a report that asked for charges cost, if it was charged. */
type Paid = { readonly cost: number; readonly message: ChargedMessage | undefined };

const REPORT_EVENTS = {
  complete: 'report.completed',
  challenge: 'report.challenged',
  blocked: 'report.blocked',
  failed: 'report.failed',
} as const;

function eventsOf({ kind }: Decision, { testOptions }: GenerateRequest, subject: TestSubject, paid?: Paid) {
  return [
    reportEvent(subject, REPORT_EVENTS[kind], paid?.cost),
    ...(paid ? [moneyEvent(subject, 'wallet.charged', paid.cost)] : []),
    ...(kind === 'challenge' ? messageEvents(subject, testOptions?.receipt, paid?.message) : []),
  ];
}

/** For how many bureaus the report is charged now; undefined where it is not. */
function chargedBureaus(decision: Decision, { bureaus }: GenerateRequest): number | undefined {
  if (decision.kind === 'challenge') return bureaus.length;
  if (decision.kind !== 'complete') return undefined;
  return decision.bureauResults.filter(({ outcome }) => outcome !== 'unavailable').length;
}

/** Moves the credits of the test wallet, if the request asks for charges, and writes the events. Returns `meta.wallet`. */
async function settle(
  tx: Tx,
  subject: TestSubject,
  decision: Decision,
  request: GenerateRequest,
): Promise<NonNullable<GenerateReference['wallet']>> {
  const { tenantId } = subject;
  if (!request.testOptions?.charges) {
    await appendEvents(tx, eventsOf(decision, request, subject));
    return { balance: await readBalance(tx, tenantId), cost: 0 };
  }
  const money = await openTestMoney(tx, subject);
  money.requireFunds(request);
  const bureauCount = chargedBureaus(decision, request);
  const cost = bureauCount === undefined ? 0 : money.chargeReport(bureauCount);
  // In live mode a message is charged after the answer: its line is not in this balance.
  const balance = money.wallet.balance();
  const { challengeId } = subject;
  const { mobileNumber, testOptions } = request;
  const message =
    challengeId === undefined || mobileNumber === undefined
      ? undefined
      : chargeSent(money, { challengeId, number: 1, receipt: testOptions.receipt });
  await money.wallet.write();
  await appendEvents(
    tx,
    eventsOf(decision, request, subject, bureauCount === undefined ? undefined : { cost, message }),
  );
  return { balance, cost };
}

async function insertTestReport(
  tx: Tx,
  dependencies: ReportDependencies,
  { caller, request, kept }: GenerateOrder,
): Promise<KeyedOutcome<GenerateReference, OpenedReport | undefined>> {
  const { tenantId } = caller;
  const creditReportId = newId();
  followReport(creditReportId, true);
  const decision = decideInSandbox(screenInSandbox(request), kept);
  const { dataKey, wrapped } = dependencies.vault.createDataKey({ tenantId, subjectId: creditReportId });
  const body = decision.kind === 'complete' ? keepInSandbox(dataKey, request, decision) : undefined;
  await insertReports(tx, [
    {
      tenantId,
      id: creditReportId,
      isTest: true,
      callerId: caller.id,
      source: sourceOf(caller),
      status: STATUSES[decision.kind],
      externalReferenceHash:
        request.externalReference === undefined
          ? null
          : dependencies.hashReference(tenantId, request.externalReference),
      sealedRequest: sealRequest(dataKey, kept),
      sealedReport: body?.sealed.sealedReport ?? null,
      sealedProvenance: body?.sealed.sealedProvenance ?? null,
      wrapped,
      firstSendId: null,
    },
  ]);
  const challengeId = decision.kind === 'challenge' ? decision.challengeId : undefined;
  if (challengeId !== undefined) {
    const challenge = { tenantId, creditReportId, id: challengeId };
    await insertChallenges(tx, [{ ...challenge, isTest: true, dueInMs: CHALLENGE_MS }]);
  }
  const outcome = outcomeOf(decision);
  if (outcome) await updateTestOutcome(tx, { tenantId, creditReportId }, outcome);
  const wallet = await settle(tx, { tenantId, creditReportId, challengeId }, decision, kept);
  const reference: GenerateReference = {
    wallet,
    data: dataOf(creditReportId, decision),
    ...(body && { reportOf: creditReportId }),
  };
  if (body) await noteCompleted(tx, { tenantId, creditReportId }, caller.id, { cost: wallet.cost, ...body.digests });
  const result =
    decision.kind === 'complete' && body
      ? { reportText: body.reportText, bureauResults: decision.bureauResults }
      : undefined;
  return { kind: 'answered', subjectId: creditReportId, reference, result };
}

/** The refusal that the request asked for, at its place in the order of checks: after the key, before anything is stored. */
async function findRefusal(
  tx: Tx,
  tenantId: string,
  { testOptions, bureaus, mobileNumber }: GenerateRequest,
): Promise<ServiceError | undefined> {
  const outcome = testOptions?.outcome;
  if (outcome !== 'insufficient-funds' && outcome !== 'insufficient-credits') return undefined;
  const messages = mobileNumber === undefined ? 0 : 1;
  return refuseForFunds(tx, tenantId, outcome, { isReport: true, bureaus: bureaus.length, messages });
}

/** As in live mode, only the first answer and a read name the country of a number. */
function nameCountry(answer: Rendered<GenerateData>, { testOptions, mobileNumber }: GenerateRequest) {
  if (answer.isReplay || testOptions?.reason !== 'country-not-allowed' || mobileNumber === undefined) return answer;
  const told = { failure: 'not-deliverable', because: 'country-not-allowed' } as const;
  const { creditReportId } = answer.data;
  return { ...answer, data: dataOf(creditReportId, { kind: 'failed', ...told }, mobileCountry(mobileNumber)) };
}

/** What the request asked to happen to its new report, once that is committed. */
async function endAsAsked({ purge }: ReportDependencies, { caller, kept }: GenerateOrder, creditReportId: string) {
  const outcome = kept.testOptions?.outcome;
  if (outcome === 'service-unavailable-with-report') throw answerTooLate(creditReportId);
  if (outcome === 'credit-report-purged') await purge({ tenantId: caller.tenantId, creditReportId });
}

export async function generateInSandbox(
  dependencies: ReportDependencies,
  order: GenerateOrder,
): Promise<Rendered<GenerateData>> {
  const { caller, kept, idempotency } = order;
  const { tenantId } = caller;
  await dependencies.delay(tenantId, kept.testOptions?.delayMs ?? 0);
  const error = findErrorBefore(kept.testOptions?.outcome);
  if (error) throw error;
  const answer = await dependencies.database.forTenants([tenantId], async (tx) => {
    const keyed = keyedRequest(caller, idempotency);
    const once = await answerOnce(tx, dependencies.hashIdempotency, keyed, async () => {
      const refusal = await findRefusal(tx, tenantId, kept);
      if (refusal) return { kind: 'refused', refusal } as const;
      return insertTestReport(tx, dependencies, order);
    });
    return orThrow(await render<GenerateData>(tx, dependencies.vault, tenantId, once));
  });
  if (!answer.isReplay) await endAsAsked(dependencies, order, answer.data.creditReportId);
  return nameCountry(answer, kept) as Rendered<GenerateData>;
}
