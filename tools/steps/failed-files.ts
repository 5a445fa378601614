// Which test files failed, and whether they are run once more. The reporter in vitest.config.ts writes the list and
// tools/steps/test-all.ts reads it. Decision: docs/decisions/0212-a-failed-file-runs-once-more-alone.md.

export type FailedFile = {
  readonly project: string;
  readonly path: string;
  /** One line for each test that failed, or for the file itself when it did not run. */
  readonly failures: readonly string[];
};

export type TestRun = {
  /** Of the process that ran the tests: another run in the same folder writes the same list. */
  readonly processId: number;
  readonly failed: readonly FailedFile[];
  /** Errors without a file: no repeat could clear them. */
  readonly withoutFile: readonly string[];
};

/** The list of the last run, below the root of the project. */
export const LIST_PATH = 'node_modules/.cache/test-failures.json';

/** A busy machine disturbs some files. More than these are a fault of the change. */
export const MOST_REPEATED = 30;

/** Where a failure that comes rarely is still a fault: credits, and requests at the same moment. */
const RARE_COUNTS = /^server\/test\/money\/|races[^/]*$/;

/** How often in a row a failed file must pass, alone. */
export const timesAlone = (path: string): number => (RARE_COUNTS.test(path) ? 3 : 1);

/** Undefined: the failed files are run again, each alone. Otherwise why not. */
export function whyNotRepeated(run: TestRun | undefined): string | undefined {
  if (!run) return 'the test run ended without its list of failures';
  if (run.withoutFile.length > 0) return `an error belongs to no file: ${run.withoutFile[0]}`;
  if (run.failed.length === 0) return 'the test run failed, and its list of failures is empty';
  if (run.failed.length <= MOST_REPEATED) return undefined;
  return `${run.failed.length} files failed, and at most ${MOST_REPEATED} are repeated`;
}

/** One line for each failure, the last thing that a reader of the log sees. */
export const describeFailures = (files: readonly FailedFile[]): string[] =>
  files.flatMap(({ project, path, failures }) => failures.map((failure) => `  ${project} ${path}: ${failure}`));
