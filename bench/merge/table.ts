// The printed table: a line per profile and figure, with its 95 % interval, its target, and whether it is met.
import { FIELDS } from './fields.ts';
import { type Gate, gatesOf } from './gates.ts';
import type { measureNoise } from './measure.ts';
import type { RunResult } from './run.ts';
import type { Share } from './score.ts';

const percent = (share: number): string => `${(share * 100).toFixed(3)} %`;
const grouped = (count: number): string => count.toLocaleString('en-GB');

function oneIn(rate: number): string {
  return rate === 0 ? 'none' : `1 in ${grouped(Math.round(1 / rate))}`;
}

function shareCells({ value, interval: [low, high] }: Share): string {
  return `${percent(value).padStart(10)}  ${`${percent(low)} to ${percent(high)}`.padEnd(24)}`;
}

function figureOf(result: RunResult, { name }: Gate): string {
  const { shares, score } = result;
  switch (name) {
    case 'precision':
    case 'recall':
    case 'wholeReportExact':
    case 'clustersExact':
      return shareCells(shares[name]);
    case 'hirePurchaseLost': {
      const [low, high] = shares.hirePurchaseLost.interval;
      const figure = `${score.hirePurchaseLost} of ${grouped(score.hirePurchaseAgreements)}`;
      const range = `${oneIn(shares.hirePurchaseLost.value)}; ${oneIn(low)} to ${oneIn(high)}`;
      return `${figure.padStart(10)}  ${range.padEnd(24)}`;
    }
    case 'p99Ms':
      return `${`${result.p99Ms.toFixed(3)} ms`.padStart(10)}  ${`median ${result.p50Ms.toFixed(3)} ms`.padEnd(24)}`;
    default:
      return `${String(score.reportsNotPreserved).padStart(10)}  ${'reports that lost or doubled a row'.padEnd(24)}`;
  }
}

export function resultText(result: RunResult): string {
  const { profile, seed, score } = result;
  const lines = gatesOf(result).map((gate) => {
    const verdict = gate.isMet ? 'met' : 'NOT MET';
    return `  ${gate.name.padEnd(18)}${figureOf(result, gate)}  ${gate.wanted.padEnd(24)} ${verdict}`;
  });
  const head = `${profile}: ${grouped(score.reports)} people, ${grouped(score.rows)} rows, ${grouped(score.clusters)} agreements, seed ${seed}`;
  const fields = FIELDS.map(
    (field) => `  ${field.padEnd(18)}${shareCells(result.fields[field])}  of what a bureau knew`,
  );
  return [head, ...lines, ...fields].join('\n');
}

/** The single object of `--json`. Shares are between 0 and 1; `hirePurchaseLost` is a number of agreements. */
export function resultJson(result: RunResult) {
  const { profile, seed, score, shares, p50Ms, p99Ms } = result;
  const { precision, recall, wholeReportExact, clustersExact, hirePurchaseLost } = shares;
  return {
    ...{ precision: precision.value, recall: recall.value, wholeReportExact: wholeReportExact.value },
    ...{ hirePurchaseLost: score.hirePurchaseLost, reports: score.reports, p99Ms },
    ...{ clustersExact: clustersExact.value, hirePurchaseAgreements: score.hirePurchaseAgreements, p50Ms },
    ...{ profile, seed, rows: score.rows, clusters: score.clusters, reportsNotPreserved: score.reportsNotPreserved },
    intervals: {
      ...{ precision: precision.interval, recall: recall.interval, wholeReportExact: wholeReportExact.interval },
      ...{ clustersExact: clustersExact.interval, hirePurchaseLost: hirePurchaseLost.interval },
    },
    fields: Object.fromEntries(FIELDS.map((field) => [field, result.fields[field].value])),
    gates: Object.fromEntries(gatesOf(result).map(({ name, isMet }) => [name, isMet])),
  };
}

export function noiseText(profile: string, { totals, rates, unregistered }: ReturnType<typeof measureNoise>) {
  const line = ([name, { wanted, measured, cases }]: [string, { wanted: number; measured: number; cases: number }]) =>
    `  ${name.padEnd(24)}${measured.toFixed(2).padStart(7)} %  wanted ${wanted.toFixed(2).padStart(6)} %  of ${grouped(cases)}`;
  return [
    `${profile}: ${(totals.agreements / totals.people).toFixed(2)} agreements and ${(totals.rows / totals.people).toFixed(2)} rows a person, at most ${totals.mostRows} rows`,
    ...Object.entries(rates).map(line),
    `  names nobody registered ${unregistered.toFixed(2).padStart(7)} % of rows`,
  ].join('\n');
}
