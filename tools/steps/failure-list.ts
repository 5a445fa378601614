// A reporter for Vitest: writes the list of failed files into the folder of the run (tools/steps/test-run.ts), if it has one.
import { writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { SerializedError } from 'vitest';
import type { TestModule } from 'vitest/node';
import { LIST_NAME, RUN_FOLDER } from '../testing/run-folder.ts';
import type { FailedFile, FailureList } from './test-run.ts';

type LooseError = SerializedError & { readonly VITEST_TEST_PATH?: string };

const firstLine = (error: SerializedError | undefined) => String(error?.message ?? 'no message').split('\n')[0] ?? '';

function failuresOf(module: TestModule, loose: readonly LooseError[]): string[] {
  const tests = [...module.children.allTests()].flatMap((test) => {
    const { state, errors = [] } = test.result();
    return state === 'failed' ? [`${test.fullName}: ${firstLine(errors[0])}`] : [];
  });
  const ownErrors = [
    ...module.errors(),
    ...[...module.children.allSuites()].flatMap((suite) => suite.errors()),
    ...loose.filter((error) => error.VITEST_TEST_PATH === module.moduleId),
  ];
  const failures = [...tests, ...ownErrors.map(firstLine)];
  const state = module.state();
  const isEnded = state === 'passed' || state === 'skipped';
  return failures.length > 0 || isEnded ? failures : [`the file ended as "${state}"`];
}

function listFailures(modules: readonly TestModule[], loose: readonly LooseError[]): FailureList {
  const failed = modules.flatMap((module): FailedFile[] => {
    const failures = failuresOf(module, loose);
    const path = relative(process.cwd(), module.moduleId);
    return failures.length > 0 ? [{ project: module.project.name, path, failures }] : [];
  });
  const known = new Set(modules.map(({ moduleId }) => moduleId));
  const hasUnended = modules.some((module) => ['pending', 'queued'].includes(module.state()));
  const withoutFile = loose
    .filter(({ VITEST_TEST_PATH: path }) => path === undefined || !known.has(path))
    .map((error) => firstLine(error))
    // The pool's error for a worker that died names no file; the file that it ran is listed as not ended.
    .filter((message) => !(hasUnended && message.startsWith('[vitest-pool]')));
  return { fileCount: modules.length, failed, withoutFile };
}

// biome-ignore lint/style/noDefaultExport: Vitest loads a reporter by its default export.
export default class FailureListReporter {
  onTestRunEnd(modules: readonly TestModule[], loose: readonly SerializedError[]) {
    const folder = process.env[RUN_FOLDER];
    if (folder !== undefined) writeFileSync(join(folder, LIST_NAME), JSON.stringify(listFailures(modules, loose)));
  }
}
