// Finds a report and its challenge and holds them for the rest of the transaction. Unknown, malformed and other
// tenants' ids are refused alike (docs/decisions/0007).
import type { Caller } from '../http/authenticate.ts';
import { ServiceError, unreachable } from '../lib/errors.ts';
import { isUuid } from '../lib/ids.ts';
import type { Tx } from '../lib/sql.ts';
import type { Challenge } from './rules/challenge.ts';
import type { ReportStatus } from './rules/report-status.ts';
import { findChallenge, type LockedReport, lockReport } from './store.ts';

export type OpenedChallenge = {
  readonly key: { readonly tenantId: string; readonly creditReportId: string; readonly challengeId: string };
  readonly challenge: Challenge;
  /** The test code must never meet a live challenge, nor a live code a test one. */
  readonly isTest: boolean;
  readonly report: LockedReport;
  readonly completingSendId: string | null;
};

function challengeStatus(status: ReportStatus): Challenge['status'] {
  switch (status) {
    case 'challenged':
    // An expired challenge is an open one whose time is over.
    case 'expired':
      return 'open';
    case 'complete':
      return 'complete';
    case 'failed':
      return 'failed';
    case 'fetching':
      return 'fetching';
    case 'pending':
    case 'blocked':
      throw new Error(`a report in state ${status} has a challenge to answer`);
    default:
      return unreachable(status);
  }
}

export async function lockChallenge(
  tx: Tx,
  { tenantId, isTestOnly }: Pick<Caller, 'tenantId' | 'isTestOnly'>,
  creditReportId: string,
  challengeId: string,
): Promise<OpenedChallenge> {
  const report = isUuid(creditReportId) ? await lockReport(tx, tenantId, creditReportId) : undefined;
  // For a credential of test mode live reports are not there.
  if (!report || (isTestOnly && !report.isTest)) throw new ServiceError('credit-report-not-found');
  const row = isUuid(challengeId) ? await findChallenge(tx, tenantId, creditReportId, challengeId) : undefined;
  if (!row) throw new ServiceError('challenge-not-found');
  return {
    key: { tenantId, creditReportId, challengeId },
    challenge: {
      ...row,
      status: challengeStatus(report.status),
      // Once expired it stays so: it is refunded, and no reading of the clock may open it again.
      ...(report.status === 'expired' && { sinceLastSendUs: Number.POSITIVE_INFINITY }),
    },
    isTest: report.isTest,
    report,
    completingSendId: row.completingSendId,
  };
}
