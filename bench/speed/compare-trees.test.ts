// How the figures of two trees are compared and printed.
import { expect, test } from 'vitest';
import { compareTrees, comparisonTable } from './compare-trees.ts';

const round = (before: number, now: number) => ({ old: { hotRatio: before }, new: { hotRatio: now } });

test('new ÷ old is taken within a round, and its median counts', () => {
  const [hot] = compareTrees([round(2, 2.2), round(1, 0.8), round(4, 4)]);
  expect(hot).toMatchObject({ figure: 'hotRatio', old: 2, new: 2.2, quotient: 1, bar: 0.9 });
});

test('a figure that only one tree reports stands with a dash', () => {
  const comparisons = compareTrees([{ old: { hotRatio: 2 }, new: { hotRatio: 2, overheadRatio: 0.5 } }]);
  expect(comparisons[1]).toMatchObject({ figure: 'overheadRatio', old: Number.NaN, new: 0.5, quotient: Number.NaN });
  expect(comparisonTable(comparisons)).toMatch(/overheadRatio +– +0\.50 +–$/m);
});

const verdicts: [number, RegExp][] = [
  [0.91, /hotRatio +10\.00 +9\.10 +0\.91 +≥ 0\.9$/m],
  [0.9, /≥ 0\.9$/m], // exactly at the bar counts as met
  [0.89, /≥ 0\.9, not reached$/m],
  [Number.NaN, /≥ 0\.9, not reached$/m],
];
test.each(verdicts)('a quotient of %s against the bar', (quotient, line) => {
  expect(comparisonTable(compareTrees([round(10, quotient * 10)]))).toMatch(line);
});

test('only the ratios to the engine have a bar', () => {
  const figures = { hotRatio: 1, spreadRatio: 1, hotPerSecond: 1, overheadP99Ms: 1 };
  const barred = compareTrees([{ old: figures, new: figures }]).filter(({ bar }) => bar !== undefined);
  expect(barred.map(({ figure }) => figure)).toEqual(['hotRatio', 'spreadRatio']);
});
