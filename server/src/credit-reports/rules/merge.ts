// Three disagreeing files, one clean list: every row of every bureau appears in exactly one record. Pure, integer,
// and the same whatever order the files and rows come in.
import type { AccountRecord, Bureau } from '@trefoil/contract';
import type { SourcedFile } from '../../bureaus/port.ts';
import { type ComparableAccount, circleOf, compareContent, type RowList, toComparable } from './comparable-account.ts';
import { goldenRecord, startOf } from './golden-record.ts';
import {
  createLenderResolver,
  type LenderRegistry,
  type ResolvedNames,
  type ResolveLender,
} from './lender-registry.ts';
import { type Match, matchAccounts } from './match-accounts.ts';
import { inOrderOf, sortPart } from './merge-order.ts';

export type Member = { readonly bureau: Bureau; readonly ref: string };

/** A line of the report and where it comes from. */
export class MergedRecord {
  readonly record: AccountRecord;
  /** Why these rows are one record, and which came close. For people who check a match; never for consumers. */
  readonly match: Match;

  constructor(match: Match) {
    this.record = goldenRecord(match.members);
    this.match = match;
  }

  get members(): Member[] {
    return this.record.bureaus.map(({ id, ref }) => ({ bureau: id, ref }));
  }
}

function inCanonicalOrder(a: ComparableAccount, b: ComparableAccount): number {
  const byContent = compareContent(a, b);
  if (byContent !== 0) return byContent;
  if (a.bureau !== b.bureau) return a.bureau < b.bureau ? -1 : 1;
  return a.ref < b.ref ? -1 : 1;
}

/** A cut name that fits two houses makes them one, known by the lower number. */
function joinHouses(names: Iterable<ResolvedNames>): (house: number) => number {
  const lower = new Map<number, number>();
  const lowest = (house: number): number => {
    const known = lower.get(house);
    return known === undefined ? house : lowest(known);
  };
  for (const { houses } of names) {
    const least = Math.min(...houses.map(lowest));
    for (const house of houses.map(lowest)) if (house !== least) lower.set(house, least);
  }
  return lowest;
}

/** Every row, in the order the files come in, with what it is sorted by. */
function readRows(files: readonly SourcedFile[], resolve: ResolveLender): RowList {
  const count = files.reduce((sum, { file }) => sum + file.accounts.length, 0);
  const rows: ComparableAccount[] = [];
  const [startDays, circles] = [new Int32Array(count), new Int32Array(count)];
  const ambiguous = new Set<ResolvedNames>();
  for (const { bureau, file } of files) {
    for (const account of file.accounts) {
      const row = toComparable(bureau, account, resolve);
      if (row.lender.houses.length > 1) ambiguous.add(row.lender);
      startDays[rows.length] = row.startDay;
      circles[rows.length] = circleOf(row.lender.houses[0] ?? 0, row.family);
      rows.push(row);
    }
  }
  if (ambiguous.size > 0) {
    const houseOf = joinHouses(ambiguous);
    rows.forEach(({ lender, family }, place) => {
      circles[place] = circleOf(houseOf(lender.houses[0] ?? 0), family);
    });
  }
  return { rows, startDays, circles };
}

/**
 * All rows in canonical order: by content, then by where it came from. Everything after sees only this order. Rows of one
 * bureau that say the same under two references become one row with two references.
 */
function sortRows({ rows, startDays, circles }: RowList): RowList {
  const order = inOrderOf(circles, inOrderOf(startDays));
  const areLevel = (x: number, y: number) => circles[x] === circles[y] && startDays[x] === startDays[y];
  const sorted: ComparableAccount[] = [];
  const [sortedDays, sortedCircles] = [new Int32Array(rows.length), new Int32Array(rows.length)];
  for (let from = 0, to = 0; from < order.length; from = to) {
    const first = order[from] as number;
    const begin = sorted.length;
    for (to = from; to < order.length && areLevel(first, order[to] as number); to += 1) {
      sorted.push(rows[order[to] as number] as ComparableAccount);
    }
    if (to - from > 1) {
      sortPart(sorted, begin, sorted.length, inCanonicalOrder);
      foldCopies(sorted, begin);
    }
    sortedDays.fill(startDays[first] as number, begin, sorted.length);
    sortedCircles.fill(circles[first] as number, begin, sorted.length);
  }
  return { rows: sorted, startDays: sortedDays, circles: sortedCircles };
}

/** Copies stand side by side in canonical order; here they are sought from one row on. */
function foldCopies(rows: ComparableAccount[], from: number): void {
  let kept = from;
  for (let next = from + 1; next < rows.length; next += 1) {
    const [last, row] = [rows[kept] as ComparableAccount, rows[next] as ComparableAccount];
    if (last.bureau === row.bureau && compareContent(last, row) === 0) {
      last.copies = [...last.copies, row.account];
    } else {
      kept += 1;
      rows[kept] = row;
    }
  }
  rows.length = kept + 1;
}

const compareTexts = (x: string, y: string) => (x === y ? 0 : x < y ? -1 : 1);

/** By lender and reference, so that the order never depends on the input's. */
function inReportOrder({ record: a }: MergedRecord, { record: b }: MergedRecord): number {
  const [x, y] = [a.bureaus[0], b.bureaus[0]];
  return (
    compareTexts(a.companyName ?? '', b.companyName ?? '') ||
    compareTexts(x?.id ?? '', y?.id ?? '') ||
    compareTexts(x?.ref ?? '', y?.ref ?? '')
  );
}

/** Newest agreement first, those without a start last. */
function toRecords(matches: readonly Match[]): MergedRecord[] {
  const days = new Int32Array(matches.length);
  const records = matches.map((match, place) => {
    days[place] = startOf(match.members)?.startDay ?? 0;
    return new MergedRecord(match);
  });
  const order = inOrderOf(days).reverse();
  const sorted: MergedRecord[] = [];
  for (let from = 0, to = 0; from < order.length; from = to) {
    for (to = from; to < order.length && days[order[to] as number] === days[order[from] as number]; to += 1) {
      sorted.push(records[order[to] as number] as MergedRecord);
    }
    sortPart(sorted, from, to, inReportOrder);
  }
  return sorted;
}

const resolvers = new WeakMap<LenderRegistry, ResolveLender>();

/** Building the look-up is most of the work of a small report, and a registry does not change. */
function resolverOf(registry: LenderRegistry): ResolveLender {
  const known = resolvers.get(registry) ?? createLenderResolver(registry);
  resolvers.set(registry, known);
  return known;
}

export function mergeAccounts(files: readonly SourcedFile[], registry: LenderRegistry): { records: MergedRecord[] } {
  const resolve = resolverOf(registry);
  return { records: toRecords(matchAccounts(sortRows(readRows(files, resolve)))) };
}
