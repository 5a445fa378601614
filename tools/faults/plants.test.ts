// Keeps the edits of the servers' copy applicable between the rare runs with them: a change that moves the code they
// edit fails here.
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { editedFiles } from '../breakages/copy.ts';
import { PLANTS } from './plants.ts';
import { MISUSES, SCENARIOS } from './scenarios/index.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const ALL = [...SCENARIOS, ...MISUSES];
const NAMES = ALL.map(({ name }) => name);

test('each plant belongs to a scenario, and scenarios have names of their own', () => {
  expect([...PLANTS.keys()].filter((name) => !NAMES.includes(name))).toEqual([]);
  expect(new Set(NAMES).size).toBe(NAMES.length);
});

for (const scenario of ALL) {
  const plant = PLANTS.get(scenario.name);
  const edits = [...(scenario.hasten ?? []), ...(plant?.edits ?? [])];
  if (edits.length === 0) continue;
  test(`the edits of ${scenario.name} still apply: each text to replace occurs exactly once`, async () => {
    const breakage = { id: scenario.name, edits, breaks: '', sentence: '', rows: /./ };
    const texts = await editedFiles(ROOT, breakage);
    expect([...texts.keys()].every((file) => file.startsWith('server/src/'))).toBe(true);
  });
}
