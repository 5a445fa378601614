// Seals and opens a report's three encrypted columns: the request as stored, the report as written, and what each bureau
// said about it.
import type { BureauResult, GenerateRequest } from '@trefoil/contract';
import type { DataKey, Vault } from '../lib/crypto/vault.ts';
import { ServiceError } from '../lib/errors.ts';
import type { Tx } from '../lib/postgres/sql.ts';
import type { KeptReport } from './provenance/keep-report.ts';
import { type KeptProvenance, unpackProvenance } from './provenance/pack-provenance.ts';
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

/** The columns that a complete report has. */
export type SealedBody = { readonly sealedReport: Buffer; readonly sealedProvenance: Buffer };

export function sealKept(dataKey: DataKey, { reportText, packedProvenance }: KeptReport): SealedBody {
  return {
    sealedReport: dataKey.seal('report', reportText),
    sealedProvenance: dataKey.seal('provenance', packedProvenance),
  };
}

export function sealRequest(dataKey: DataKey, request: GenerateRequest): Buffer {
  return dataKey.seal('request', JSON.stringify(request));
}

export async function openRequest(tx: Tx, vault: Vault, tenantId: string, creditReportId: string) {
  const { dataKey, sealedRequest } = await getSealedColumns(tx, vault, tenantId, creditReportId);
  return { dataKey, request: JSON.parse(dataKey.open('request', sealedRequest)) as GenerateRequest };
}

const requestOf = ({ dataKey, sealedRequest }: SealedColumns) =>
  JSON.parse(dataKey.open('request', sealedRequest)) as GenerateRequest;

function openColumns(columns: SealedColumns): OpenedReport {
  const { dataKey, sealedReport, bureauResults, isTest } = columns;
  if (!sealedReport) throw new Error('a complete report has no body');
  const reportText = dataKey.open('report', sealedReport);
  if (bureauResults) return { reportText, bureauResults };
  // Never assumed for a live report: "traced" would be a claim about the person.
  if (!isTest) throw new Error('a complete live report has no bureau results');
  return { reportText, bureauResults: resultsInTestMode(requestOf(columns).bureaus) };
}

export async function openReport(
  tx: Tx,
  vault: Vault,
  tenantId: string,
  creditReportId: string,
): Promise<OpenedReport> {
  return openColumns(await getSealedColumns(tx, vault, tenantId, creditReportId));
}

export type OpenedWhole = OpenedReport & {
  readonly isTest: boolean;
  readonly request: GenerateRequest;
  readonly kept: KeptProvenance | null;
};

/** The report with its request and its provenance; the latter is null where none was stored. */
export async function openWhole(
  tx: Tx,
  vault: Vault,
  tenantId: string,
  { creditReportId, sealedProvenance }: { readonly creditReportId: string; readonly sealedProvenance: Buffer | null },
): Promise<OpenedWhole> {
  const columns = await getSealedColumns(tx, vault, tenantId, creditReportId);
  const kept = sealedProvenance && unpackProvenance(columns.dataKey.openBytes('provenance', sealedProvenance));
  return { ...openColumns(columns), isTest: columns.isTest, request: requestOf(columns), kept };
}
