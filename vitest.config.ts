import { globSync } from 'node:fs';
import { defineConfig } from 'vitest/config';
import type { TestModule } from 'vitest/node';
import { WORKERS } from './tools/own-services/servers.ts';
import { LONG, MEASURED, MONEY, PROJECTS } from './tools/prove/test-files.ts';
import { HOOK_LIMIT_MS, TEST_LIMIT_MS } from './tools/testing/limits.ts';

/** What `npm run prove` runs instead. */
const exclude = [...MEASURED, ...LONG, '**/node_modules/**'];

/** A file that failed is run again in a process of its own, and no other beside it (tools/steps/test-all.ts). */
const isAlone = process.env['TREFOIL_TEST_ALONE'] === '1';

/** The test of that name, or the tests in a folder of that name; the run fails when a renamed test is not found. */
function testsOf(name: string): string[] {
  const patterns = [`server/test/**/${name}.test.ts`, `server/test/**/${name}/*.test.ts`];
  const found = patterns
    .map((pattern) => globSync(pattern, { cwd: import.meta.dirname }))
    .find((paths) => paths.length > 0);
  if (!found) throw new Error(`there is no money test called ${name}`);
  return found;
}

/** Prints the line that a machine reads. */
const countTests = {
  onTestRunEnd(modules: readonly TestModule[]) {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const count = (state: string) => tests.filter((test) => test.result().state === state).length;
    console.log(`tests: ${count('passed')} passed, ${count('failed')} failed`);
  },
};

const every = {
  testTimeout: TEST_LIMIT_MS,
  hookTimeout: HOOK_LIMIT_MS,
  setupFiles: ['tools/steps/set-up-file.ts'],
  // Files share a worker's modules: loading them anew for each cost a third of the processor time.
  isolate: isAlone,
};
const journeys = {
  ...every,
  globalSetup: ['server/test/global-setup.ts'],
  provide: { databaseGrouping: 'on' },
};

const maxWorkers = isAlone ? 1 : WORKERS;

export default defineConfig({
  test: {
    // A focused test would skip the rest of its file.
    allowOnly: false,
    maxWorkers,
    reporters: ['default', countTests, './tools/steps/failure-list.ts'],
    projects: [
      {
        test: {
          ...every,
          exclude,
          name: 'beside',
          include: PROJECTS.beside,
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          ...journeys,
          exclude,
          name: 'journeys',
          include: PROJECTS.journeys,
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          ...journeys,
          name: 'long',
          include: [...LONG],
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          ...journeys,
          name: 'money-ungrouped',
          include: MONEY.flatMap(testsOf),
          provide: { databaseGrouping: 'off' },
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          ...journeys,
          isolate: true,
          name: 'measured',
          include: [...MEASURED],
          maxWorkers: 1,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
