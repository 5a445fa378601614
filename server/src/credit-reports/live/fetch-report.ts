// Asks the bureaus and makes one report of their files. Never rejects: no answer at all is an outcome.
import type { Bureau, GenerateRequest } from '@trefoil/contract';
import type { AskBureaus } from '../../bureaus/ask-bureaus.ts';
import type { SourcedFile } from '../../bureaus/port.ts';
import type { DataKey } from '../../lib/crypto/vault.ts';
import type { Failpoint } from '../../lib/failpoints.ts';
import type { Release } from '../../lib/limits/places.ts';
import type { ReportRequest } from '../../merge/merge-report.ts';
import type { FailpointName } from '../failpoints.ts';
import type { OpenedReport } from '../seal-report.ts';
import type { Outcome } from './settle-reports.ts';

export type FetchedReport = ({ readonly kind: 'answered' } & OpenedReport) | { readonly kind: 'unanswered' };

/**
 * The enquiry id is the report's id, so that an accidental second enquiry can be recognised. `onEnd` is called for each
 * bureau when its call ends, whatever the outcome.
 */
export type FetchReport = (
  creditReportId: string,
  request: GenerateRequest,
  onEnd?: (bureau: Bureau) => void,
) => Promise<FetchedReport>;

export type MergeOrder = { readonly request: ReportRequest; readonly files: readonly SourcedFile[] };
export type MergeFiles = (order: MergeOrder) => Promise<string>;

export function createFetchReport(ask: AskBureaus, merge: MergeFiles): FetchReport {
  return async (creditReportId, request, onEnd) => {
    const answers = await ask({ enquiryId: creditReportId, consumer: request }, request.bureaus, onEnd);
    const bureauResults = answers.map(({ bureau, outcome }) => ({ bureau, outcome: outcome.kind }));
    if (bureauResults.every(({ outcome }) => outcome === 'unavailable')) return { kind: 'unanswered' };
    const files = answers.flatMap(({ bureau, outcome }) =>
      outcome.kind === 'ok' ? [{ bureau, file: outcome.file }] : [],
    );
    return { kind: 'answered', reportText: await merge({ request, files }), bureauResults };
  };
}

export type FetchOrder = {
  readonly creditReportId: string;
  readonly request: GenerateRequest;
  readonly dataKey: DataKey;
  /** Releases a bureau's place. */
  readonly release: Release;
};

/** Asks each bureau once, and seals the result. */
export async function fetchAndSeal(
  live: { readonly fetchReport: FetchReport; readonly failpoint: Failpoint<FailpointName> },
  { creditReportId, request, dataKey, release }: FetchOrder,
): Promise<{ outcome: Outcome; opened?: OpenedReport }> {
  live.failpoint('before-bureau-send');
  const asked = live.fetchReport(creditReportId, request, release);
  live.failpoint('after-bureau-send');
  const fetched = await asked;
  live.failpoint('after-bureau-reply');
  if (fetched.kind === 'unanswered') return { outcome: { kind: 'failed', failure: 'no-bureau-answered' } };
  const { reportText, bureauResults } = fetched;
  const sealedReport = dataKey.seal('report', reportText);
  return { outcome: { kind: 'complete', sealedReport, bureauResults }, opened: { reportText, bureauResults } };
}
