// Asks the bureaus and makes one report of their files. Never rejects: no answer at all is an outcome.
import type { Bureau, BureauResult, GenerateRequest } from '@trefoil/contract';
import type { AskBureaus, BureauAnswer } from '../../bureaus/ask-bureaus.ts';
import type { SourcedFile } from '../../bureaus/port.ts';
import type { DataKey } from '../../lib/crypto/vault.ts';
import type { Failpoint } from '../../lib/failpoints.ts';
import type { Release } from '../../lib/limits/places.ts';
import { timeOutside } from '../../lib/request-scope.ts';
import { inShortSpan, inSpan } from '../../lib/traces/span.ts';
import type { ReportRequest } from '../../merge/merge-report.ts';
import type { ProvenanceReply } from '../../merge/provenance.ts';
import type { FailpointName } from '../failpoints.ts';
import type { KeptReport } from '../provenance/keep-report.ts';
import { newSalts, type Salts } from '../provenance/report-files.ts';
import { type OpenedReport, sealKept } from '../seal-report.ts';
import type { Outcome } from './settle-reports.ts';

export type FetchedReport =
  | ({ readonly kind: 'answered' } & OpenedReport & KeptReport)
  | { readonly kind: 'unanswered'; readonly bureauResults: readonly BureauResult[] };

/**
 * The enquiry id is the report's id, so that an accidental second enquiry can be recognised. `onEnd` is called for each
 * bureau when its call ends, whatever the outcome.
 */
export type FetchReport = (
  creditReportId: string,
  request: GenerateRequest,
  onEnd?: (bureau: Bureau) => void,
) => Promise<FetchedReport>;

export type MergeOrder = {
  readonly request: ReportRequest;
  readonly files: readonly SourcedFile[];
  readonly replies: readonly ProvenanceReply[];
  readonly salts: Salts;
};
export type MergeFiles = (order: MergeOrder) => Promise<KeptReport>;

function toReply({ bureau, outcome }: BureauAnswer): ProvenanceReply {
  if (outcome.kind === 'unavailable') {
    return { bureau, outcome: outcome.kind, accounts: null, answeredAt: null, replySha256: null };
  }
  const { kind, answeredAt, replySha256 } = outcome;
  const accounts = outcome.kind === 'ok' ? outcome.file.accounts.length : null;
  return { bureau, outcome: kind, accounts, answeredAt, replySha256 };
}

export function createFetchReport(ask: AskBureaus, merge: MergeFiles): FetchReport {
  return async (creditReportId, request, onEnd) => {
    const answers = await timeOutside(ask({ enquiryId: creditReportId, consumer: request }, request.bureaus, onEnd));
    const bureauResults = answers.map(({ bureau, outcome }) => ({ bureau, outcome: outcome.kind }));
    if (bureauResults.every(({ outcome }) => outcome === 'unavailable')) return { kind: 'unanswered', bureauResults };
    const files = answers.flatMap(({ bureau, outcome }) =>
      outcome.kind === 'ok' ? [{ bureau, file: outcome.file }] : [],
    );
    const kept = await inSpan('merge', {}, () =>
      merge({ request, files, replies: answers.map(toReply), salts: newSalts() }),
    );
    return { kind: 'answered', ...kept, bureauResults };
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
  const { bureauResults } = fetched;
  if (fetched.kind === 'unanswered') {
    return { outcome: { kind: 'failed', failure: 'no-bureau-answered', bureauResults } };
  }
  const { reportText, digests } = fetched;
  const sealed = inShortSpan('seal', () => sealKept(dataKey, fetched));
  return { outcome: { kind: 'complete', ...sealed, digests, bureauResults }, opened: { reportText, bureauResults } };
}
