import { expect, test } from 'vitest';
import { describeFiles } from './failed-files.ts';
import type { Taken } from './run-step.ts';
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

test('of several files, the verdict names the grave one, and keeps it however many failed', () => {
  const file = (path: string, isGrave: boolean) => ({ project: 'journeys', path, failures: ['not so'], isGrave });
  const many = Array.from({ length: 50 }, (_, n) => file(`${n}.test.ts`, n === 49));
  const lines = verdict(run(step('tests', { isPassed: false, isGrave: true, lines: describeFiles(many) })));
  expect(lines[1]).toBe('  GRAVE: journeys 49.test.ts: not so');
  expect(lines[2]).toBe('  journeys 0.test.ts: not so');
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
