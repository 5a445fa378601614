// Which test files failed, and what follows from it. The reporter in vitest.config.ts writes the list; tools/steps/test-all.ts and
// tools/prove read it. Decision: docs/decisions/0264-the-gate-and-the-proofs.md.
import { readFileSync } from 'node:fs';
import { ROOT } from '../machine/run-command.ts';

export type FailedFile = {
  readonly project: string;
  readonly path: string;
  /** One line for each test that failed, or for the file itself when it did not run; what is grave comes first. */
  readonly failures: readonly string[];
  /** Whether it found what no repeat may clear (server/test/support/grave.ts). */
  readonly isGrave: boolean;
};

export type TestRun = {
  /** Of the process that ran the tests: another run in the same folder writes the same list. */
  readonly processId: number;
  readonly failed: readonly FailedFile[];
  /** Errors without a file. */
  readonly withoutFile: readonly string[];
};

/** The list of the last run, below the root of the project. */
export const LIST_PATH = 'node_modules/.cache/test-failures.json';

/** Undefined if that process left none, or has not ended. */
export function readList(processId: number | undefined): TestRun | undefined {
  try {
    const run = JSON.parse(readFileSync(`${ROOT}${LIST_PATH}`, 'utf8')) as TestRun;
    return run.processId === processId ? run : undefined;
  } catch {
    return undefined;
  }
}

/**
 * What a run of tests asks for: `all` is repeated after an error that belongs to no file, `files` are repeated by themselves,
 * and nothing clears what is grave.
 */
export type Next =
  | { readonly kind: 'passed' | 'grave' | 'all' }
  | { readonly kind: 'files'; readonly files: FailedFile[] };

export function nextOf(isPassed: boolean, run: TestRun | undefined): Next {
  if (run?.failed.some(({ isGrave }) => isGrave)) return { kind: 'grave' };
  if (isPassed) return { kind: 'passed' };
  if (!run || run.withoutFile.length > 0 || run.failed.length === 0) return { kind: 'all' };
  return { kind: 'files', files: [...run.failed] };
}

/** Those that found something grave first: a long list is cut at its end. */
export const graveFirst = (files: readonly FailedFile[]): FailedFile[] =>
  files.toSorted((left, right) => Number(right.isGrave) - Number(left.isGrave));

/** One line for each file: whether it found something grave, how many of its tests failed, and the first of them. */
export const describeFiles = (files: readonly FailedFile[]): string[] =>
  graveFirst(files).map(({ project, path, isGrave, failures: [first = 'it failed', ...more] }) => {
    const mark = isGrave ? 'GRAVE: ' : '';
    return `${mark}${project} ${path}: ${first}${more.length > 0 ? ` (and ${more.length} more)` : ''}`;
  });
