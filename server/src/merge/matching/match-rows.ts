// The rows of all bureaus in canonical order, and next to them, as columns of numbers, the values that the candidate
// search reads of every row: loading 30,000 rows from memory just to select the few to compare would take longer than
// comparing them.
import type { Bureau } from '@trefoil/contract';
import type { SourcedFile } from '../../bureaus/port.ts';
import { inBureauOrder } from '../bureau-order.ts';
import { inOrderOf } from '../merge-order.ts';
import {
  type ComparableAccount,
  compareContent,
  FAMILY,
  FAMILY_COUNT,
  toComparable,
  UNKNOWN,
} from './comparable-account.ts';
import type { ResolvedNames, ResolveLender } from './lender-registry.ts';

const COLUMNS = [
  /** One bit for each bureau. */
  'bureau',
  /** Combines house and family. Rows of two circles are never one agreement, except rows outside any circle, in circle 0. */
  'circle',
  /** The start, 0 if unknown, and the last day on which the same agreement may start in another row. */
  'startDay',
  'lastDay',
  /** 1 where only the month of the start is given. */
  'isMonth',
  /** Values that rows of one agreement mostly share, 0 if unknown: number, pounds, pounds, house. */
  'tail',
  'amount',
  'payment',
  'house',
] as const;

export type Columns = Readonly<Record<(typeof COLUMNS)[number], Int32Array>>;

export type RowList = { readonly rows: readonly ComparableAccount[]; readonly columns: Columns };

const BUREAU_BITS: Record<Bureau, number> = { equifax: 1, experian: 2, transunion: 4 };
export const ALL_BUREAUS = 7;

/** Starts further apart than this are never one agreement; counted from the end of the month if only the month is given. */
const DAYS_APART_MAX = 62;
/** A row without a start may match any other. */
const NO_LAST_DAY = 2 ** 31 - 1;

function createColumns(count: number): Columns {
  const column = () => new Int32Array(count);
  return {
    ...{ bureau: column(), circle: column(), startDay: column(), lastDay: column(), isMonth: column() },
    ...{ tail: column(), amount: column(), payment: column(), house: column() },
  };
}

const poundsOf = (pence: number) => (pence === UNKNOWN ? 0 : 1 + Math.floor(pence / 100));

function fill(columns: Columns, place: number, row: ComparableAccount): void {
  const { startDay, startSpan, lender } = row;
  columns.bureau[place] = BUREAU_BITS[row.bureau];
  columns.startDay[place] = startDay;
  columns.lastDay[place] = startDay === 0 ? NO_LAST_DAY : startDay + startSpan + DAYS_APART_MAX;
  columns.isMonth[place] = startSpan > 0 ? 1 : 0;
  columns.tail[place] = row.tailOfThree;
  columns.amount[place] = poundsOf(row.startBalance);
  columns.payment[place] = poundsOf(row.payment);
  columns.house[place] = lender.houses[0] ?? 0;
  columns.circle[place] = circleOf(lender.houses[0] ?? 0, row);
}

function circleOf(house: number, { family }: ComparableAccount): number {
  return house === 0 || family === FAMILY.unknown ? 0 : house * FAMILY_COUNT + family;
}

/** A cut name that fits two houses merges them under the lower number. */
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

/** Every row, bureau by bureau. */
function readRows(files: readonly SourcedFile[], resolve: ResolveLender): RowList {
  const rows: ComparableAccount[] = [];
  const columns = createColumns(files.reduce((sum, { file }) => sum + file.accounts.length, 0));
  const ambiguous = new Set<ResolvedNames>();
  for (const { bureau, file } of files.toSorted(inBureauOrder)) {
    for (const account of file.accounts) {
      const row = toComparable(bureau, account, resolve);
      if (row.lender.houses.length > 1) ambiguous.add(row.lender);
      fill(columns, rows.length, row);
      rows.push(row);
    }
  }
  if (ambiguous.size > 0) {
    const houseOf = joinHouses(ambiguous);
    rows.forEach((row, place) => {
      columns.circle[place] = circleOf(houseOf(columns.house[place] as number), row);
    });
  }
  return { rows, columns };
}

/** The positions of one circle, start and bureau in canonical order, without rows that are copies of another. */
function foldCopies(rows: readonly ComparableAccount[], level: readonly number[]): number[] {
  const rowAt = (place: number) => rows[place] as ComparableAccount;
  const sorted = level.toSorted((x, y) => compareContent(rowAt(x), rowAt(y)) || (rowAt(x).ref < rowAt(y).ref ? -1 : 1));
  const kept: number[] = [];
  for (const place of sorted) {
    const last = kept.at(-1);
    // After sorting, copies are adjacent.
    if (last === undefined || compareContent(rowAt(last), rowAt(place)) !== 0) kept.push(place);
    else rowAt(last).copies = [...rowAt(last).copies, rowAt(place).account];
  }
  return kept;
}

/**
 * The canonical order: by circle, start and bureau, then by content and reference. All later steps see only this order.
 * Rows of one bureau with the same content under two references become one row with two references.
 */
export function toRowList(files: readonly SourcedFile[], resolve: ResolveLender): RowList {
  const { rows, columns } = readRows(files, resolve);
  const { circle, startDay, bureau } = columns;
  // The rows come bureau by bureau, and the sort is stable.
  const order = inOrderOf(circle, inOrderOf(startDay));
  const areLevel = (x: number, y: number) =>
    circle[x] === circle[y] && startDay[x] === startDay[y] && bureau[x] === bureau[y];
  let count = 0;
  for (let from = 0, to = 0; from < order.length; from = to) {
    const first = order[from] as number;
    for (to = from + 1; to < order.length && areLevel(first, order[to] as number); ) to += 1;
    const kept = to - from === 1 ? [first] : foldCopies(rows, [...order.subarray(from, to)]);
    for (const place of kept) {
      order[count] = place;
      count += 1;
    }
  }
  return pick({ rows, columns }, order.subarray(0, count));
}

/** The rows at these positions. */
function pick({ rows, columns }: RowList, places: Int32Array): RowList {
  const picked = { rows: [] as ComparableAccount[], columns: createColumns(places.length) };
  for (let at = 0; at < places.length; at += 1) picked.rows.push(rows[places[at] as number] as ComparableAccount);
  for (const name of COLUMNS) {
    const [from, to] = [columns[name], picked.columns[name]];
    for (let at = 0; at < places.length; at += 1) to[at] = from[places[at] as number] as number;
  }
  return picked;
}
