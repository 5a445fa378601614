// Writes the text of a report from the bureaus' files, and what is kept beside it.
import { buildProvenance } from '../../merge/build-provenance.ts';
import type { LenderRegistry } from '../../merge/matching/lender-registry.ts';
import { mergeReport } from '../../merge/merge-report.ts';
import { type KeptReport, keepReport } from '../provenance/keep-report.ts';
import type { MergeOrder } from './fetch-report.ts';

export function writeReport({ request, files, replies, salts }: MergeOrder, registry: LenderRegistry): KeptReport {
  const { report, merged } = mergeReport(request, files, registry);
  const provenance = buildProvenance(merged, { request, replies, salt: salts.provenance });
  return keepReport(JSON.stringify(report), provenance, salts.report);
}
