// Reads a report again. It costs nothing, asks nobody and changes nothing (docs/decisions/0043, 0057). Only this
// operation and the two that made the report ever open its body.
import type { CreditReportData } from '@trefoil/contract';
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

async function show(tx: Tx, vault: Vault, tenantId: string, report: ReadableReport): Promise<Shown> {
  const { id: creditReportId, status, sinceLastSendUs, bureauResults } = report;
  const facts = { test: report.isTest, createdAt: report.createdAt.toISOString() };
  const shown = shownStatus(status, sinceLastSendUs);
  switch (shown) {
    case 'in-progress':
      throw new ServiceError('request-in-progress', 'A request still works on this report. Read it again shortly.', {
        retryAfterSeconds: RETRY_AFTER_SECONDS,
      });
    case 'complete': {
      const reportText = await openReport(tx, vault, tenantId, creditReportId);
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
  tenantId: string,
  creditReportId: string,
): Promise<Shown> {
  return database.forTenants([tenantId], async (tx) => {
    const report = isUuid(creditReportId) ? await findReadableReport(tx, tenantId, creditReportId) : undefined;
    if (!report) throw new ServiceError('credit-report-not-found');
    if (report.isPurged) throw new ServiceError('credit-report-purged');
    return show(tx, vault, tenantId, report);
  });
}
