// Finds a report and its challenge and holds them for the rest of the transaction. Unknown, malformed and other
// tenants' ids are refused alike (docs/decisions/0007).
import assert from 'node:assert/strict';
import { ServiceError, unreachable } from '../lib/errors.ts';
import { isUuid } from '../lib/ids.ts';
import type { Tx } from '../lib/sql.ts';
import type { Challenge } from './rules/challenge.ts';
import { findChallenge, lockReport, type ReportStatus } from './store.ts';

export type OpenedChallenge = {
  readonly key: { readonly tenantId: string; readonly creditReportId: string; readonly challengeId: string };
  readonly challenge: Challenge;
};

function challengeStatus(status: ReportStatus): Challenge['status'] {
  switch (status) {
    case 'challenged':
    // An expired challenge is an open one whose time is over; the rule sees that from the time.
    case 'expired':
      return 'open';
    case 'complete':
      return 'complete';
    case 'failed':
      return 'failed';
    case 'pending':
    case 'fetching':
    case 'blocked':
      throw new Error(`a report in state ${status} has a challenge to answer`);
    default:
      return unreachable(status);
  }
}

export async function lockChallenge(
  tx: Tx,
  tenantId: string,
  creditReportId: string,
  challengeId: string,
): Promise<OpenedChallenge> {
  const report = isUuid(creditReportId) ? await lockReport(tx, tenantId, creditReportId) : undefined;
  if (!report) throw new ServiceError('credit-report-not-found');
  const row = isUuid(challengeId) ? await findChallenge(tx, tenantId, creditReportId, challengeId) : undefined;
  if (!row) throw new ServiceError('challenge-not-found');
  // The test code must never meet a live challenge.
  assert(report.isTest, 'a live challenge exists before live mode');
  return {
    key: { tenantId, creditReportId, challengeId },
    challenge: { ...row, status: challengeStatus(report.status) },
  };
}
