// Asks the bureaus and makes one report of what they sent. Never rejects: no answer at all is an outcome.
import type { BureauResult, CreditReport, GenerateRequest } from '@trefoil/contract';
import type { AskBureaus } from '../bureaus/ask-bureaus.ts';
import type { Failpoint } from '../lib/failpoints.ts';
import type { DataKey } from '../lib/vault.ts';
import { sealReport } from './answer.ts';
import type { LenderRegistry } from './rules/lender-registry.ts';
import { mergeReport } from './rules/merge-report.ts';
import type { Outcome } from './settle-reports.ts';

export type FetchedReport =
  | { readonly kind: 'answered'; readonly report: CreditReport; readonly bureauResults: readonly BureauResult[] }
  | { readonly kind: 'unanswered' };

/** The enquiry's id is the report's: whatever asks twice by mistake can be told from what asks once. */
export type FetchReport = (creditReportId: string, request: GenerateRequest) => Promise<FetchedReport>;

export function createFetchReport(ask: AskBureaus, registry: LenderRegistry): FetchReport {
  return async (creditReportId, request) => {
    const answers = await ask({ enquiryId: creditReportId, consumer: request }, request.bureaus);
    const bureauResults = answers.map(({ bureau, outcome }) => ({ bureau, outcome: outcome.kind }));
    if (bureauResults.every(({ outcome }) => outcome === 'unavailable')) return { kind: 'unanswered' };
    const files = answers.flatMap(({ bureau, outcome }) =>
      outcome.kind === 'ok' ? [{ bureau, file: outcome.file }] : [],
    );
    return { kind: 'answered', report: mergeReport(request, files, registry).report, bureauResults };
  };
}

/** Asks the bureaus, each once, and seals what came. */
export async function fetchAndSeal(
  live: { readonly fetchReport: FetchReport; readonly failpoint: Failpoint },
  creditReportId: string,
  request: GenerateRequest,
  dataKey: DataKey,
): Promise<{ outcome: Outcome; reportText?: string }> {
  live.failpoint('before-bureau-send');
  const asked = live.fetchReport(creditReportId, request);
  live.failpoint('after-bureau-send');
  const fetched = await asked;
  live.failpoint('after-bureau-reply');
  if (fetched.kind === 'unanswered') return { outcome: { kind: 'failed', failure: 'no-bureau-answered' } };
  const { report, bureauResults } = fetched;
  const { reportText, sealedReport } = sealReport(dataKey, report);
  return { outcome: { kind: 'complete', sealedReport, bureauResults }, reportText };
}
