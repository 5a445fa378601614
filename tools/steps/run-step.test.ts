import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../testing/eventually.ts';
import { createRunner } from './run-step.ts';
import { GRAVE, type Step } from './steps.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'trefoil-steps-'));
});
afterAll(() => rm(folder, { recursive: true }));

const step = (script: string, changes: Partial<Step> = {}): Step => ({
  ...{ group: 'test', title: 'one', isRepeated: false, ...changes },
  command: [process.execPath, '-e', script],
});

async function run(each: Step) {
  const shown: string[] = [];
  const taken = await createRunner((text) => shown.push(text.toString())).run(each);
  return { taken, shown: shown.join('') };
}

/** Ends with these codes, one for each time that it is started. */
const codes = (name: string, ...list: number[]) =>
  `const fs = require("node:fs"); const file = ${JSON.stringify(join(folder, name))};
  fs.appendFileSync(file, "x"); const time = fs.readFileSync(file, "utf8").length;
  console.log("time " + time); process.exitCode = ${JSON.stringify(list)}[time - 1];`;

test('a step that passes is run once, and what it wrote is shown', async () => {
  const { taken, shown } = await run(step('console.log("a"); console.error("b")'));
  expect(taken).toMatchObject({ title: 'one', tries: 1, isPassed: true, isGrave: false, lines: [] });
  expect(shown).toMatch(/a\n/);
  expect(shown).toMatch(/b\n/);
});

test.each<[string, boolean, number[], object]>([
  ['fails where it is not repeated', false, [1, 0], { tries: 1, isPassed: false }],
  ['fails once', true, [1, 0], { tries: 2, isPassed: true }],
  ['fails twice: it is not run a third time', true, [1, 1, 0], { tries: 2, isPassed: false }],
  ['finds something grave: no repeat clears it', true, [GRAVE, 0], { tries: 1, isPassed: false, isGrave: true }],
  ['fails, then finds something grave', true, [1, GRAVE], { tries: 2, isPassed: false, isGrave: true }],
])('a step that %s', async (name, isRepeated, list, expected) => {
  expect((await run(step(codes(name, ...list), { isRepeated }))).taken).toMatchObject(expected);
});

test('lines for the verdict are those that it marks, of all tries', async () => {
  const script = 'console.log("verdict: too late\\nmore"); process.exitCode = 1';
  expect((await run(step(script, { isRepeated: true }))).taken.lines).toEqual(['too late', 'too late']);
});

test('a step that failed without a marked line is told by its last lines', async () => {
  const { taken } = await run(step('for (let n = 1; n <= 100; n++) console.log(n); process.exitCode = 1'));
  expect(taken.lines).toHaveLength(8);
  expect(taken.lines.at(-1)).toBe('100');
});

test('a program that does not exist fails its step', async () => {
  const { taken } = await run({ ...step(''), command: ['trefoil-no-such-program'] });
  expect(taken).toMatchObject({ isPassed: false });
  expect(taken.lines.join()).toContain('No such file');
});

test('a step that does not end is stopped, and says so', async () => {
  const { taken } = await run(step('setInterval(() => {}, 1000)', { limitMinutes: 0.001 }));
  expect(taken.isPassed).toBe(false);
  expect(taken.lines.join()).toContain('stopped: it had not ended after');
});

test('a step that was stopped has failed, although it ends well when it is told to', async () => {
  const script = 'process.on("SIGTERM", () => process.exit(0)); setInterval(() => {}, 1000); console.log("ready")';
  const runner = createRunner((text) => {
    if (text.toString().startsWith('ready')) runner.stop();
  });
  expect(await runner.run(step(script))).toMatchObject({ isPassed: false, tries: 1 });
});

test('what a step started ends with it, also what ignores signals and keeps its output open', async () => {
  const hang = `const { spawn } = require("node:child_process");
    const child = spawn("sh", ["-c", "trap '' TERM; echo $$; while :; do sleep 600; done"], { stdio: "inherit" });
    setInterval(() => {}, 1000)`;
  let child = 0;
  const runner = createRunner((text) => {
    child ||= Number.parseInt(text.toString(), 10);
    runner.stop();
  });
  await runner.run(step(hang));
  expect(child).toBeGreaterThan(0);
  // Until its parent has asked for its end, a process that was killed is still listed.
  const state = () => {
    try {
      return readFileSync(`/proc/${child}/stat`, 'utf8').split(' ')[2];
    } catch {
      return 'gone';
    }
  };
  await eventually(() => expect(state()).toMatch(/^(Z|gone)$/));
});

test('a runner that is stopped ends the step and begins no other', async () => {
  const runner = createRunner(() => undefined);
  const running = runner.run(step('setInterval(() => {}, 1000)', { isRepeated: true }));
  runner.stop();
  expect(await running).toMatchObject({ isPassed: false, tries: 1 });
  expect(await runner.run(step(''))).toMatchObject({ isPassed: false, tries: 0 });
});
