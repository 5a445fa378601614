// Three disagreeing files, one clean list: every row of every bureau appears in exactly one record. Pure, integer,
// and the same whatever order the files and rows come in.
import type { AccountRecord, Bureau } from '@trefoil/contract';
import type { SourcedFile } from '../../bureaus/port.ts';
import { inBureauOrder } from './bureau-order.ts';
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

const compareTexts = (x: string, y: string) => (x === y ? 0 : x < y ? -1 : 1);

/** The order of rows of one circle, start and bureau. */
const byContentAndRef = (a: ComparableAccount, b: ComparableAccount) =>
  compareContent(a, b) || compareTexts(a.ref, b.ref);

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

const BUREAU_BITS: Record<Bureau, number> = { equifax: 1, experian: 2, transunion: 4 };

/** Every row, bureau by bureau, with what it is sorted by. */
function readRows(files: readonly SourcedFile[], resolve: ResolveLender): RowList {
  const count = files.reduce((sum, { file }) => sum + file.accounts.length, 0);
  const rows: ComparableAccount[] = [];
  const bureaus = new Uint8Array(count);
  const [startDays, circles] = [new Int32Array(count), new Int32Array(count)];
  const ambiguous = new Set<ResolvedNames>();
  for (const { bureau, file } of files.toSorted(inBureauOrder)) {
    for (const account of file.accounts) {
      const row = toComparable(bureau, account, resolve);
      if (row.lender.houses.length > 1) ambiguous.add(row.lender);
      bureaus[rows.length] = BUREAU_BITS[bureau];
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
  return { rows, bureaus, startDays, circles };
}

/**
 * The canonical order: by circle, start and bureau, then by content and reference. Everything after sees only this order.
 * Rows of one bureau that say the same under two references become one row with two references.
 */
function sortRows({ rows, bureaus, startDays, circles }: RowList): RowList {
  // They come bureau by bureau, and rows of one number keep their order.
  const order = inOrderOf(circles, inOrderOf(startDays));
  const areLevel = (x: number, y: number) =>
    circles[x] === circles[y] && startDays[x] === startDays[y] && bureaus[x] === bureaus[y];
  const sorted: ComparableAccount[] = [];
  const list = {
    rows: sorted,
    bureaus: new Uint8Array(rows.length),
    startDays: new Int32Array(rows.length),
    circles: new Int32Array(rows.length),
  };
  for (let from = 0, to = 0; from < order.length; from = to) {
    const first = order[from] as number;
    const begin = sorted.length;
    for (to = from; to < order.length && areLevel(first, order[to] as number); to += 1) {
      list.bureaus[sorted.length] = bureaus[first] as number;
      list.startDays[sorted.length] = startDays[first] as number;
      list.circles[sorted.length] = circles[first] as number;
      sorted.push(rows[order[to] as number] as ComparableAccount);
    }
    if (to - from === 1) continue;
    sortPart(sorted, begin, sorted.length, byContentAndRef);
    foldCopies(sorted, begin);
  }
  return list;
}

/** Copies stand side by side in canonical order; here they are sought from one row on. */
function foldCopies(rows: ComparableAccount[], from: number): void {
  let kept = from;
  for (let next = from + 1; next < rows.length; next += 1) {
    const [last, row] = [rows[kept] as ComparableAccount, rows[next] as ComparableAccount];
    if (compareContent(last, row) === 0) {
      last.copies = [...last.copies, row.account];
    } else {
      kept += 1;
      rows[kept] = row;
    }
  }
  rows.length = kept + 1;
}

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
