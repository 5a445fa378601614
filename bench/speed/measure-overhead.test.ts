// Three rounds of times give one ratio.
import { expect, test } from 'vitest';
import { summariseRounds } from './measure-overhead.ts';

test('the engine counts with its better number of clients, and the ratio is the median of the rounds', () => {
  const rounds = [
    { serviceP99Ms: 40, engineP99sMs: [100, 80] }, // 0.5
    { serviceP99Ms: 60, engineP99sMs: [20, 90] }, // 3
    { serviceP99Ms: 90, engineP99sMs: [70, 60] }, // 1.5
  ];
  expect(summariseRounds(rounds)).toEqual({ overheadRatio: 1.5, overheadP99Ms: 60, engineP99Ms: 60 });
});

test('the ratio is taken within a round: a slow minute of the machine slows both down and does not move it', () => {
  const rounds = [
    { serviceP99Ms: 10, engineP99sMs: [20, 30] },
    { serviceP99Ms: 1_000, engineP99sMs: [2_000, 3_000] },
    { serviceP99Ms: 100, engineP99sMs: [200, 300] },
  ];
  expect(summariseRounds(rounds).overheadRatio).toBe(0.5);
});

test('a round without times gives no ratio that could pass', () => {
  expect(summariseRounds([{ serviceP99Ms: Number.NaN, engineP99sMs: [1, 1] }]).overheadRatio).toBeNaN();
});
