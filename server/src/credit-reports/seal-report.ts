// Seals and opens a report's two encrypted columns: the request as stored, and the report as written.
import type { BureauResult, CreditReport, GenerateRequest } from '@trefoil/contract';
import type { DataKey, Vault } from '../lib/crypto/vault.ts';
import { ServiceError } from '../lib/errors.ts';
import type { Tx } from '../lib/postgres/sql.ts';
import { resultsInTestMode } from './rules/coverage.ts';
import { findSealedReport } from './store.ts';

type SealedColumns = {
  readonly dataKey: DataKey;
  readonly sealedRequest: Buffer;
  readonly sealedReport: Buffer | null;
  readonly isTest: boolean;
  readonly bureauResults: readonly BureauResult[] | null;
};

async function getSealedColumns(
  tx: Tx,
  vault: Vault,
  tenantId: string,
  creditReportId: string,
): Promise<SealedColumns> {
  const sealed = await findSealedReport(tx, tenantId, creditReportId);
  if (!sealed) throw new ServiceError('credit-report-purged');
  return { ...sealed, dataKey: vault.openDataKey({ tenantId, subjectId: creditReportId }, sealed.wrapped) };
}

/** A report is written as JSON once; that text is sealed, stored and sent. It comes with the result of each bureau asked. */
export type OpenedReport = { readonly reportText: string; readonly bureauResults: readonly BureauResult[] };

export function sealReport(dataKey: DataKey, report: CreditReport): { reportText: string; sealedReport: Buffer } {
  const reportText = JSON.stringify(report);
  return { reportText, sealedReport: dataKey.seal('report', reportText) };
}

export function sealRequest(dataKey: DataKey, request: GenerateRequest): Buffer {
  return dataKey.seal('request', JSON.stringify(request));
}

export async function openRequest(tx: Tx, vault: Vault, tenantId: string, creditReportId: string) {
  const { dataKey, sealedRequest } = await getSealedColumns(tx, vault, tenantId, creditReportId);
  return { dataKey, request: JSON.parse(dataKey.open('request', sealedRequest)) as GenerateRequest };
}

export async function openReport(
  tx: Tx,
  vault: Vault,
  tenantId: string,
  creditReportId: string,
): Promise<OpenedReport> {
  const { dataKey, ...row } = await getSealedColumns(tx, vault, tenantId, creditReportId);
  if (!row.sealedReport) throw new Error('a complete report has no body');
  const reportText = dataKey.open('report', row.sealedReport);
  if (row.bureauResults) return { reportText, bureauResults: row.bureauResults };
  // Never assumed for a live report: "traced" would be a claim about the person.
  if (!row.isTest) throw new Error('a complete live report has no bureau results');
  const { bureaus } = JSON.parse(dataKey.open('request', row.sealedRequest)) as GenerateRequest;
  return { reportText, bureauResults: resultsInTestMode(bureaus) };
}
