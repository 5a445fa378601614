// The list of checks against the tree: what it names exists, and every long test is in one check.
import { existsSync, globSync } from 'node:fs';
import { matchesGlob } from 'node:path';
import { expect, test } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import config from '../../vitest.config.ts';
import { ROOT } from '../machine/run-command.ts';
import { type Check, isVitest, lines, narrowed, share, vitest } from './check.ts';
import { CHECKS } from './checks.ts';
import { longFiles, projectOf } from './find-tests.ts';
import { ALWAYS } from './test-files.ts';

const projectIn = ([, , , project]: readonly string[]) => project;
const filesOf = (command: readonly string[]) => command.filter((option) => option.endsWith('.test.ts'));
const commandsOf = ({ command, prepare = [], quick }: Check) => [
  ...[command, ...prepare],
  ...(quick !== undefined && quick !== 'full' ? [quick.command] : []),
];

test('every file that takes long is in exactly one check', () => {
  const long = CHECKS.filter(({ command }) => isVitest(command) && projectIn(command) === 'long');
  // One without files would run all of them.
  for (const { command } of long) expect(filesOf(command)).not.toEqual([]);
  expect(long.flatMap(({ command }) => filesOf(command)).toSorted()).toEqual(longFiles());
});

test('every test file is in one project, and what must never leave the gate is in it', () => {
  const projects = (config.test?.projects ?? []).flatMap((project) =>
    typeof project === 'object' && 'test' in project && project.test ? [project.test] : [],
  );
  const matches = (path: string, globs: readonly string[] = []) => globs.some((glob) => matchesGlob(path, glob));
  const projectsOf = (path: string) =>
    projects
      .filter(({ include, exclude }) => matches(path, include) && !matches(path, exclude))
      .map(({ name }) => String(name))
      .filter((name) => name !== 'money-ungrouped');
  const files = globSync('**/*.{test,spec}.{ts,tsx}', { cwd: ROOT, exclude: ['**/node_modules', '**/dist'] });
  expect(files.length).toBeGreaterThan(400);
  expect(files.filter((path) => projectsOf(path).length !== 1)).toEqual([]);
  const always = ALWAYS.map((glob) => globSync(glob, { cwd: ROOT }));
  for (const [index, found] of always.entries()) expect(found, ALWAYS[index]).not.toEqual([]);
  expect(always.flat().filter((path) => projectsOf(path)[0] !== 'journeys')).toEqual([]);
});

test('each check has a name of its own, and a limit', () => {
  const names = CHECKS.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  for (const { name, limitMinutes } of CHECKS) {
    expect(name).toMatch(/^[a-z][a-z-]*$/);
    expect(limitMinutes).toBeGreaterThan(0);
  }
});

test.each(CHECKS.map((check) => [check.name, check] as const))('%s names what exists', (_, check) => {
  const projects = (config.test?.projects ?? []).map((project) =>
    typeof project === 'object' && 'test' in project ? project.test?.name : undefined,
  );
  for (const command of commandsOf(check)) {
    const [program, run, , name = ''] = command;
    if (isVitest(command)) {
      expect(projects).toContain(projectIn(command));
      for (const file of filesOf(command)) expect(existsSync(`${ROOT}${file}`), file).toBe(true);
    } else if (program === 'npm') {
      expect(run).toBe('run');
      expect(Object.keys(packageJson.scripts)).toContain(name);
    } else expect(existsSync(`${ROOT}${program}`), program).toBe(true);
  }
  for (const glob of check.asks) {
    const [first] = globSync(glob, { cwd: ROOT });
    expect(first, `${glob} matches no file`).toBeDefined();
  }
});

test.each([
  ['browser', 'server/src/documents/html/style.ts'],
  ['browser', 'server/src/evidence/pages/evidence-script.ts'],
  ['browser', 'examples/consumer-journey/public/index.html'],
  ['commands', 'server/src/documents/painter.ts'],
])('%s tests %s, so it asks for a proof when that changes', (name, path) => {
  const { asks = [] } = CHECKS.find((check) => check.name === name) ?? {};
  expect(asks.some((glob) => matchesGlob(path, glob))).toBe(true);
});

test.each([
  [
    'image',
    ['.dockerignore', 'deploy/healthcheck.js', 'server/package.json', 'server/src/main.ts', 'console/index.html'],
  ],
  ['upgrade', ['deploy/systemd/haproxy.cfg', 'server/migrations/0001_foundation.sql']],
])('%s is asked for by a change of what it starts', (name, paths) => {
  const asks = CHECKS.find((check) => check.name === name)?.asks ?? [];
  for (const path of paths) {
    expect(existsSync(`${ROOT}${path}`), path).toBe(true);
    expect(
      asks.some((glob) => matchesGlob(path, glob)),
      path,
    ).toBe(true);
  }
});

test('the project of a file, by its list or its folder; two files of one check are in one project', () => {
  expect(projectOf(longFiles())).toBe('long');
  expect(projectOf(['server/src/lib/limits/places.test.ts'])).toBe('measured');
  expect(projectOf(['server/test/reports/journeys.test.ts'])).toBe('journeys');
  expect(projectOf(['tools/prove/checks.test.ts'])).toBe('beside');
  expect(() => projectOf(['tools/prove/checks.test.ts', 'server/test/reports/journeys.test.ts'])).toThrow(
    /one project/,
  );
});

test('a repeat runs the failed files alone, in the same project', () => {
  const whole = vitest('long', 'server/a.test.ts', 'server/b.test.ts');
  expect(filesOf(narrowed(whole, ['server/b.test.ts']))).toEqual(['server/b.test.ts']);
  expect(projectIn(narrowed(whole, ['server/b.test.ts']))).toBe('long');
});

test('figures are the lines that were asked for, and how many of all', () => {
  const output = 'a: held\nb:  BROKEN\nmany   figures  7\nc: held\n';
  expect(lines(/^many .*$/, /^\w: held$/)(output)).toBe('many figures 7; a: held; c: held');
  expect(share(/: held$/, /^\w: /, 'scenarios held')(output)).toBe('2 of 3 scenarios held');
});

test('a repeat of faults runs the scenarios that did not hold', () => {
  const { again } = CHECKS.find(({ name }) => name === 'faults') ?? {};
  expect(again?.('stall: held\ntenant-flood: BROKEN\n  BROKEN: p99\nfull-disk: BROKEN\n')).toEqual([
    '--scenario',
    'tenant-flood,full-disk',
  ]);
  expect(again?.('stall: held\n')).toEqual([]);
});
