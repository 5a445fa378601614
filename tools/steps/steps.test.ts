import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { GROUPS, planSteps, STEPS, UsageError } from './steps.ts';

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const titles = (steps: readonly { readonly title: string }[]) => steps.map(({ title }) => title);

test('without a name every step is run, and each once', () => {
  expect(titles(planSteps([]))).toEqual(titles(STEPS));
  expect(new Set(titles(STEPS)).size).toBe(STEPS.length);
});

test('the groups, each a job of its own, are together every step', () => {
  expect(GROUPS.flatMap((group) => titles(planSteps([group])))).toEqual(titles(STEPS));
});

test('verify is the static checks and the tests', () => {
  expect(new Set(planSteps(['verify']).map(({ group }) => group))).toEqual(new Set(['static', 'tests']));
});

test('a group that does not exist is refused, and the refusal names those that do', () => {
  expect(() => planSteps(['static', 'tets'])).toThrow(UsageError);
  expect(() => planSteps(['tets'])).toThrow(/no group tets.*static, tests/);
});

test('every step is a script of package.json or a file of .ci', () => {
  for (const { command } of STEPS) {
    const [file, , , name = ''] = command;
    if (file === 'npm') expect(packageJson.scripts).toHaveProperty([name]);
    else expect(read(file)).toMatch(/^#!/);
  }
});

test('the workflow and .ci/run name no step: they call this list', () => {
  const workflow = read('.github/workflows/ci.yaml');
  expect(workflow).toContain('.ci/run "$GROUP"');
  expect(workflow).toContain('npm run -s steps -- --json');
  const scripts = STEPS.flatMap(({ command: [, , , name] }) => name ?? []);
  for (const text of [workflow, read('.ci/run')]) {
    for (const name of scripts) expect(text).not.toMatch(new RegExp(`npm (run )?(-s )?${name}\\b`));
    for (const group of GROUPS) expect(text.replaceAll(/#.*/g, '')).not.toMatch(new RegExp(`\\b${group}\\b`));
  }
  expect(read('.ci/run')).toContain('npm run -s steps -- "$@"');
});
