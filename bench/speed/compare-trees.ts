// Compares the figures of an old and a new tree, measured in turn: per figure the median over the rounds of new ÷ old.
// Each quotient is within a round, because only the two runs of one round ran under about the same conditions.
import { median } from './statistics.ts';

export type TreeFigures = Readonly<Record<string, number>>;
export type TreesRound = { readonly old: TreeFigures; readonly new: TreeFigures };

/** The minimum of new ÷ old. Only ratios to the engine have one; the other figures also depend on the machine. */
const BARS: Readonly<Record<string, number>> = { hotRatio: 0.9, spreadRatio: 0.9 };

export type Comparison = {
  readonly figure: string;
  /** Medians; NaN for a tree that does not report this figure. */
  readonly old: number;
  readonly new: number;
  readonly quotient: number;
  readonly bar: number | undefined;
};

export function compareTrees(rounds: readonly TreesRound[]): Comparison[] {
  const figures = new Set(rounds.flatMap((round) => [...Object.keys(round.old), ...Object.keys(round.new)]));
  return Array.from(figures, (figure) => {
    const pairs = rounds.map((round) => [round.old[figure] ?? Number.NaN, round.new[figure] ?? Number.NaN] as const);
    return {
      figure,
      old: median(pairs.map(([before]) => before)),
      new: median(pairs.map(([, now]) => now)),
      quotient: median(pairs.map(([before, now]) => now / before)),
      bar: BARS[figure],
    };
  });
}

const isReached = ({ quotient, bar }: Comparison) => bar === undefined || quotient >= bar;

export function comparisonTable(comparisons: readonly Comparison[]): string {
  const cell = (value: number, width: number) =>
    (Number.isNaN(value) ? '–' : value.toFixed(value < 100 ? 2 : 0)).padStart(width);
  const lines = comparisons.map((comparison) => {
    const { figure, quotient, bar } = comparison;
    const verdict = bar === undefined ? '' : `    ≥ ${bar}${isReached(comparison) ? '' : ', not reached'}`;
    return `${figure.padEnd(24)}${cell(comparison.old, 9)}${cell(comparison.new, 9)}${cell(quotient, 12)}${verdict}`;
  });
  return [`${'old'.padStart(33)}${'new'.padStart(9)}${'new ÷ old'.padStart(12)}    bar`, ...lines].join('\n');
}
