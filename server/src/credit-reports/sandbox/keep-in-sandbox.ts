// What test mode keeps of a complete report: the same columns and the same audit row as live mode, so that a document and
// its evidence work alike.
import { type AuditEntry, appendAudit } from '../../audit/append-audit.ts';
import type { DataKey } from '../../lib/crypto/vault.ts';
import type { Tx } from '../../lib/postgres/sql.ts';
import type { SearchedWith } from '../../merge/provenance.ts';
import { type KeptReport, keepReport } from '../provenance/keep-report.ts';
import { type FileDigests, newSalts } from '../provenance/report-files.ts';
import { type SealedBody, sealKept } from '../seal-report.ts';
import type { ReportKey } from '../store.ts';
import { synthesiseProvenance } from './rules/synthetic-provenance.ts';
import type { SandboxReport } from './sandbox.ts';

export type KeptInSandbox = Pick<KeptReport, 'reportText' | 'digests'> & { readonly sealed: SealedBody };

export function keepInSandbox(
  dataKey: DataKey,
  request: SearchedWith,
  { report, bureauResults }: Extract<SandboxReport, { kind: 'complete' }>,
): KeptInSandbox {
  const salts = newSalts();
  const answeredAt = new Date().toISOString();
  const provenance = synthesiseProvenance(report, bureauResults, { request, salt: salts.provenance, answeredAt });
  const kept = keepReport(JSON.stringify(report), provenance, salts.report);
  return { reportText: kept.reportText, digests: kept.digests, sealed: sealKept(dataKey, kept) };
}

/** Locks the head of the tenant's chain: call it after everything else that locks. */
export function noteCompleted(
  tx: Tx,
  { tenantId, creditReportId }: ReportKey,
  actor: string,
  { cost, ...digests }: FileDigests & { readonly cost: number },
): Promise<void> {
  const details: AuditEntry['details'] = { cost, test: true, ...digests };
  return appendAudit(tx, [{ tenantId, actor, action: 'report.completed', subjectId: creditReportId, details }]);
}
