// Decides which rows are one agreement: joins from the surest pair down, each guarded so that no chain of near fits can
// pull two agreements into one. Takes rows in canonical order and sees nothing else, so the input's order is nothing.
import type { Bureau } from '@trefoil/contract';
import { visitCandidatePairs } from './candidate-pairs.ts';
import type { ComparableAccount } from './comparable-account.ts';
import { differsInEverything, explainPair, looksCopied, sayEnough, scorePair } from './match-score.ts';
import type { Finding } from './match-weights.ts';

/** Two groups are joined when their rows together speak for it … */
const JOIN_MIN = 0;
/** … and no single pair of them speaks this much against it. */
const VETO = -800;
/** A pair a little below may still be joined when nothing else competes for either row by this lead. */
const RESIDUAL_MIN = -400;
const RESIDUAL_LEAD = 300;
/** A bureau that tells more rows of one start than this is not telling of one person's copies. */
const COPY_CANDIDATES_MAX = 50;
/** Below this a pair is not even a near miss. */
const NEAR_MISS_MIN = -500;

export type PairScore = { readonly a: ComparableAccount; readonly b: ComparableAccount; readonly total: number };

export type Match = {
  readonly members: readonly ComparableAccount[];
  /** Why these rows are one: each pair of them; `explain` gives its findings. Made when asked for: few ask. */
  scores(): readonly PairScore[];
  /** Pairs that came close and were kept apart. */
  nearMisses(): readonly PairScore[];
};

type Edge = { readonly a: number; readonly b: number; readonly total: number };
type Group = {
  readonly rows: readonly number[] /** One bit per bureau that has a row in it. */;
  readonly bureaus: number;
};
type Groups = ReturnType<typeof createGroups>;

const BUREAU_BITS: Record<Bureau, number> = { equifax: 1, experian: 2, transunion: 4 };

/** The rows in groups that only ever grow together. */
function createGroups(rows: readonly ComparableAccount[]) {
  const groups: Group[] = rows.map(({ bureau }, row) => ({ rows: [row], bureaus: BUREAU_BITS[bureau] }));
  const of = (row: number): Group => groups[row] as Group;
  return {
    of,
    join(a: number, b: number): void {
      const [left, right] = [of(a), of(b)];
      const joined = { rows: [...left.rows, ...right.rows], bureaus: left.bureaus | right.bureaus };
      for (const row of joined.rows) groups[row] = joined;
    },
    areJoined: ({ a, b }: Edge) => of(a) === of(b),
    /** Whether two groups hold no bureau twice. */
    complement: ({ a, b }: Edge) => (of(a).bureaus & of(b).bureaus) === 0,
    all: (): Group[] => [...new Set(groups)],
  };
}

/** Whether the rows of two groups, taken together, speak for one agreement, and none of them strongly against it. */
function speakForJoining(rows: readonly ComparableAccount[], left: Group, right: Group, min: number): boolean {
  let total = 0;
  for (const a of left.rows) {
    for (const b of right.rows) {
      const score = scorePair(rows[a] as ComparableAccount, rows[b] as ComparableAccount);
      if (score < VETO) return false;
      total += score;
    }
  }
  return total >= min * left.rows.length * right.rows.length;
}

function findEdges(rows: readonly ComparableAccount[]): Edge[] {
  const edges: Edge[] = [];
  visitCandidatePairs(rows, (a, b) => {
    const total = scorePair(rows[a] as ComparableAccount, rows[b] as ComparableAccount);
    if (total >= NEAR_MISS_MIN) edges.push({ a, b, total });
  });
  edges.sort((x, y) => y.total - x.total || x.a - y.a || x.b - y.b);
  // A pair that was visited twice stands beside itself now.
  return edges.filter(({ a, b }, index) => a !== edges[index - 1]?.a || b !== edges[index - 1]?.b);
}

export function matchAccounts(rows: readonly ComparableAccount[]): Match[] {
  const groups = createGroups(rows);
  const edges = findEdges(rows);
  const edgesOf = rows.map((): Edge[] => []);
  for (const edge of edges) {
    edgesOf[edge.a]?.push(edge);
    edgesOf[edge.b]?.push(edge);
  }
  const leaving = ({ rows: members }: Group): Edge[] =>
    members.flatMap((row) => edgesOf[row] ?? []).filter((edge) => !groups.areJoined(edge));

  for (const edge of edges) {
    if (edge.total < JOIN_MIN) break;
    if (groups.areJoined(edge)) continue;
    if (speakForJoining(rows, groups.of(edge.a), groups.of(edge.b), JOIN_MIN)) groups.join(edge.a, edge.b);
  }

  // What is left over: a pair just below the line is joined when neither side has anything else it could be.
  for (const edge of edges) {
    if (edge.total < RESIDUAL_MIN) break;
    if (!groups.complement(edge)) continue;
    const [left, right] = [groups.of(edge.a), groups.of(edge.b)];
    const [one, other] = [rows[edge.a] as ComparableAccount, rows[edge.b] as ComparableAccount];
    if (!sayEnough(one, other) || !speakForJoining(rows, left, right, RESIDUAL_MIN)) continue;
    const isBare = left.rows.length === 1 && right.rows.length === 1;
    if (isBare && differsInEverything(one, other)) continue;
    const isOwn = (row: number) => groups.of(row) === left || groups.of(row) === right;
    const isRival = (other: Edge) =>
      edge.total - other.total < RESIDUAL_LEAD && groups.complement(other) && !(isOwn(other.a) && isOwn(other.b));
    if (!leaving(left).some(isRival) && !leaving(right).some(isRival)) groups.join(edge.a, edge.b);
  }

  joinCopies(rows, groups, (row) => leaving(groups.of(row)).some(groups.complement));

  return groups.all().map((group) => toMatch(rows, group, () => leaving(group)));
}

function toMatch(rows: readonly ComparableAccount[], { rows: members }: Group, leaving: () => readonly Edge[]): Match {
  const sorted = members.toSorted((a, b) => a - b);
  const pair = (x: number, y: number): PairScore => {
    const [a, b] = [rows[x] as ComparableAccount, rows[y] as ComparableAccount];
    return { a, b, total: scorePair(a, b) };
  };
  return {
    members: sorted.map((row) => rows[row] as ComparableAccount),
    scores: () => sorted.flatMap((a, index) => sorted.slice(index + 1).map((b) => pair(a, b))),
    nearMisses: () => leaving().map(({ a, b }) => (members.includes(a) ? pair(a, b) : pair(b, a))),
  };
}

/**
 * A bureau sometimes keeps an agreement twice and loses its number in one of the rows. Such a row is a copy, and not a
 * twin agreement, when the other bureaus know of one agreement only: a twin would be known to them as well.
 */
function joinCopies(
  rows: readonly ComparableAccount[],
  groups: Groups,
  hasOtherChoice: (row: number) => boolean,
): void {
  const rowAt = (row: number) => rows[row] as ComparableAccount;
  // A copy tells the same start, so only rows of one bureau and one start need be looked at.
  const byStart = Map.groupBy(
    rows.keys(),
    (row) => (rowAt(row).start?.number ?? 0) * 8 + BUREAU_BITS[rowAt(row).bureau],
  );
  for (const candidates of byStart.values()) {
    if (candidates.length > COPY_CANDIDATES_MAX) continue;
    for (const copy of candidates) {
      if (groups.of(copy).rows.length > 1 || hasOtherChoice(copy)) continue;
      const originals = candidates.filter((original) => {
        const bureaus = groups.of(original).rows.map((row) => rowAt(row).bureau);
        const isOnly = bureaus.filter((bureau) => bureau === rowAt(copy).bureau).length === 1;
        return original !== copy && isOnly && looksCopied(rowAt(original), rowAt(copy), new Set(bureaus).size - 1);
      });
      const [original, ...others] = originals;
      if (original !== undefined && others.length === 0) groups.join(original, copy);
    }
  }
}

export function explain({ a, b }: PairScore): Finding[] {
  return explainPair(a, b);
}
