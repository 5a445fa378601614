import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { GRAVES_NAME, LIST_NAME, RUN_FOLDER } from '../testing/run-folder.ts';
import { describeFiles, describeRun, type FailedFile, nextOf, openTestRun, type TestRun } from './test-run.ts';

const file = (path: string): FailedFile => ({ project: 'journeys', path, failures: ['a: too late', 'b: too late'] });
const run = (failed: FailedFile[], withoutFile: string[] = [], graves: string[] = []): TestRun => ({
  list: { fileCount: 40, failed, withoutFile },
  graves,
});

test.each<[string, Parameters<typeof nextOf>, ReturnType<typeof nextOf>]>([
  ['all passed', [true, run([])], { kind: 'passed' }],
  ['one file failed', [false, run([file('x')])], { kind: 'files', files: [file('x')] }],
  [
    'however many failed, all are repeated',
    [false, run(Array.from({ length: 40 }, () => file('x')))],
    { kind: 'files', files: Array.from({ length: 40 }, () => file('x')) },
  ],
  ['something grave was found', [false, run([file('x')], [], ['the books'])], { kind: 'grave' }],
  ['grave, and an error without a file beside it', [false, run([], ['x'], ['the books'])], { kind: 'grave' }],
  ['grave, and the tests did not come to their end', [false, { list: undefined, graves: ['y'] }], { kind: 'grave' }],
  ['grave, and the run ended well', [true, run([], [], ['the books'])], { kind: 'grave' }],
  ['an error without a file', [false, run([file('x')], ['a worker died'])], { kind: 'all' }],
  ['no list', [false, { list: undefined, graves: [] }], { kind: 'all' }],
  ['an empty list', [false, run([])], { kind: 'all' }],
  ['it ended well without a list', [true, { list: undefined, graves: [] }], { kind: 'all' }],
  [
    'it ended well, and nothing ran',
    [true, { list: { fileCount: 0, failed: [], withoutFile: [] }, graves: [] }],
    { kind: 'all' },
  ],
  ['it ended well, and a file failed', [true, run([file('x')])], { kind: 'files', files: [file('x')] }],
])('%s', (_, given, expected) => {
  expect(nextOf(...given)).toEqual(expected);
});

test('each file is one line with its project, its first failure and how many more there are', () => {
  expect(describeFiles([file('x.test.ts'), { ...file('y.test.ts'), failures: ['c: not so'] }])).toEqual([
    'journeys x.test.ts: a: too late (and 1 more)',
    'journeys y.test.ts: c: not so',
  ]);
});

test('what is grave comes before all files', () => {
  expect(describeRun(run([file('x.test.ts')], ['a worker died'], ['y.test.ts: the books']))).toEqual([
    'GRAVE: y.test.ts: the books',
    'journeys x.test.ts: a: too late (and 1 more)',
    'an error without a file: a worker died',
  ]);
  expect(describeRun({ list: undefined, graves: [] })).toEqual(['the tests did not come to their end']);
});

test('a run reads what its own tests wrote, and one that ended early keeps what was grave', () => {
  const [one, other] = [openTestRun(), openTestRun()];
  try {
    appendFileSync(join(one.environment[RUN_FOLDER] ?? '', GRAVES_NAME), 'x: the books\nx: the books\n');
    writeFileSync(join(other.environment[RUN_FOLDER] ?? '', LIST_NAME), JSON.stringify(run([]).list));
    expect(one.read()).toEqual({ list: undefined, graves: ['x: the books'] });
    expect(other.read()).toEqual(run([]));
  } finally {
    one.close();
    other.close();
  }
});
