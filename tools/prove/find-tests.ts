// Where a test file runs: the projects of vitest.config.ts, by the lists of test-files.ts.
import { globSync } from 'node:fs';
import { matchesGlob } from 'node:path';
import { ROOT } from '../machine/run-command.ts';
import { LONG, MEASURED, PROJECTS } from './test-files.ts';

export const longFiles = (): string[] => LONG.flatMap((pattern) => globSync(pattern, { cwd: ROOT })).toSorted();

const isIn = (path: string, patterns: readonly string[]) => patterns.some((pattern) => matchesGlob(path, pattern));

/** Those that the gate runs, in the order of their names. */
export const gateFiles = (): string[] =>
  globSync(Object.values(PROJECTS).flat(), { cwd: ROOT, exclude: (path) => path.endsWith('node_modules') })
    .filter((path) => !isIn(path, [...LONG, ...MEASURED]))
    .toSorted();

function projectOfFile(path: string): string {
  if (isIn(path, LONG)) return 'long';
  if (isIn(path, MEASURED)) return 'measured';
  return path.startsWith('server/test/') ? 'journeys' : 'beside';
}

/** Vitest would pass over a file that is in another project. */
export function projectOf(files: readonly string[]): string {
  const projects = [...new Set(files.map(projectOfFile))];
  if (projects.length > 1) throw new Error(`${files.join(', ')} are not in one project`);
  return projects[0] ?? 'long';
}
