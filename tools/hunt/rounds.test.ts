import { expect, test } from 'vitest';
import { gateFiles } from '../prove/find-tests.ts';
import { concludeHunt, type Found, partOf, readPart } from './rounds.ts';

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
    code: 1,
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
    code: 1,
    lines: [
      'ERROR busy: GRAVE: the books',
      'ERROR busy: the tests did not come to their end',
      '3 of 5 rounds were not run: five minutes were over. Name fewer files.',
    ],
  });
});

test.each([[[]], [[passed('calm')]]])('rounds that were not run: not clean, and nothing found (%#)', (found) => {
  expect(concludeHunt(found, 5).code).toBe(3);
});

test('nothing to tell when every round passed', () => {
  expect(concludeHunt([passed('calm'), passed('busy')], 2)).toEqual({ code: 0, lines: [] });
});

test('parts of the gate: every file in one of them, and each as long as the others but for one file', () => {
  const all = gateFiles();
  const parts = Array.from({ length: 16 }, (_, index) => partOf(all, index + 1, 16));
  expect(parts.flat().toSorted()).toEqual(all);
  expect(
    new Set(parts.map(({ length }) => Math.abs(length - Math.floor(all.length / 16)))).difference(new Set([0, 1])).size,
  ).toBe(0);
  expect(all).toContain('tools/hunt/rounds.test.ts');
  expect(all).not.toContain('tools/documents/paint.test.ts');
});

test('a part is a number of a number', () => {
  expect(readPart('3/16')).toEqual({ number: 3, count: 16 });
  for (const text of ['', '3', '0/16', '17/16', '3/0', '-1/2', '1.5/2', '1/2/3'])
    expect([text, readPart(text)]).toEqual([text, undefined]);
});
