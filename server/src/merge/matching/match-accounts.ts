// Decides which rows are one agreement. It joins from the surest pair down, and guards each join so that no chain of
// near fits can merge two agreements. It takes rows in canonical order only, so the input's order does not matter.

import { inOrderOf } from '../merge-order.ts';
import {
  ALL_PAIRS_MAX,
  createSharingSearch,
  visitAllPairs,
  visitCircles,
  visitNearPairs,
  visitPairsOutside,
} from './candidate-pairs.ts';
import type { ComparableAccount } from './comparable-account.ts';
import { type Edge, EdgesByRow, Groups } from './match-groups.ts';
import { ALL_BUREAUS, type RowList } from './match-rows.ts';
import { differsInEverything, explainPair, looksCopied, sayEnough, scorePair } from './match-score.ts';
import type { Finding } from './match-weights.ts';

/** In a long report, pairs at least this sure are joined before other pairs are searched. */
const SURE_MIN = 700;
/** Two groups are joined when the sum over their rows is at least this … */
const JOIN_MIN = 0;
/** … and no single pair of them is below this. */
const VETO = -800;
/** A pair slightly below may still be joined if it leads every rival pair of either row by `RESIDUAL_LEAD`. */
const RESIDUAL_MIN = -400;
const RESIDUAL_LEAD = 300;
/** If a bureau has more rows with one start than this, none of them is taken for a copy. */
const COPY_CANDIDATES_MAX = 50;
/** Below this a pair is not even a near miss. */
const NEAR_MISS_MIN = -500;

export type PairScore = { readonly a: ComparableAccount; readonly b: ComparableAccount; readonly total: number };

/** The rows, in canonical order, and what is known about them. */
type Field = RowList & {
  readonly groups: Groups;
  /** Every pair that is at least a near miss. */
  readonly edges: Edge[];
  /** 1 for rows with more neighbours than they were compared with. */
  readonly crowded: Uint8Array;
  /** The same edges by row, built on the first request for near misses. */
  byRow?: EdgesByRow;
};

const rowAt = ({ rows }: Field, row: number) => rows[row] as ComparableAccount;

/** One agreement. Its reasons are computed on request, because few callers need them. */
export class Match {
  readonly members: readonly ComparableAccount[];
  readonly #field: Field;
  readonly #row: number;

  constructor(field: Field, row: number) {
    this.members = field.groups.membersOf(row).map((member) => field.rows[member] as ComparableAccount);
    this.#field = field;
    this.#row = row;
  }

  /** The score of each pair of these rows; `explain` gives its findings. */
  scores(): PairScore[] {
    const { members } = this;
    return members.flatMap((a, index) => members.slice(index + 1).map((b) => ({ a, b, total: scorePair(a, b) })));
  }

  /** Pairs that scored close but were kept apart. */
  nearMisses(): PairScore[] {
    const { groups, edges, rows } = this.#field;
    this.#field.byRow ??= new EdgesByRow(edges, rows.length);
    return this.#field.byRow.leaving(groups, this.#row).map(({ a, b, total }) => {
      const [own, other] = groups.of(a) === groups.of(this.#row) ? [a, b] : [b, a];
      return { a: rowAt(this.#field, own), b: rowAt(this.#field, other), total };
    });
  }
}

/** Whether the rows of two groups together indicate one agreement, and no pair strongly contradicts it. */
function speakForJoining({ rows, groups }: Field, { a: left, b: right, total: known }: Edge, min: number): boolean {
  let total = 0;
  let a = left;
  do {
    let b = right;
    do {
      const isEdge = a === left && b === right;
      const score = isEdge ? known : scorePair(rows[a] as ComparableAccount, rows[b] as ComparableAccount);
      if (score < VETO) return false;
      total += score;
      b = groups.next(b);
    } while (b !== right);
    a = groups.next(a);
  } while (a !== left);
  return total >= min * groups.sizeOf(left) * groups.sizeOf(right);
}

const bySurest = (x: Edge, y: Edge) => y.total - x.total;

/** A pair just below the threshold is joined when neither side has another possible match. */
function isLeftOver(field: Field, open: EdgesByRow, edge: Edge): boolean {
  const { groups } = field;
  if (!groups.complement(edge)) return false;
  // A row in a crowd may have rivals that it was not compared with.
  if (field.crowded[edge.a] === 1 || field.crowded[edge.b] === 1) return false;
  const isOwn = (row: number) => groups.of(row) === groups.of(edge.a) || groups.of(row) === groups.of(edge.b);
  const isRival = (other: Edge) =>
    edge.total - other.total < RESIDUAL_LEAD && groups.complement(other) && !(isOwn(other.a) && isOwn(other.b));
  if (open.someLeaving(groups, edge.a, isRival) || open.someLeaving(groups, edge.b, isRival)) return false;
  if (!speakForJoining(field, edge, RESIDUAL_MIN)) return false;
  const [one, other] = [rowAt(field, edge.a), rowAt(field, edge.b)];
  const isBare = groups.sizeOf(edge.a) === 1 && groups.sizeOf(edge.b) === 1;
  return sayEnough(one, other) && !(isBare && differsInEverything(one, other));
}

/** Joins from the surest pair down. Pairs with equal scores stay in canonical order. */
function joinSurest(field: Field, edges: Edge[]): void {
  const { groups } = field;
  for (const edge of edges.sort(bySurest)) {
    if (!groups.areJoined(edge) && speakForJoining(field, edge, JOIN_MIN)) groups.join(edge.a, edge.b);
  }
}

function findEdges(field: Field): void {
  const { rows, columns, groups, edges, crowded } = field;
  const compare = (a: number, b: number) => {
    const total = scorePair(rows[a] as ComparableAccount, rows[b] as ComparableAccount, NEAR_MISS_MIN);
    if (total >= NEAR_MISS_MIN) edges.push({ a, b, total });
  };
  if (rows.length <= ALL_PAIRS_MAX) {
    visitAllPairs(rows.length, compare);
    return;
  }
  const visitSharingPairs = createSharingSearch(columns, compare);
  const open: number[] = [];
  visitCircles(columns, (circle) => {
    const [firstEdge, firstOpen] = [edges.length, open.length];
    visitSharingPairs(circle);
    // Rows that are surely joined across all bureaus are done before neighbours are compared: few rows remain, and no
    // crowd.
    joinSurest(
      field,
      edges.slice(firstEdge).filter(({ total }) => total >= SURE_MIN),
    );
    for (let row = circle.from; row < circle.to; row += 1) if (groups.bureausOf(row) !== ALL_BUREAUS) open.push(row);
    visitNearPairs(columns, open.slice(firstOpen), crowded, compare);
  });
  const outside = open.length;
  for (let row = 0; row < rows.length && columns.circle[row] === 0; row += 1) open.push(row);
  if (open.length > outside) visitPairsOutside(columns, inStartOrder(field, open), compare);
}

function inStartOrder({ columns: { startDay } }: Field, rows: readonly number[]): number[] {
  const days = new Int32Array(rows.length);
  for (let place = 0; place < rows.length; place += 1) days[place] = startDay[rows[place] as number] as number;
  const sorted: number[] = [];
  for (const place of inOrderOf(days)) sorted.push(rows[place] as number);
  return sorted;
}

export function matchAccounts(list: RowList): Match[] {
  const { rows } = list;
  const field: Field = { ...list, groups: new Groups(list.columns), edges: [], crowded: new Uint8Array(rows.length) };
  const { groups } = field;
  findEdges(field);
  const apart = field.edges.filter((edge) => !groups.areJoined(edge));
  joinSurest(
    field,
    apart.filter(({ total }) => total >= JOIN_MIN),
  );

  // From here on, groups that share a bureau are not joined, and groups only grow.
  const openEdges = apart.filter((edge) => groups.complement(edge)).sort(bySurest);
  const open = new EdgesByRow(openEdges, rows.length);
  for (const edge of openEdges) {
    if (edge.total >= RESIDUAL_MIN && isLeftOver(field, open, edge)) groups.join(edge.a, edge.b);
  }
  joinCopies(field, open);

  const matches: Match[] = [];
  for (let row = 0; row < rows.length; row += 1) if (groups.of(row) === row) matches.push(new Match(field, row));
  return matches;
}

/**
 * A bureau sometimes stores an agreement twice and loses its number in one of the rows. Such a row is a copy, not a
 * twin agreement, when the other bureaus have only one agreement: they would also have the twin.
 */
function joinCopies(field: Field, open: EdgesByRow): void {
  const { rows, groups } = field;
  const { startDay } = field.columns;
  const single: number[] = [];
  for (let row = 0; row < rows.length; row += 1) if (groups.sizeOf(row) === 1) single.push(row);
  // A copy has the same start.
  const byStart = new Map<number, number[]>();
  for (const row of single) byStart.set(startDay[row] as number, []);
  for (let row = 0; row < rows.length; row += 1) byStart.get(startDay[row] as number)?.push(row);
  for (const copy of single) {
    if (groups.sizeOf(copy) > 1 || open.someLeaving(groups, copy, (edge) => groups.complement(edge))) continue;
    const original = findOriginal(field, copy, byStart.get(startDay[copy] as number) ?? []);
    if (original !== undefined) groups.join(original, copy);
  }
}

/** The one row that this unjoined row is a copy of. */
function findOriginal(field: Field, copy: number, sameStart: readonly number[]): number | undefined {
  const { groups } = field;
  const { bureau } = rowAt(field, copy);
  let found: number | undefined;
  let candidates = 0;
  for (const row of sameStart) {
    if (rowAt(field, row).bureau !== bureau) continue;
    candidates += 1;
    if (candidates > COPY_CANDIDATES_MAX) return undefined;
    if (row === copy || !isAlone(field, row)) continue;
    const bureaus = groups.bureausOf(row);
    const otherBureaus = (bureaus & 1) + ((bureaus >> 1) & 1) + (bureaus >> 2) - 1;
    if (!looksCopied(rowAt(field, row), rowAt(field, copy), otherBureaus)) continue;
    if (found !== undefined) return undefined;
    found = row;
  }
  return found;
}

/** Whether no other row of its group comes from the same bureau. */
function isAlone(field: Field, row: number): boolean {
  const { bureau } = rowAt(field, row);
  for (let other = field.groups.next(row); other !== row; other = field.groups.next(other)) {
    if (rowAt(field, other).bureau === bureau) return false;
  }
  return true;
}

export function explain({ a, b }: PairScore): Finding[] {
  return explainPair(a, b);
}
