// The statement: every line that moved the wallet, newest first, in pages or as one CSV file. A write-off does not
// touch the wallet and is not among them, so places in the journal can have gaps here.
import {
  ENTRY_KINDS,
  type EntryKind,
  type WalletEntriesPage,
  type WalletEntriesQuery,
  type WalletEntry,
} from '@trefoil/contract';
import { readCursor, writeCursor } from '../lib/cursor.ts';
import type { Database } from '../lib/database.ts';
import { parseInstant } from '../lib/instant.ts';
import { walkInKeyOrder } from '../lib/key-order.ts';
import type { Tx } from '../lib/sql.ts';
import { CSV_HEADER, toCsvLine } from './rules/statement-csv.ts';
import {
  findPlaceAt,
  getWallet,
  type LineFilter,
  listLines,
  listLinesOfKinds,
  listLinesOfSources,
  type StatementLine,
} from './statement-store.ts';

export type Subject = { readonly creditReportId?: string | undefined; readonly externalReference?: string | undefined };

/** The reports and messages a subject stands for. The wallet knows no reports: it is given this by `app.ts`. */
export type FindSources = (tx: Tx, tenantId: string, subject: Subject) => Promise<readonly string[]>;

export type StatementDependencies = { readonly database: Database; readonly findSources: FindSources };

const PAGE_FALLBACK = 50;
/** Places looked at for one page; when a filter finds little among them the page is short and its cursor goes on. */
const PAGE_WINDOW = 50_000;
/** A file covers this many places at most, so it has no more lines than that. */
const CSV_WINDOW = 100_000;
const CSV_PAGE = 1_000;
/**
 * Places looked at beyond the one that an instant was found at. The instants themselves decide; this only allows for
 * lines out of order where the database's clock was set back.
 */
const DISORDER_MARGIN = 10_000;
/** Posted by hand, so there are few: found by their kind in a journal of any length. */
const RARE_KINDS: readonly EntryKind[] = ['top-up', 'adjust'];
const isPlace = (text: string) => /^[1-9]\d{0,14}$/.test(text);

function toEntry(line: StatementLine): WalletEntry {
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
  };
}

/** How the lines of a query are found: its bounds, and which of the three ways into the journal is the short one. */
type Plan = {
  readonly filter: LineFilter;
  readonly sourceIds: readonly string[] | undefined;
  readonly isRare: boolean;
};

async function toPlan(
  tx: Tx,
  { findSources }: StatementDependencies,
  tenantId: string,
  query: WalletEntriesQuery,
): Promise<Plan> {
  const { creditReportId, externalReference, cursor, kind } = query;
  const from = query.from && parseInstant(query.from)?.toISOString();
  const to = query.to && parseInstant(query.to)?.toISOString();
  const afterLast = (await getWallet(tx, tenantId)).lastSeq + 1;
  const seqFrom = from ? Math.max(1, (await findPlaceAt(tx, tenantId, from)).low - DISORDER_MARGIN) : 1;
  const seqTo = to ? (await findPlaceAt(tx, tenantId, to)).high + DISORDER_MARGIN : afterLast;
  const before = cursor === undefined ? afterLast : Number(readCursor(cursor, isPlace));
  const isAboutReports = creditReportId !== undefined || externalReference !== undefined;
  return {
    filter: {
      kinds: kind === undefined ? ENTRY_KINDS : [kind],
      from: from ?? '-infinity',
      to: to ?? 'infinity',
      seqFrom,
      seqTo: Math.min(before, seqTo, afterLast),
    },
    sourceIds: isAboutReports ? await findSources(tx, tenantId, { creditReportId, externalReference }) : undefined,
    isRare: kind !== undefined && RARE_KINDS.includes(kind),
  };
}

async function find(tx: Tx, tenantId: string, plan: Plan, limit: number): Promise<StatementLine[]> {
  const { filter, sourceIds, isRare } = plan;
  if (sourceIds) return listLinesOfSources(tx, tenantId, sourceIds, filter, limit);
  if (isRare) return listLinesOfKinds(tx, tenantId, filter, limit);
  await walkInKeyOrder(tx);
  return listLines(tx, tenantId, filter, limit);
}

/** The same plan over the last `places` places only. The other two ways find all there is at once. */
function within({ filter, ...way }: Plan, places: number): Plan {
  if (way.sourceIds || way.isRare) return { filter, ...way };
  return { ...way, filter: { ...filter, seqFrom: Math.max(filter.seqFrom, filter.seqTo - places) } };
}

export async function listEntries(
  dependencies: StatementDependencies,
  tenantId: string,
  query: WalletEntriesQuery,
): Promise<WalletEntriesPage> {
  const limit = query.limit ?? PAGE_FALLBACK;
  const { plan, page, lines } = await dependencies.database.forTenants([tenantId], async (tx) => {
    const plan = await toPlan(tx, dependencies, tenantId, query);
    const page = within(plan, PAGE_WINDOW);
    return { plan, page, lines: await find(tx, tenantId, page, limit + 1) };
  });
  const items = lines.slice(0, limit).map(toEntry);
  const last = items.at(-1);
  if (lines.length > limit && last) return { items, nextCursor: writeCursor(last.id) };
  const isCut = page.filter.seqFrom > plan.filter.seqFrom;
  return { items, nextCursor: isCut ? writeCursor(String(page.filter.seqFrom)) : null };
}

/** The line that a top-up or an adjustment was posted with; undefined when it was not. */
export async function findMovement(
  tx: Tx,
  tenantId: string,
  kind: 'top-up' | 'adjust',
  sourceId: string,
): Promise<StatementLine | undefined> {
  const everything = { from: '-infinity', to: 'infinity', seqFrom: 1, seqTo: Number.MAX_SAFE_INTEGER };
  const [line] = await listLinesOfSources(tx, tenantId, [sourceId], { ...everything, kinds: [kind] }, 1);
  return line;
}

export type CsvExport = { readonly lines: AsyncGenerator<string>; readonly nextCursor: string | null };

const toCsv = (lines: readonly StatementLine[]) => lines.map((line) => toCsvLine(toEntry(line))).join('');

/** A stretch of the journal, page by page: one short transaction each, since a slow reader must not hold one open. */
async function* walkCsv({ database }: StatementDependencies, tenantId: string, plan: Plan, first: StatementLine[]) {
  yield CSV_HEADER;
  let page = first;
  while (page.length > 0) {
    yield toCsv(page);
    const last = page.at(-1);
    if (page.length < CSV_PAGE || !last) return;
    const rest = { ...plan, filter: { ...plan.filter, seqTo: last.seq } };
    page = await database.forTenants([tenantId], (tx) => find(tx, tenantId, rest, CSV_PAGE));
  }
}

async function* sayCsv(lines: readonly StatementLine[]) {
  yield CSV_HEADER;
  for (let at = 0; at < lines.length; at += CSV_PAGE) yield toCsv(lines.slice(at, at + CSV_PAGE));
}

/**
 * The lines of the filter as CSV. Where the file ends is decided before its first byte leaves, so that a header can
 * say whether it is whole; lines posted meanwhile are newer than its first and do not come in.
 */
export async function exportEntries(
  dependencies: StatementDependencies,
  tenantId: string,
  query: WalletEntriesQuery,
): Promise<CsvExport> {
  return dependencies.database.forTenants([tenantId], async (tx) => {
    const plan = await toPlan(tx, dependencies, tenantId, query);
    if (plan.sourceIds || plan.isRare) {
      // Found all at once, so they are read all at once.
      const found = await find(tx, tenantId, plan, CSV_WINDOW + 1);
      const lines = found.slice(0, CSV_WINDOW);
      const isCut = found.length > CSV_WINDOW;
      return { lines: sayCsv(lines), nextCursor: isCut ? writeCursor(String(lines.at(-1)?.seq)) : null };
    }
    const file = within(plan, CSV_WINDOW);
    const first = await find(tx, tenantId, file, CSV_PAGE);
    const isCut = file.filter.seqFrom > plan.filter.seqFrom;
    return {
      lines: walkCsv(dependencies, tenantId, file, first),
      nextCursor: isCut ? writeCursor(String(file.filter.seqFrom)) : null,
    };
  });
}
