// Runs the matcher over a number of people of one profile and sums up; one report in memory at a time.
import { addFields, fieldShares, noFieldScore } from './fields.ts';
import { generateReport, type LabelledReport } from './generate.ts';
import { REGISTRY } from './lenders.ts';
import type { Matcher } from './matcher.ts';
import type { Profile } from './noise.ts';
import { addScores, type MergeOutput, NO_SCORE, type Score, scoreReport, sharesOf, type TruthRow } from './score.ts';

const WARM_UP_REPORTS = 400;
/** A seed of neither kind, so that the warm-up never uses a person who is scored. */
const WARM_UP_SEED = 0;

export type RunResult = {
  readonly profile: Profile;
  readonly seed: number;
  readonly score: Score;
  readonly shares: ReturnType<typeof sharesOf>;
  readonly fields: ReturnType<typeof fieldShares>;
  /** Of the merge call alone, one value per report. */
  readonly p50Ms: number;
  readonly p99Ms: number;
};

export type Wrong = { readonly report: LabelledReport; readonly output: MergeOutput };

export type RunOptions = {
  readonly profile: Profile;
  readonly seed: number;
  readonly people: number;
  readonly onWrong?: (wrong: Wrong) => void;
  readonly onProgress?: (done: number) => void;
};

export function truthOf({ rows, agreements }: LabelledReport): TruthRow[] {
  return rows.map(({ bureau, account: { ref }, label: { agreement } }) => ({
    ...{ bureau, ref, agreement, isHirePurchase: agreements[agreement]?.accountType === 'hire-purchase' },
  }));
}

/** The smallest value that at least this part of the values do not exceed. */
export function quantile(sorted: Float64Array, part: number): number {
  return sorted[Math.max(0, Math.ceil(sorted.length * part) - 1)] ?? 0;
}

export function runProfile(merge: Matcher, { profile, seed, people, onWrong, onProgress }: RunOptions): RunResult {
  for (let index = 0; index < WARM_UP_REPORTS; index += 1) {
    merge(generateReport(WARM_UP_SEED, profile, index).files, REGISTRY);
  }
  const times = new Float64Array(people);
  let score = NO_SCORE;
  const fields = noFieldScore();
  for (let index = 0; index < people; index += 1) {
    const report = generateReport(seed, profile, index);
    const startedAt = performance.now();
    const output = merge(report.files, REGISTRY);
    times[index] = performance.now() - startedAt;
    const one = scoreReport(truthOf(report), output);
    score = addScores(score, one);
    addFields(fields, report, output);
    if (one.reportsExact === 0) onWrong?.({ report, output });
    if ((index + 1) % 1_000 === 0) onProgress?.(index + 1);
  }
  times.sort();
  const timing = { p50Ms: quantile(times, 0.5), p99Ms: quantile(times, 0.99) };
  return { profile, seed, score, shares: sharesOf(score), fields: fieldShares(fields), ...timing };
}
