// Reads a report again. It costs nothing, asks nobody and changes nothing but the audit log (docs/decisions/0043, 0057,
// 0135). Only this operation and the two that made the report ever open its body.
import type { CreditReportData } from '@trefoil/contract';
import { appendAudit } from '../audit/append-audit.ts';
import type { Caller } from '../http/authenticate.ts';
import type { Answer } from '../http/envelope.ts';
import type { Database } from '../lib/database.ts';
import { ServiceError, unreachable } from '../lib/errors.ts';
import { isUuid } from '../lib/ids.ts';
import type { Tx } from '../lib/sql.ts';
import type { Vault } from '../lib/vault.ts';
import { openReport, type WithoutReport } from './answer.ts';
import { findReadableReport, type ReadableReport } from './reading-store.ts';
import { failureMessage } from './rules/failure-message.ts';
import { hasExpired, shownStatus } from './rules/shown-status.ts';

export type ReadDependencies = { readonly database: Database; readonly vault: Vault };

/** A request that works on a report ends within its budgets (docs/decisions/0045); looking every few seconds will do. */
const RETRY_AFTER_SECONDS = 3;

type Shown = Answer<WithoutReport<CreditReportData>>;
type Reader = Pick<Caller, 'id' | 'tenantId' | 'role' | 'isTestOnly'>;

/** Finance sees that there is a report and what became of it, and nothing about the consumer (docs/decisions/0027). */
const mayOpen = ({ role }: Reader) => role !== 'finance';

async function show(tx: Tx, vault: Vault, caller: Reader, report: ReadableReport): Promise<Shown> {
  const { id: creditReportId, status, sinceLastSendUs, bureauResults } = report;
  const facts = { test: report.isTest, createdAt: report.createdAt.toISOString() };
  const shown = shownStatus(status, sinceLastSendUs);
  switch (shown) {
    case 'in-progress':
      throw new ServiceError('request-in-progress', 'A request still works on this report. Read it again shortly.', {
        retryAfterSeconds: RETRY_AFTER_SECONDS,
      });
    case 'complete': {
      if (!mayOpen(caller)) return { data: { status: shown, creditReportId, ...facts } };
      const reportText = await openReport(tx, vault, caller.tenantId, creditReportId);
      return { data: { status: shown, creditReportId, ...(bureauResults && { bureauResults }), ...facts }, reportText };
    }
    case 'authentication-required': {
      if (report.challengeId === null) throw new Error('a challenged report has no challenge');
      const challenge = { challengeId: report.challengeId };
      return { data: { status: shown, challengeType: 'otp', creditReportId, challenge, ...facts } };
    }
    case 'blocked':
      return { data: { status: shown, creditReportId, ...facts } };
    case 'failed': {
      // A test report can fail in one way only, and needs no word for it.
      const failure = hasExpired(status, sinceLastSendUs) ? 'expired' : (report.failure ?? 'attempts-used');
      return { data: { status: shown, creditReportId, errorMessage: failureMessage(failure), ...facts } };
    }
    default:
      return unreachable(shown);
  }
}

export async function readReport(
  { database, vault }: ReadDependencies,
  caller: Reader,
  creditReportId: string,
): Promise<Shown> {
  const { tenantId, id: actor, isTestOnly } = caller;
  return database.forTenants([tenantId], async (tx) => {
    const report = isUuid(creditReportId) ? await findReadableReport(tx, tenantId, creditReportId) : undefined;
    // For a credential of test mode live reports are not there.
    if (!report || (isTestOnly && !report.isTest)) throw new ServiceError('credit-report-not-found');
    if (report.isPurged) throw new ServiceError('credit-report-purged');
    const shown = await show(tx, vault, caller, report);
    const details = { status: shown.data.status, withBody: shown.reportText !== undefined };
    await appendAudit(tx, [{ tenantId, actor, action: 'report.read', subjectId: creditReportId, details }]);
    return shown;
  });
}
