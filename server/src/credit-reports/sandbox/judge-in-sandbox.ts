// A code for a test challenge. A right code creates the report, or fails it, in the same transaction.
import { appendEvents } from '../../events/append-events.ts';
import type { Caller } from '../../http/authenticate.ts';
import type { Tx } from '../../lib/postgres/sql.ts';
import { readBalance } from '../../wallet/read-balance.ts';
import { readTestBalance } from '../../wallet/test-mode/read-test-wallet.ts';
import { applyVerdict, type JudgedCode, type VerdictSteps } from '../challenge/apply-verdict.ts';
import type { OpenedChallenge } from '../challenge/lock-challenge.ts';
import type { ReportDependencies } from '../dependencies.ts';
import { submitCode } from '../rules/challenge.ts';
import { openRequest } from '../seal-report.ts';
import { updateChallengeCompleted, updateReport } from '../store.ts';
import {
  chargeProved,
  findTestCharge,
  openTestMoney,
  refundAll,
  refundReports,
  refundUnanswered,
  type TestCharge,
} from './charge-in-sandbox.ts';
import { endExpired } from './expire-in-sandbox.ts';
import { keepInSandbox, noteCompleted } from './keep-in-sandbox.ts';
import { isTestCode, reportFromSandbox, type SandboxReport } from './sandbox.ts';
import { updateTestOutcome } from './sandbox-store.ts';
import { endEvents, moneyEvent, provedEvents, reportEvent, verifiedEvent } from './test-events.ts';

const FAILED = { status: 'failed', sealedReport: null, sealedProvenance: null } as const;

/** The right code proves that its message has arrived, and bureaus that did not answer are refunded. Writes all events of the code. */
async function settleCode(
  tx: Tx,
  { key, challenge }: OpenedChallenge,
  made: SandboxReport,
  { charge, mobileNumber }: { readonly charge: TestCharge | undefined; readonly mobileNumber: string | undefined },
): Promise<void> {
  const type = made.kind === 'failed' ? 'report.failed' : 'report.completed';
  const report = { tenantId: key.tenantId, creditReportId: key.creditReportId };
  if (!charge) return appendEvents(tx, [verifiedEvent(key), reportEvent(report, type)]);
  const money = await openTestMoney(tx, key);
  const message =
    mobileNumber === undefined ? undefined : await chargeProved(tx, money, { ...key, number: challenge.smsSentCount });
  const refunded =
    made.kind === 'failed'
      ? refundAll(money.wallet, charge)
      : refundUnanswered(money.wallet, charge, countUnanswered(made));
  await money.wallet.write();
  await appendEvents(tx, [
    ...(message ? provedEvents(key, message) : []),
    verifiedEvent(key),
    reportEvent(report, type, charge.credits - (refunded ?? 0)),
    ...(refunded === undefined ? [] : [moneyEvent(report, 'wallet.refunded', refunded)]),
  ]);
}

const countUnanswered = ({ bureauResults }: Extract<SandboxReport, { kind: 'complete' }>) =>
  bureauResults.filter(({ outcome }) => outcome === 'unavailable').length;

/** A right code in test mode: creates the report now, from the request that was sealed when the challenge began. */
async function completeInSandbox(
  tx: Tx,
  opened: OpenedChallenge,
  { dataKey, request }: Awaited<ReturnType<typeof openRequest>>,
  { actor, charge }: { readonly actor: string; readonly charge: TestCharge | undefined },
): ReturnType<VerdictSteps['complete']> {
  const { key } = opened;
  const { tenantId, creditReportId } = key;
  const made = reportFromSandbox(request);
  const paid = { charge, mobileNumber: request.mobileNumber };
  if (made.kind === 'failed') {
    const { failure } = made;
    await updateReport(tx, tenantId, creditReportId, FAILED);
    await updateTestOutcome(tx, key, { failure, because: null, bureauResults: null });
    await settleCode(tx, opened, made, paid);
    return { failure };
  }
  const { reportText, sealed, digests } = keepInSandbox(dataKey, request, made);
  await updateReport(tx, tenantId, creditReportId, { status: 'complete', ...sealed });
  const { storedResults: bureauResults } = made;
  if (bureauResults) await updateTestOutcome(tx, key, { failure: null, because: null, bureauResults });
  await updateChallengeCompleted(tx, key);
  await settleCode(tx, opened, made, paid);
  await noteCompleted(tx, key, actor, { cost: 0, ...digests });
  return { reportText, bureauResults: made.bureauResults };
}

/** The last wrong code. */
async function failInSandbox(tx: Tx, { key }: OpenedChallenge, isCharged: boolean): Promise<undefined> {
  const { tenantId, creditReportId } = key;
  await updateReport(tx, tenantId, creditReportId, FAILED);
  const refunded = isCharged ? (await refundReports(tx, tenantId, [key])).get(creditReportId) : undefined;
  await appendEvents(tx, endEvents({ tenantId, creditReportId }, 'report.failed', refunded));
}

export async function judgeInSandbox(
  tx: Tx,
  dependencies: ReportDependencies,
  { opened, code, caller }: { readonly opened: OpenedChallenge; readonly code: string; readonly caller: Caller },
): Promise<JudgedCode> {
  const { tenantId, creditReportId } = opened.key;
  const report = { tenantId, creditReportId };
  // First, as in live mode: an erased report examines no code.
  const kept = await openRequest(tx, dependencies.vault, tenantId, creditReportId);
  const charge = kept.request.testOptions?.charges ? await findTestCharge(tx, opened.key) : undefined;
  const verdict = submitCode(opened.challenge, isTestCode(code));
  const result = await applyVerdict(tx, dependencies, opened, verdict, {
    money: charge ? 'refunded' : 'test',
    readBalance: () => (charge ? readTestBalance(tx, tenantId) : readBalance(tx, tenantId)),
    complete: () => completeInSandbox(tx, opened, kept, { actor: caller.id, charge }),
    fail: () => failInSandbox(tx, opened, charge !== undefined),
    // As in live mode the refund is there with the answer. What was not charged is ended by a job: its age shows that it has expired.
    expire: async () => {
      if (charge && opened.report.status === 'challenged') await endExpired(tx, tenantId, [report]);
    },
  });
  return { verdict: verdict.kind, result, ending: undefined };
}
