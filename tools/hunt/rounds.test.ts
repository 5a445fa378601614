import { expect, test } from 'vitest';
import { concludeHunt, type Found } from './rounds.ts';

const run = (...paths: string[]): Found['run'] => ({
  graves: [],
  list: {
    ...{ fileCount: 2, withoutFile: [] },
    failed: paths.map((path) => ({ project: 'beside', path, failures: [`${path} said no`] })),
  },
});
const passed = (round: string): Found => ({ round, isPassed: true, run: run() });

test('a file that failed in one round is unsteady, one that failed in all of them fails', () => {
  const found = [
    { round: 'calm', isPassed: false, run: run('wrong') },
    { round: 'busy', isPassed: false, run: run('wrong', 'late') },
  ];
  expect(concludeHunt(found, 2)).toEqual({
    isClean: false,
    lines: ['UNSTEADY late: busy: late said no', 'FAILS wrong: calm; busy: wrong said no'],
  });
});

test('a run that broke is found too, and rounds without time are named', () => {
  expect(
    concludeHunt(
      [passed('calm'), { round: 'busy', isPassed: false, run: { list: undefined, graves: ['the books'] } }],
      5,
    ),
  ).toEqual({
    isClean: false,
    lines: [
      'ERROR busy: GRAVE: the books',
      'ERROR busy: the tests did not come to their end',
      '3 of 5 rounds were not run: five minutes were over. Name fewer files.',
    ],
  });
});

test('a hunt that was cut off in its first round is not clean', () => {
  expect(concludeHunt([], 5).isClean).toBe(false);
});

test('nothing to tell when every round passed', () => {
  expect(concludeHunt([passed('calm'), passed('busy')], 2)).toEqual({ isClean: true, lines: [] });
});
