// What a run of tests left: which files failed, and what it found that no repeat may clear. Each run has a folder of its own, named in
// its environment. The reporter tools/steps/failure-list.ts writes the list there when the last test has ended; a grave finding
// (server/test/support/grave.ts) is written at the moment it is made, so that nothing that happens afterwards can hide it.
// Decision: docs/decisions/0264-the-gate-and-the-proofs.md.
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../machine/run-command.ts';
import { GRAVES_NAME, LIST_NAME, RUN_FOLDER } from '../testing/run-folder.ts';

export type FailedFile = {
  readonly project: string;
  readonly path: string;
  /** One line for each test that failed, or for the file itself when it did not run. */
  readonly failures: readonly string[];
};

/** What the reporter knows. */
export type FailureList = {
  /** How many files ran. */
  readonly fileCount: number;
  readonly failed: readonly FailedFile[];
  /** Errors without a file. */
  readonly withoutFile: readonly string[];
};

export type TestRun = {
  /** Undefined if the tests did not come to their end. */
  readonly list: FailureList | undefined;
  /** One line for each: the books do not add up, a credit was lost or charged twice, and the like. */
  readonly graves: readonly string[];
};

export type OpenRun = {
  readonly environment: Readonly<Record<string, string>>;
  read(): TestRun;
  close(): void;
};

export function openTestRun(): OpenRun {
  const parent = join(ROOT, 'node_modules/.cache/test-runs');
  mkdirSync(parent, { recursive: true });
  const folder = mkdtempSync(join(parent, 'run-'));
  const readText = (name: string) => {
    try {
      return readFileSync(join(folder, name), 'utf8');
    } catch {
      return undefined;
    }
  };
  return {
    environment: { [RUN_FOLDER]: folder },
    read() {
      const list = readText(LIST_NAME);
      const graves = new Set(readText(GRAVES_NAME)?.split('\n').filter(Boolean));
      return { list: list === undefined ? undefined : (JSON.parse(list) as FailureList), graves: [...graves] };
    },
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/**
 * What a run of tests asks for: `all` is repeated after an error that belongs to no file, `files` are repeated by themselves,
 * and nothing clears what is grave.
 */
export type Next =
  | { readonly kind: 'passed' | 'grave' | 'all' }
  | { readonly kind: 'files'; readonly files: readonly FailedFile[] };

/** A run that ended well although nothing ran, or although a file failed, has shown nothing. */
export function nextOf(isPassed: boolean, { list, graves }: TestRun): Next {
  if (graves.length > 0) return { kind: 'grave' };
  if (!list || list.withoutFile.length > 0 || list.fileCount === 0) return { kind: 'all' };
  if (list.failed.length > 0) return { kind: 'files', files: list.failed };
  return { kind: isPassed ? 'passed' : 'all' };
}

/** One line for each file: how many of its tests failed, and the first of them. */
export const describeFiles = (files: readonly FailedFile[]): string[] =>
  files.map(({ project, path, failures: [first = 'it failed', ...more] }) => {
    return `${project} ${path}: ${first}${more.length > 0 ? ` (and ${more.length} more)` : ''}`;
  });

/** What is grave first: a long list is cut at its end. */
export const describeRun = ({ list, graves }: TestRun): string[] => [
  ...graves.map((line) => `GRAVE: ${line}`),
  ...describeFiles(list?.failed ?? []),
  ...(list
    ? list.withoutFile.map((line) => `an error without a file: ${line}`)
    : ['the tests did not come to their end']),
];
