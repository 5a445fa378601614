// Writes the text of a report from the bureaus' files.

import type { LenderRegistry } from '../../merge/matching/lender-registry.ts';
import { mergeReport } from '../../merge/merge-report.ts';
import type { MergeOrder } from './fetch-report.ts';

export function writeReport({ request, files }: MergeOrder, registry: LenderRegistry): string {
  return JSON.stringify(mergeReport(request, files, registry).report);
}
