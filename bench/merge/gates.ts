// The figures the matcher must reach, per profile. They are promises of the project, not settings of this benchmark.
import type { Profile } from './noise.ts';
import type { RunResult } from './run.ts';

type Floors = {
  readonly precision: number;
  readonly recall: number;
  readonly wholeReportExact: number;
  readonly clustersExact: number;
  /** At most one lost hire-purchase agreement in this many. */
  readonly hirePurchasePerLost: number;
};

const P99_MS_MAX = 2;

export const FLOORS: Readonly<Record<Profile, Floors>> = {
  standard: {
    ...{ precision: 0.9998, recall: 0.999, wholeReportExact: 0.995, clustersExact: 0.998 },
    hirePurchasePerLost: 50_000,
  },
  harsh: {
    ...{ precision: 0.998, recall: 0.99, wholeReportExact: 0.95, clustersExact: 0.985 },
    hirePurchasePerLost: 20_000,
  },
  adversarial: {
    ...{ precision: 0.99, recall: 0.98, wholeReportExact: 0.87, clustersExact: 0.97 },
    hirePurchasePerLost: 3_000,
  },
};

export type Gate = { readonly name: string; readonly wanted: string; readonly isMet: boolean };

const percent = (share: number): string => `${(share * 100).toFixed(2)} %`;

export function gatesOf({ profile, shares, score, p99Ms }: Omit<RunResult, 'fields'>): readonly Gate[] {
  const floors = FLOORS[profile];
  const atLeast = (name: 'precision' | 'recall' | 'wholeReportExact' | 'clustersExact'): Gate => ({
    ...{ name, wanted: `≥ ${percent(floors[name])}`, isMet: shares[name].value >= floors[name] },
  });
  return [
    ...(['precision', 'recall', 'wholeReportExact', 'clustersExact'] as const).map(atLeast),
    {
      name: 'hirePurchaseLost',
      wanted: `≤ 1 in ${floors.hirePurchasePerLost.toLocaleString('en-GB')}`,
      isMet: score.hirePurchaseLost * floors.hirePurchasePerLost <= score.hirePurchaseAgreements,
    },
    { name: 'p99Ms', wanted: `< ${P99_MS_MAX} ms`, isMet: p99Ms < P99_MS_MAX },
    { name: 'inputsPreserved', wanted: 'every row exactly once', isMet: score.reportsNotPreserved === 0 },
  ];
}
