// Reads a report again. It costs nothing, asks no provider and changes only the audit log
// (docs/decisions/0043-what-reading-shows.md, 0057-retrieval.md, 0135-audit-log.md). Only this operation,
// the one for documents and evidence (read-completed.ts) and the two that create reports ever open a report's body.
import type { ChallengeSend } from '@trefoil/contract';
import type { Caller } from '../../http/authenticate.ts';
import type { Vault } from '../../lib/crypto/vault.ts';
import { ServiceError, unreachable } from '../../lib/errors.ts';
import { isUuid } from '../../lib/ids.ts';
import type { Database } from '../../lib/postgres/database.ts';
import type { Tx } from '../../lib/postgres/sql.ts';
import { mobileCountry } from '../../lib/values/phone.ts';
import { listTestCosts } from '../../wallet/test-mode/read-test-wallet.ts';
import { reportData, type ShownReport } from '../answer.ts';
import type { ReportQueue } from '../dependencies.ts';
import type { Money } from '../rules/failure-message.ts';
import { failureOf } from '../rules/failure-reason.ts';
import { mayOpen } from '../rules/reader.ts';
import { shownStatus } from '../rules/shown-status.ts';
import { testSend } from '../sandbox/rules/test-message.ts';
import { openReport, openRequest } from '../seal-report.ts';
import type { OpenReferences } from './read-references.ts';
import {
  findReadableReport,
  listReadableSends,
  listReportCosts,
  type ReadableReport,
  type ReadableSend,
  type ReportCost,
} from './reading-store.ts';

export type ReadDependencies = {
  readonly database: Database;
  readonly vault: Vault;
  readonly queue: Pick<ReportQueue, 'note'>;
};

/**
 * A request that works on a report ends within its budgets (docs/decisions/0045-budgets-and-lease.md): polling every few
 * seconds will do.
 */
const RETRY_AFTER_SECONDS = 3;

export type Reader = Pick<Caller, 'id' | 'tenantId' | 'role' | 'isTestOnly'>;

const toSend = ({ state, sentAt, settledAt }: ReadableSend): ChallengeSend => ({
  state,
  sentAt: sentAt.toISOString(),
  settledAt: settledAt?.toISOString() ?? null,
});

/** In test mode nothing is sent: the request itself says what the carrier would report. */
async function listSends(tx: Tx, vault: Vault, tenantId: string, report: ReadableReport, challengeId: string) {
  const { id, isTest, createdAt, resentAt } = report;
  if (!isTest) return (await listReadableSends(tx, tenantId, id, challengeId)).map(toSend);
  const { request } = await openRequest(tx, vault, tenantId, id);
  return [createdAt, ...(resentAt ?? [])].map((at) => testSend(at, request.testOptions?.receipt));
}

/** A live challenge has been charged; a test report only if it asked for it. */
function moneyOf({ isTest, challengeId }: ReadableReport, wasCharged: boolean): Money {
  if (challengeId === null) return 'not-charged';
  return isTest && !wasCharged ? 'test' : 'refunded';
}

async function countryOf(tx: Tx, vault: Vault, { tenantId }: Reader, { id }: ReadableReport) {
  const { request } = await openRequest(tx, vault, tenantId, id);
  return request.mobileNumber === undefined ? undefined : mobileCountry(request.mobileNumber);
}

export const inProgress = () =>
  new ServiceError('request-in-progress', 'Another request is still working on this report. Read it again shortly.', {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });

/** Throws when there is none for this reader, or no more. */
export async function getReadableReport(
  tx: Tx,
  { tenantId, isTestOnly }: Reader,
  creditReportId: string,
): Promise<ReadableReport> {
  const report = isUuid(creditReportId) ? await findReadableReport(tx, tenantId, creditReportId) : undefined;
  // A test-mode credential cannot see live reports.
  if (!report || (isTestOnly && !report.isTest)) throw new ServiceError('credit-report-not-found');
  if (report.isPurged) throw new ServiceError('credit-report-purged');
  return report;
}

async function show(
  tx: Tx,
  vault: Vault,
  caller: Reader,
  { report, cost }: { readonly report: ReadableReport; readonly cost: ReportCost | undefined },
): Promise<ShownReport> {
  const { tenantId } = caller;
  const shown = shownStatus(report);
  switch (shown) {
    case 'in-progress':
      throw inProgress();
    case 'complete':
      return { kind: shown, opened: mayOpen(caller) ? await openReport(tx, vault, tenantId, report.id) : undefined };
    case 'authentication-required': {
      const { challengeId } = report;
      if (challengeId === null) throw new Error('a challenged report has no challenge');
      return { kind: 'challenge', challengeId, sends: await listSends(tx, vault, tenantId, report, challengeId) };
    }
    case 'blocked':
      return { kind: shown };
    case 'failed': {
      const failure = failureOf(report);
      const { because } = report;
      const country =
        because === 'country-not-allowed' && mayOpen(caller) ? await countryOf(tx, vault, caller, report) : undefined;
      return { kind: shown, failure, because, country, money: moneyOf(report, cost !== undefined) };
    }
    default:
      return unreachable(shown);
  }
}

export async function readReport(
  { database, vault, queue, openReferences }: ReadDependencies & { readonly openReferences: OpenReferences },
  caller: Reader,
  creditReportId: string,
): Promise<ReturnType<typeof reportData>> {
  const { tenantId, id: actor } = caller;
  const { report, shown, cost } = await database.forTenants([tenantId], async (tx) => {
    const report = await getReadableReport(tx, caller, creditReportId);
    const listCosts = report.isTest ? listTestCosts : listReportCosts;
    const [cost] = await listCosts(tx, tenantId, [report.id]);
    return { report, cost, shown: await show(tx, vault, caller, { report, cost }) };
  });
  const references =
    report.hasReference && mayOpen(caller) ? await openReferences(tenantId, [creditReportId]) : undefined;
  const answer = reportData(creditReportId, shown, {
    test: report.isTest,
    createdAt: report.createdAt.toISOString(),
    externalReference: references?.get(creditReportId) ?? null,
    costCredits: cost?.costCredits ?? 0,
    source: report.source,
  });
  // The audit row is committed before anything is shown. It shares a transaction with other readers' rows: alone, each
  // would lock the head of the tenant's chain, which its reports need as well.
  const details = { status: answer.data.status, withBody: answer.reportText !== undefined };
  await queue.note({ tenantId, actor, action: 'report.read', subjectId: creditReportId, details });
  return answer;
}
