// A merged report with the reasons behind each of its records, for people who check a match. Never for consumers: a
// near miss is a guess, not a fact.
import type { CreditReport } from '@trefoil/contract';
import type { SourcedFile } from '../bureaus/port.ts';
import type { LenderRegistry } from './matching/lender-registry.ts';
import { explain, type PairScore } from './matching/match-accounts.ts';
import { weightOf } from './matching/match-score.ts';
import { mergeReport, type ReportRequest } from './merge-report.ts';

export type { Lender, LenderRegistry } from './matching/lender-registry.ts';

/** Two rows and the findings about them, in hundredths of a bit: above zero means one agreement. */
export type ExplainedPair = {
  readonly rows: readonly [string, string];
  readonly total: number;
  readonly findings: readonly { readonly field: string; readonly finding: string; readonly weight: number }[];
};

export type ExplainedRecord = {
  readonly lender: string | null;
  readonly startDate: string | null;
  readonly rows: readonly string[];
  readonly why: readonly ExplainedPair[];
  readonly whyNot: readonly ExplainedPair[];
};

function explainPair(pair: PairScore): ExplainedPair {
  const name = ({ bureau, account }: PairScore['a']) => `${bureau} ${account.ref}`;
  return {
    rows: [name(pair.a), name(pair.b)],
    total: pair.total,
    findings: explain(pair)
      .map((finding) => ({ ...finding, weight: weightOf(finding, pair.a, pair.b) }))
      .filter(({ weight }) => weight !== 0)
      .map(({ field, finding, weight }) => ({ field, finding, weight })),
  };
}

export function explainReport(
  request: ReportRequest,
  files: readonly SourcedFile[],
  registry: LenderRegistry,
): { report: CreditReport; records: ExplainedRecord[] } {
  const { report, merged } = mergeReport(request, files, registry);
  const records = merged.map(({ record, members, match }) => ({
    lender: record.companyName,
    startDate: record.startDate,
    rows: members.map(({ bureau, ref }) => `${bureau} ${ref}`),
    why: match.scores().map(explainPair),
    whyNot: match.nearMisses().map(explainPair),
  }));
  return { report, records };
}
