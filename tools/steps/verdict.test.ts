import { expect, test } from 'vitest';
import type { Taken } from './run-step.ts';
import { describeRun } from './test-run.ts';
import { isPassed, LINES_MAX, type Run, verdict } from './verdict.ts';

const step = (title: string, changes: Partial<Taken> = {}): Taken => ({
  ...{ title, group: 'test', seconds: 12, tries: 1, isPassed: true, isGrave: false, lines: [] },
  ...changes,
});
const run = (...taken: Taken[]): Run => ({
  ...{ taken, planned: taken.length, seconds: 99, asked: 'This change asks for no proof.' },
  machine: { stolenShare: 0, pausedShare: 0, longestStopMs: 12, foreignShare: 0 },
});

test('a run that passed says how long each step took, and ends with one word', () => {
  const lines = verdict(run(step('one'), step('two')));
  expect(lines).toContain('   12 s  one');
  expect(lines.at(-1)).toBe('PASSED after 99 s');
});

test('what failed comes first with its lines; what needed a second try is named', () => {
  const failed = step('tests', { isPassed: false, lines: ['journeys x.test.ts: too late'] });
  const lines = verdict(run(step('kit', { tries: 2 }), failed));
  expect(lines.slice(0, 3)).toEqual(['FAILED: tests', '  journeys x.test.ts: too late', 'needed a second try: kit']);
  expect(lines.at(-1)).toBe('REFUSED after 99 s');
});

test('a grave finding says that no repeat clears it', () => {
  expect(verdict(run(step('tests', { isPassed: false, isGrave: true })))[0]).toBe(
    'FAILED: tests (final: no repeat clears it)',
  );
});

test('the verdict names what is grave first, however many files failed', () => {
  const failed = Array.from({ length: 50 }, (_, n) => ({
    project: 'journeys',
    path: `${n}.test.ts`,
    failures: ['no'],
  }));
  const ended = { list: { fileCount: 60, failed, withoutFile: [] }, graves: ['49.test.ts: the books'] };
  const lines = verdict(run(step('tests', { isPassed: false, isGrave: true, lines: describeRun(ended) })));
  expect(lines.slice(1, 3)).toEqual(['  GRAVE: 49.test.ts: the books', '  journeys 0.test.ts: no']);
});

test('a grave step is named before the others, and each step that failed has its lines', () => {
  const many = Array.from({ length: 60 }, (_, n) => `line ${n}`);
  const kit = step('kit', { isPassed: false, isGrave: true, lines: ['a row'] });
  const told = verdict(run(step('tests', { isPassed: false, lines: many }), kit));
  expect(told.slice(0, 3)).toEqual(['FAILED: kit (final: no repeat clears it)', '  a row', 'FAILED: tests']);
});

test('without a failure, all second tries have room', () => {
  const lines = Array.from({ length: 40 }, (_, n) => `needed a second try: ${n}`);
  expect(verdict(run(step('tests', { lines })))).toEqual(expect.arrayContaining(lines));
});

test('a run that was stopped has not passed, although no step failed', () => {
  const stopped = { ...run(step('one')), planned: 3 };
  expect(isPassed(stopped)).toBe(false);
  expect(verdict(stopped)).toContain('2 steps did not run: the run was stopped');
});

test('the verdict has a limit, however much failed', () => {
  const lines = Array.from({ length: 400 }, (_, n) => `line ${n} ${'x'.repeat(900)}`);
  const taken = Array.from({ length: 15 }, (_, n) => step(`step ${n}`, { isPassed: n % 2 === 0, tries: 2, lines }));
  const told = verdict(run(...taken));
  expect(told.length).toBeLessThanOrEqual(LINES_MAX);
  expect(Math.max(...told.map((line) => line.length))).toBeLessThan(250);
  for (const { title } of taken) expect(told.join('\n')).toContain(title);
});
