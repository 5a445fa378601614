import { expect, test } from 'vitest';
import { describeFiles, type FailedFile, nextOf, type TestRun } from './failed-files.ts';

const file = (path: string, isGrave = false): FailedFile => ({
  ...{ project: 'journeys', path, isGrave },
  failures: ['a: too late', 'b: too late'],
});
const run = (failed: FailedFile[], withoutFile: string[] = []): TestRun => ({ processId: 1, failed, withoutFile });

test.each<[string, Parameters<typeof nextOf>, ReturnType<typeof nextOf>]>([
  ['all passed', [true, run([])], { kind: 'passed' }],
  ['one file failed', [false, run([file('x')])], { kind: 'files', files: [file('x')] }],
  [
    'however many failed, all are repeated',
    [false, run(Array.from({ length: 40 }, () => file('x')))],
    { kind: 'files', files: Array.from({ length: 40 }, () => file('x')) },
  ],
  ['one of them is grave', [false, run([file('x'), file('y', true)])], { kind: 'grave' }],
  ['grave, and an error without a file beside it', [false, run([file('y', true)], ['x'])], { kind: 'grave' }],
  ['an error without a file', [false, run([file('x')], ['a worker died'])], { kind: 'all' }],
  ['no list', [false, undefined], { kind: 'all' }],
  ['an empty list', [false, run([])], { kind: 'all' }],
])('%s', (_, given, expected) => {
  expect(nextOf(...given)).toEqual(expected);
});

test('each file is one line with its project, its first failure and how many more there are', () => {
  expect(describeFiles([file('x.test.ts'), { ...file('y.test.ts'), failures: ['c: not so'] }])).toEqual([
    'journeys x.test.ts: a: too late (and 1 more)',
    'journeys y.test.ts: c: not so',
  ]);
});

test('the file that found something grave is named as such, and comes before all others', () => {
  const files = [file('x.test.ts'), file('y.test.ts', true), file('z.test.ts')];
  expect(describeFiles(files)).toEqual([
    'GRAVE: journeys y.test.ts: a: too late (and 1 more)',
    'journeys x.test.ts: a: too late (and 1 more)',
    'journeys z.test.ts: a: too late (and 1 more)',
  ]);
});
