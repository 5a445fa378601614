// A reporter for Vitest: writes the list of failed files that tools/steps/test-all.ts asks for.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, relative } from 'node:path';
import type { SerializedError } from 'vitest';
import type { TestModule } from 'vitest/node';
import { type FailedFile, LIST_PATH, type TestRun } from './failed-files.ts';

type LooseError = SerializedError & { readonly VITEST_TEST_PATH?: string };

const firstLine = (error: SerializedError | undefined) => String(error?.message ?? 'no message').split('\n')[0] ?? '';

function failuresOf(module: TestModule, loose: readonly LooseError[]): string[] {
  const tests = [...module.children.allTests()].flatMap((test) => {
    const { state, errors } = test.result();
    return state === 'failed' ? [`${test.fullName}: ${firstLine(errors?.[0])}`] : [];
  });
  const ownErrors = [...module.errors(), ...loose.filter((error) => error.VITEST_TEST_PATH === module.moduleId)];
  const own = ownErrors.map((error) => firstLine(error));
  if (tests.length + own.length > 0) return [...tests, ...own];
  const state = module.state();
  return state === 'passed' || state === 'skipped' ? [] : [`the file ended as "${state}"`];
}

function listFailures(modules: readonly TestModule[], loose: readonly LooseError[]): Omit<TestRun, 'processId'> {
  const failed = modules.flatMap((module): FailedFile[] => {
    const failures = failuresOf(module, loose);
    const path = relative(process.cwd(), module.moduleId);
    return failures.length === 0 ? [] : [{ project: module.project.name, path, failures }];
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
