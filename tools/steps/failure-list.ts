// A reporter for Vitest: writes the list of failed files that tools/steps/test-all.ts and tools/prove ask for.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, relative } from 'node:path';
import type { SerializedError } from 'vitest';
import type { TestModule } from 'vitest/node';
import { type FailedFile, LIST_PATH, type TestRun } from './failed-files.ts';

type LooseError = SerializedError & { readonly VITEST_TEST_PATH?: string };
type Failure = { readonly line: string; readonly isGrave: boolean };

/** The name of the class in server/test/support/grave.ts; only names of errors come here from the tests' processes. */
const GRAVE_NAME = 'GraveFinding';

const firstLine = (error: SerializedError | undefined) => String(error?.message ?? 'no message').split('\n')[0] ?? '';
const isGrave = ({ name }: SerializedError) => name === GRAVE_NAME;

function failuresOf(module: TestModule, loose: readonly LooseError[]): Failure[] {
  const tests = [...module.children.allTests()].flatMap((test): Failure[] => {
    const { state, errors = [] } = test.result();
    if (state !== 'failed') return [];
    return [{ line: `${test.fullName}: ${firstLine(errors[0])}`, isGrave: errors.some(isGrave) }];
  });
  const ownErrors = [
    ...module.errors(),
    ...[...module.children.allSuites()].flatMap((suite) => suite.errors()),
    ...loose.filter((error) => error.VITEST_TEST_PATH === module.moduleId),
  ];
  const own = ownErrors.map((error) => ({ line: firstLine(error), isGrave: isGrave(error) }));
  if (tests.length + own.length > 0) return [...tests, ...own];
  const state = module.state();
  return state === 'passed' || state === 'skipped' ? [] : [{ line: `the file ended as "${state}"`, isGrave: false }];
}

function listFailures(modules: readonly TestModule[], loose: readonly LooseError[]): Omit<TestRun, 'processId'> {
  const failed = modules.flatMap((module): FailedFile[] => {
    const failures = failuresOf(module, loose);
    if (failures.length === 0) return [];
    return [
      {
        project: module.project.name,
        path: relative(process.cwd(), module.moduleId),
        failures: failures
          .toSorted((left, right) => Number(right.isGrave) - Number(left.isGrave))
          .map(({ line }) => line),
        isGrave: failures.some((failure) => failure.isGrave),
      },
    ];
  });
  const known = new Set(modules.map(({ moduleId }) => moduleId));
  const hasUnended = modules.some((module) => ['pending', 'queued'].includes(module.state()));
  const withoutFile = loose
    .filter(({ VITEST_TEST_PATH: path }) => path === undefined || !known.has(path))
    .map((error) => firstLine(error))
    // The pool's error for a worker that died names no file; the file that it ran is listed as not ended.
    .filter((message) => !(hasUnended && message.startsWith('[vitest-pool]')));
  return { failed, withoutFile };
}

// biome-ignore lint/style/noDefaultExport: Vitest loads a reporter by its default export.
export default class FailureList {
  onTestRunEnd(modules: readonly TestModule[], loose: readonly SerializedError[]) {
    mkdirSync(dirname(LIST_PATH), { recursive: true });
    writeFileSync(LIST_PATH, JSON.stringify({ processId: process.pid, ...listFailures(modules, loose) }));
  }
}
