// What a line of the statement shows, in every format: the line itself, and what its report adds to it.
import type { WalletEntry } from '@trefoil/contract';
import type { Database } from '../lib/postgres/database.ts';
import type { Tx } from '../lib/postgres/sql.ts';
import { bureauCount, type ReportFacts } from './rules/bureau-count.ts';
import { toPounds } from './rules/pounds.ts';
import type { StatementLine } from './statement-store.ts';

export type ReportFactsRow = ReportFacts & { readonly creditReportId: string };

/** For how many bureaus reports were charged; without those whose bureaus were not asked. `app.ts` passes this in too. */
export type ListReportFacts = (
  tx: Tx,
  tenantId: string,
  creditReportIds: readonly string[],
) => Promise<readonly ReportFactsRow[]>;

/** The callers' references of these reports, as far as the reader may see them; absent where there is none to show. */
export type ReadReferences = (creditReportIds: readonly string[]) => Promise<ReadonlyMap<string, string>>;

/** What a line shows of its report, besides the id. */
type OfReports = {
  readonly references: ReadonlyMap<string, string>;
  readonly facts: ReadonlyMap<string, ReportFacts>;
};

function toEntry(line: StatementLine, { references, facts }: OfReports): WalletEntry {
  const { seq, kind, amount, balanceAfter, creditReportId, reversesSeq, note, createdAt } = line;
  return {
    id: String(seq),
    kind,
    amount,
    balanceAfter,
    creditReportId,
    reversesId: reversesSeq === null ? null : String(reversesSeq),
    note,
    createdAt: createdAt.toISOString(),
    amountPounds: toPounds(amount),
    balanceAfterPounds: toPounds(balanceAfter),
    externalReference: (creditReportId !== null && references.get(creditReportId)) || null,
    bureauCount:
      line.bureauCount ?? bureauCount(kind, amount, creditReportId === null ? undefined : facts.get(creditReportId)),
  };
}

type Entries = {
  readonly database: Database;
  readonly listReportFacts: ListReportFacts;
  readonly tenantId: string;
  readonly readReferences: ReadReferences;
};

/** A report has several lines; what they show of it is read once for all of them. */
export async function toEntries(
  lines: readonly StatementLine[],
  { database, listReportFacts, tenantId, readReferences }: Entries,
): Promise<WalletEntry[]> {
  const ids = [...new Set(lines.flatMap(({ creditReportId }) => creditReportId ?? []))];
  const references = await readReferences(ids);
  const found = ids.length > 0 ? await database.forTenants([tenantId], (tx) => listReportFacts(tx, tenantId, ids)) : [];
  const facts = new Map(found.map((each) => [each.creditReportId, each]));
  return lines.map((line) => toEntry(line, { references, facts }));
}
