// Finds a report and its challenge and locks them for the rest of the transaction. An unknown id, a malformed id and
// another tenant's id get the same refusal (docs/decisions/0007-foreign-ids.md).
import type { Caller } from '../../http/authenticate.ts';
import { ServiceError, unreachable } from '../../lib/errors.ts';
import { isUuid } from '../../lib/ids.ts';
import type { Tx } from '../../lib/postgres/sql.ts';
import type { Challenge } from '../rules/challenge.ts';
import { findChallenge, type LockedReport, lockReport } from '../store.ts';

export type OpenedChallenge = {
  readonly key: { readonly tenantId: string; readonly creditReportId: string; readonly challengeId: string };
  readonly challenge: Challenge;
  /** The test code must never reach a live challenge, nor a live code a test challenge. */
  readonly isTest: boolean;
  readonly report: LockedReport;
  readonly completingSendId: string | null;
};

function challengeStatus({ status, failure }: LockedReport): Challenge['status'] {
  switch (status) {
    case 'challenged':
      // Its last attempt was wrong; only the refund is missing.
      return failure === null ? 'open' : 'failed';
    // An expired challenge is an open one past its time.
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
  // A test-mode credential cannot see live reports.
  if (!report || (isTestOnly && !report.isTest)) throw new ServiceError('credit-report-not-found');
  const row = isUuid(challengeId) ? await findChallenge(tx, tenantId, creditReportId, challengeId) : undefined;
  if (!row) throw new ServiceError('challenge-not-found');
  return {
    key: { tenantId, creditReportId, challengeId },
    challenge: {
      ...row,
      status: challengeStatus(report),
      // An expired challenge stays expired: it is refunded, and no clock reading may reopen it.
      ...(report.status === 'expired' && { sinceLastSendUs: Number.POSITIVE_INFINITY }),
    },
    isTest: report.isTest,
    report,
    completingSendId: row.completingSendId,
  };
}
