// Times the merge on one report of 60, 3,000 and 30,000 rows. The large reports combine many people's rows: the
// lenders, types and dates are the usual ones, so the matcher meets realistic crowding.
import { BUREAUS, type Bureau } from '@trefoil/contract';
import type { BureauAccount, SourcedFile } from '../../server/src/bureaus/port.ts';
import { generateReport } from './generate.ts';
import { REGISTRY } from './lenders.ts';
import type { Matcher } from './matcher.ts';
import { quantile } from './run.ts';

export const SCALE_ROWS = [60, 3_000, 30_000] as const;
const RATIO_MAX = 15;
const P99_MS_MAX = 2;

/** Exactly this many rows, from as many people as necessary. */
export function reportOfRows(seed: number, rows: number): SourcedFile[] {
  const accounts: Record<Bureau, BureauAccount[]> = { equifax: [], experian: [], transunion: [] };
  let left = rows;
  for (let index = 0; left > 0; index += 1) {
    for (const { bureau, account } of generateReport(seed, 'standard', index).rows.slice(0, left)) {
      accounts[bureau].push({ ...account, ref: `${account.ref}/${index}` });
      left -= 1;
    }
  }
  return BUREAUS.map((bureau) => ({ bureau, file: { accounts: accounts[bureau], addresses: [], searches: [] } }));
}

function timesOf(merge: Matcher, reports: readonly SourcedFile[][]): Float64Array {
  return Float64Array.from(reports, (files) => {
    const startedAt = performance.now();
    merge(files, REGISTRY);
    return performance.now() - startedAt;
  }).sort();
}

export type ScaleResult = {
  readonly p99Ms60: number;
  readonly fastestMs: Readonly<Record<(typeof SCALE_ROWS)[number], number>>;
  readonly ratio: number;
  readonly isMet: boolean;
};

/** Measures the two large sizes in turn, so that other load on the machine affects both; keeps the fastest of each. */
export function measureScale(merge: Matcher, seed: number): ScaleResult {
  const reports = (rows: number, times: number) =>
    Array.from({ length: times }, (_, at) => reportOfRows(seed + at, rows));
  timesOf(merge, reports(60, 300));
  const small = timesOf(merge, reports(60, 2_000));
  timesOf(merge, reports(3_000, 4));
  const rounds = reports(30_000, 8).map((large, at) => ({ large, middle: reports(3_000, 4).slice(at % 4) }));
  const times = rounds.map(({ large, middle }) => ({
    middle: timesOf(merge, middle)[0] ?? 0,
    large: timesOf(merge, [large])[0] ?? 0,
  }));
  const middle = Math.min(...times.map((time) => time.middle));
  const large = Math.min(...times.map((time) => time.large));
  const p99Ms60 = quantile(small, 0.99);
  const fastestMs = { 60: small[0] ?? 0, 3000: middle, 30000: large };
  const ratio = large / middle;
  return { p99Ms60, fastestMs, ratio, isMet: ratio <= RATIO_MAX && p99Ms60 < P99_MS_MAX };
}

export function scaleText({ p99Ms60, fastestMs, ratio, isMet }: ScaleResult): string {
  const lines = SCALE_ROWS.map((rows) => `${String(rows).padStart(7)} rows  fastest ${fastestMs[rows].toFixed(3)} ms`);
  return [
    ...lines,
    `60 rows at p99: ${p99Ms60.toFixed(3)} ms (< ${P99_MS_MAX} ms)`,
    `30,000 rows against 3,000: ${ratio.toFixed(2)} times (≤ ${RATIO_MAX})`,
    isMet ? 'met' : 'NOT MET',
  ].join('\n');
}
