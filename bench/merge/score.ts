// How well an output agrees with the truth, for one person and summed over many. Pure; knows nothing of the matcher.
import type { Bureau } from '@trefoil/contract';

export type Member = { readonly bureau: Bureau; readonly ref: string };
export type MergeOutput = { readonly records: readonly { readonly members: readonly Member[] }[] };

/** A row with its true agreement. */
export type TruthRow = Member & { readonly agreement: number; readonly isHirePurchase: boolean };

export type Score = {
  /** Pairs of one person's rows that truly belong together, that the output put together, and both. */
  readonly truePairs: number;
  readonly foundPairs: number;
  readonly rightPairs: number;
  /** Agreements that at least one bureau shows, and those that became exactly one record of exactly their rows. */
  readonly clusters: number;
  readonly clustersExact: number;
  readonly hirePurchaseAgreements: number;
  readonly hirePurchaseLost: number;
  readonly reports: number;
  readonly reportsExact: number;
  /** Reports whose output lost, doubled or invented a row. */
  readonly reportsNotPreserved: number;
  readonly rows: number;
};

const key = ({ bureau, ref }: Member): string => `${bureau} ${ref}`;
const pairsOf = (count: number): number => (count * (count - 1)) / 2;

function count<Key>(counts: Map<Key, number>, at: Key): void {
  counts.set(at, (counts.get(at) ?? 0) + 1);
}

/** The record of each row. A lost row counts as alone; of a doubled row the first place counts. */
function placesOf(rows: readonly TruthRow[], output: MergeOutput): { places: number[]; isPreserved: boolean } {
  const recordOf = new Map<string, number>();
  let isPreserved = true;
  let placed = 0;
  for (const [record, { members }] of output.records.entries()) {
    if (members.length === 0) isPreserved = false;
    for (const member of members) {
      placed += 1;
      if (recordOf.has(key(member))) isPreserved = false;
      else recordOf.set(key(member), record);
    }
  }
  let alone = output.records.length;
  const places = rows.map((row) => {
    const record = recordOf.get(key(row));
    if (record !== undefined) return record;
    isPreserved = false;
    alone += 1;
    return alone;
  });
  return { places, isPreserved: isPreserved && placed === rows.length };
}

export function scoreReport(rows: readonly TruthRow[], output: MergeOutput): Score {
  const { places, isPreserved } = placesOf(rows, output);
  const agreementSizes = new Map<number, number>();
  const recordSizes = new Map<number, number>();
  const overlaps = new Map<number, Map<number, number>>();
  const hirePurchase = new Set<number>();
  for (const [index, { agreement, isHirePurchase }] of rows.entries()) {
    const place = places[index] ?? -1;
    count(agreementSizes, agreement);
    count(recordSizes, place);
    const overlap = overlaps.get(agreement) ?? new Map<number, number>();
    count(overlap, place);
    overlaps.set(agreement, overlap);
    if (isHirePurchase) hirePurchase.add(agreement);
  }
  let [rightPairs, clustersExact, hirePurchaseLost] = [0, 0, 0];
  for (const [agreement, overlap] of overlaps) {
    let isMajoritySomewhere = false;
    for (const [record, shared] of overlap) {
      const size = recordSizes.get(record) ?? 0;
      rightPairs += pairsOf(shared);
      if (shared === size && shared === agreementSizes.get(agreement)) clustersExact += 1;
      if (shared * 2 > size) isMajoritySomewhere = true;
    }
    // Lost: this agreement is the majority of no output record, so a reader of the report would not find it.
    if (hirePurchase.has(agreement) && !isMajoritySomewhere) hirePurchaseLost += 1;
  }
  const sum = (sizes: Map<number, number>) => [...sizes.values()].reduce((total, size) => total + pairsOf(size), 0);
  return {
    ...{ truePairs: sum(agreementSizes), foundPairs: sum(recordSizes), rightPairs },
    ...{ clusters: agreementSizes.size, clustersExact },
    ...{ hirePurchaseAgreements: hirePurchase.size, hirePurchaseLost, reports: 1 },
    reportsExact: isPreserved && clustersExact === agreementSizes.size ? 1 : 0,
    ...{ reportsNotPreserved: isPreserved ? 0 : 1, rows: rows.length },
  };
}

export const NO_SCORE: Score = {
  ...{ truePairs: 0, foundPairs: 0, rightPairs: 0, clusters: 0, clustersExact: 0 },
  ...{ hirePurchaseAgreements: 0, hirePurchaseLost: 0, reports: 0, reportsExact: 0, reportsNotPreserved: 0, rows: 0 },
};

export function addScores(left: Score, right: Score): Score {
  const sum = { ...left };
  for (const name of Object.keys(left) as (keyof Score)[]) sum[name] += right[name];
  return sum;
}

/** Wilson's 95 % interval for a share; the whole range where nothing was counted. */
export function wilson(successes: number, total: number): readonly [low: number, high: number] {
  if (total === 0) return [0, 1];
  const z = 1.959963984540054;
  const share = successes / total;
  const middle = share + (z * z) / (2 * total);
  const spread = z * Math.sqrt((share * (1 - share)) / total + (z * z) / (4 * total * total));
  const scale = 1 + (z * z) / total;
  // At the ends the formula is exact, but floating-point arithmetic is not.
  const low = successes === 0 ? 0 : (middle - spread) / scale;
  return [low, successes === total ? 1 : (middle + spread) / scale];
}

export type Share = { readonly value: number; readonly interval: readonly [low: number, high: number] };

/** Finding nothing is no error, so a share of nothing is 1. */
export function share(successes: number, total: number): Share {
  return { value: total === 0 ? 1 : successes / total, interval: wilson(successes, total) };
}

export function sharesOf(score: Score) {
  const lost = share(score.hirePurchaseLost, score.hirePurchaseAgreements);
  return {
    precision: share(score.rightPairs, score.foundPairs),
    recall: share(score.rightPairs, score.truePairs),
    wholeReportExact: share(score.reportsExact, score.reports),
    clustersExact: share(score.clustersExact, score.clusters),
    hirePurchaseLost: score.hirePurchaseAgreements === 0 ? { ...lost, value: 0 } : lost,
  };
}
