// The statement: every line that changed the wallet, newest first, in pages or as one CSV file. A write-off does not
// change the wallet and is left out, so journal positions can have gaps here.
import {
  ENTRY_KINDS,
  type EntryKind,
  type WalletEntriesPage,
  type WalletEntriesQuery,
  type WalletEntry,
} from '@trefoil/contract';
import type { Database } from '../lib/postgres/database.ts';
import { walkInKeyOrder } from '../lib/postgres/key-order.ts';
import type { Tx } from '../lib/postgres/sql.ts';
import { outsideScope } from '../lib/request-scope.ts';
import { readCursor, writeCursor } from '../lib/values/cursor.ts';
import { parseInstant } from '../lib/values/instant.ts';
import { type ListReportFacts, type ReadReferences, toEntries } from './describe-lines.ts';
import { CSV_HEADER, toCsvLine } from './rules/statement-csv.ts';
import * as liveBook from './statement-store.ts';
import {
  DISORDER_MARGIN,
  type LineFilter,
  listLinesOfKinds,
  listLinesOfSources,
  type StatementLine,
} from './statement-store.ts';
import * as testBook from './test-mode/test-lines-store.ts';

/** The lines of one wallet: the live one, or that of test mode. */
type Book = Pick<typeof liveBook, 'findBounds' | 'findPlaceAt' | 'listLines' | 'listLinesOfSources'>;

export type Subject = {
  readonly creditReportId?: string | undefined;
  readonly externalReference?: string | undefined;
  /** Of test reports, instead of live ones. */
  readonly test?: boolean | undefined;
};

/**
 * The reports and messages that a subject stands for; of test mode only reports. The wallet does not know reports: `app.ts` passes
 * this in.
 */
export type FindSources = (tx: Tx, tenantId: string, subject: Subject) => Promise<readonly string[]>;

export type StatementDependencies = {
  readonly database: Database;
  readonly findSources: FindSources;
  readonly listReportFacts: ListReportFacts;
};

/** Runs the work once the tenant's read limit admits it (docs/decisions/0140-admission.md). */
export type InTurn = <T>(work: () => Promise<T>) => Promise<T>;

const PAGE_FALLBACK = 50;
/** Positions scanned for one page. If a filter matches few of them, the page is short and its cursor continues. */
const PAGE_WINDOW = 50_000;
/** A file covers at most this many positions, so it has no more lines than that. */
const CSV_WINDOW = 100_000;
const CSV_PAGE = 1_000;
/** Posted by hand, so there are few: the query finds them by kind in a journal of any length. */
const RARE_KINDS: readonly EntryKind[] = ['top-up', 'adjust'];
const isPlace = (text: string) => /^[1-9]\d{0,14}$/.test(text);

/** How to find the lines of a query: its bounds, and which of the three access paths to the journal is the shortest. */
type Plan = {
  readonly book: Book;
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
  const { creditReportId, externalReference, cursor, kind, test } = query;
  const book: Book = test ? testBook : liveBook;
  const from = query.from && parseInstant(query.from)?.toISOString();
  const to = query.to && parseInstant(query.to)?.toISOString();
  const { firstSeq, lastSeq } = await book.findBounds(tx, tenantId);
  const afterLast = lastSeq + 1;
  const low = from ? (await book.findPlaceAt(tx, tenantId, from)).low - DISORDER_MARGIN : firstSeq;
  const seqTo = to ? (await book.findPlaceAt(tx, tenantId, to)).high + DISORDER_MARGIN : afterLast;
  const before = cursor === undefined ? afterLast : Number(readCursor(cursor, isPlace));
  const isAboutReports = creditReportId !== undefined || externalReference !== undefined;
  return {
    book,
    filter: {
      kinds: kind === undefined ? ENTRY_KINDS : [kind],
      from: from ?? '-infinity',
      to: to ?? 'infinity',
      seqFrom: Math.max(firstSeq, low),
      seqTo: Math.min(before, seqTo, afterLast),
    },
    sourceIds: isAboutReports
      ? await findSources(tx, tenantId, { creditReportId, externalReference, test })
      : undefined,
    isRare: !test && kind !== undefined && RARE_KINDS.includes(kind),
  };
}

async function find(tx: Tx, tenantId: string, plan: Plan, limit: number): Promise<StatementLine[]> {
  const { book, filter, sourceIds, isRare } = plan;
  if (sourceIds) return book.listLinesOfSources(tx, tenantId, sourceIds, filter, limit);
  if (isRare) return listLinesOfKinds(tx, tenantId, filter, limit);
  await walkInKeyOrder(tx);
  return book.listLines(tx, tenantId, filter, limit);
}

/** The same plan over only the last `places` positions. The other two access paths find everything at once. */
function within({ filter, ...way }: Plan, places: number): Plan {
  if (way.sourceIds || way.isRare) return { filter, ...way };
  return { ...way, filter: { ...filter, seqFrom: Math.max(filter.seqFrom, filter.seqTo - places) } };
}

export async function listEntries(
  dependencies: StatementDependencies,
  tenantId: string,
  query: WalletEntriesQuery,
  readReferences: ReadReferences,
): Promise<WalletEntriesPage> {
  const limit = query.limit ?? PAGE_FALLBACK;
  const { plan, page, lines } = await dependencies.database.forTenants([tenantId], async (tx) => {
    const plan = await toPlan(tx, dependencies, tenantId, query);
    const page = within(plan, PAGE_WINDOW);
    return { plan, page, lines: await find(tx, tenantId, page, limit + 1) };
  });
  const items = await toEntries(lines.slice(0, limit), { ...dependencies, tenantId, readReferences });
  const last = items.at(-1);
  if (lines.length > limit && last) return { items, nextCursor: writeCursor(last.id) };
  const isCut = page.filter.seqFrom > plan.filter.seqFrom;
  return { items, nextCursor: isCut ? writeCursor(String(page.filter.seqFrom)) : null };
}

const EVERYTHING = { from: '-infinity', to: 'infinity', seqFrom: 1, seqTo: Number.MAX_SAFE_INTEGER };

/** The line of a top-up or an adjustment; undefined when it was not posted. */
export async function findMovement(
  tx: Tx,
  tenantId: string,
  kind: 'top-up' | 'adjust',
  sourceId: string,
): Promise<StatementLine | undefined> {
  const [line] = await listLinesOfSources(tx, tenantId, [sourceId], { ...EVERYTHING, kinds: [kind] }, 1);
  return line;
}

export type { StatementLine };

/** A charge and a refund for a report, a charge for a message. */
const LINES_PER_SOURCE = 2;

/** Newest first: the lines about these reports and messages. The law keeps them when the reports are erased. */
export function listLinesOf(tx: Tx, tenantId: string, sourceIds: readonly string[]): Promise<StatementLine[]> {
  const filter = { ...EVERYTHING, kinds: ENTRY_KINDS };
  return listLinesOfSources(tx, tenantId, sourceIds, filter, LINES_PER_SOURCE * sourceIds.length);
}

export type CsvExport = {
  readonly lines: Iterable<string> | AsyncIterable<string>;
  readonly nextCursor: string | null;
};

type FilePage = { readonly lines: readonly StatementLine[]; readonly text: string };
type TakePage = (read: () => Promise<readonly StatementLine[]>) => Promise<FilePage>;

const toCsv = (entries: readonly WalletEntry[]) => entries.map(toCsvLine).join('');

/** A stretch of the journal, page by page, in one short transaction each: a slow reader must not hold one open. */
async function* walkCsv(
  { database }: StatementDependencies,
  tenantId: string,
  { plan, first }: { readonly plan: Plan; readonly first: StatementLine[] },
  takePage: TakePage,
) {
  yield CSV_HEADER;
  let page = await takePage(async () => first);
  while (page.lines.length > 0) {
    yield page.text;
    const last = page.lines.at(-1);
    if (page.lines.length < CSV_PAGE || !last) return;
    const rest = { ...plan, filter: { ...plan.filter, seqTo: last.seq } };
    page = await takePage(() => database.forTenants([tenantId], (tx) => find(tx, tenantId, rest, CSV_PAGE)));
  }
}

async function* sayCsv(lines: readonly StatementLine[], takePage: TakePage) {
  yield CSV_HEADER;
  for (let at = 0; at < lines.length; at += CSV_PAGE) {
    yield (await takePage(async () => lines.slice(at, at + CSV_PAGE))).text;
  }
}

/**
 * The lines that match the filter as CSV; with a limit, no more than one page. The end of the file is fixed before its
 * first byte is sent, so that a header can say whether it is complete. Lines posted meanwhile are newer than its first
 * and are left out.
 */
export async function exportEntries(
  dependencies: StatementDependencies,
  tenantId: string,
  query: WalletEntriesQuery,
  { readReferences, inTurn }: { readonly readReferences: ReadReferences; readonly inTurn: InTurn },
): Promise<CsvExport> {
  if (query.limit !== undefined) {
    const { items, nextCursor } = await listEntries(dependencies, tenantId, query, readReferences);
    return { lines: [CSV_HEADER + toCsv(items)], nextCursor };
  }
  // The first byte answers the request, so its deadline does not apply to a slow reader of a long file. Each page is
  // admitted separately and released before it is sent: a slow reader holds no admission.
  const takePage: TakePage = (read) =>
    outsideScope(() =>
      inTurn(async () => {
        const lines = await read();
        return { lines, text: toCsv(await toEntries(lines, { ...dependencies, tenantId, readReferences })) };
      }),
    );
  return dependencies.database.forTenants([tenantId], async (tx) => {
    const plan = await toPlan(tx, dependencies, tenantId, query);
    if (plan.sourceIds || plan.isRare) {
      // This access path finds all lines at once, so they are read at once.
      const found = await find(tx, tenantId, plan, CSV_WINDOW + 1);
      const lines = found.slice(0, CSV_WINDOW);
      const isCut = found.length > CSV_WINDOW;
      return { lines: sayCsv(lines, takePage), nextCursor: isCut ? writeCursor(String(lines.at(-1)?.seq)) : null };
    }
    const file = within(plan, CSV_WINDOW);
    const first = await find(tx, tenantId, file, CSV_PAGE);
    const isCut = file.filter.seqFrom > plan.filter.seqFrom;
    return {
      lines: walkCsv(dependencies, tenantId, { plan: file, first }, takePage),
      nextCursor: isCut ? writeCursor(String(file.filter.seqFrom)) : null,
    };
  });
}
