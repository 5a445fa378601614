import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startGroup } from './run-group.ts';
import type { Step } from './steps.ts';

const step = (title: string, script: string): Step => ({
  group: 'test',
  title,
  command: [process.execPath, '-e', script],
});

function start(...steps: Step[]) {
  const begun: string[] = [];
  return { begun, group: startGroup(steps, { begin: (title) => begun.push(title), isShown: false, restMs: 0 }) };
}

test('the steps run one after another, and what they wrote is kept', async () => {
  const { begun, group } = start(step('one', 'console.log("a")'), step('two', 'console.error("b")'));
  const { failed, taken, output } = await group.ended;
  expect(failed).toBeUndefined();
  expect(output).toBe('a\nb\n');
  expect(begun).toEqual(['one', 'two']);
  expect(taken.map(({ title }) => title)).toEqual(['one', 'two']);
});

test('a step that fails ends its group, and is named', async () => {
  const { begun, group } = start(step('one', 'console.log("why"); process.exitCode = 3'), step('two', ''));
  const { failed, output } = await group.ended;
  expect(failed).toEqual({ title: 'one', lastLines: 'why' });
  expect(output).toBe('why\n');
  expect(begun).toEqual(['one']);
});

/** Fails at its first start and passes at its second. */
const stumbleScript = (file: string) =>
  `const fs = require("node:fs"); const isFirst = !fs.existsSync(${JSON.stringify(file)});
  fs.writeFileSync(${JSON.stringify(file)}, ""); console.log(isFirst ? "first" : "second"); process.exitCode = isFirst ? 1 : 0`;

test('a step that may be run once more is, and what it wrote the first time is kept', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'trefoil-steps-'));
  try {
    const { group } = start({ ...step('one', stumbleScript(join(folder, 'seen'))), again: 'failed' });
    const { failed, output } = await group.ended;
    expect(failed).toBeUndefined();
    expect(output).toMatch(/^first\n\none FAILED, and is run once more .*\nsecond\n$/);
  } finally {
    await rm(folder, { recursive: true });
  }
});

test('a step that fails twice has failed; it is not run a third time', async () => {
  const { group } = start({ ...step('one', 'console.log("why"); process.exitCode = 3'), again: 'failed' });
  const { failed, output } = await group.ended;
  expect(failed?.title).toBe('one');
  expect(output.match(/why/g)).toHaveLength(2);
});

test('a drill that found something is not run once more; one that could not run is', async () => {
  const drill = (code: number) =>
    start({ ...step('one', `console.log("why"); process.exitCode = ${code}`), again: 'no-verdict' }).group.ended;
  expect((await drill(1)).output).toBe('why\n');
  expect((await drill(2)).output.match(/why/g)).toHaveLength(2);
});

test('a drill that twice missed only times on a slow machine passes, and the summary says so', async () => {
  const drill = async (again: NonNullable<Step['again']>, first: number, second: number) => {
    const folder = await mkdtemp(join(tmpdir(), 'trefoil-steps-'));
    const flag = JSON.stringify(join(folder, 'ran'));
    const program = `const { existsSync, writeFileSync } = require("node:fs");
      process.exitCode = existsSync(${flag}) ? ${second} : ${first}; writeFileSync(${flag}, "")`;
    try {
      return await start({ ...step('one', program), again }).group.ended;
    } finally {
      await rm(folder, { recursive: true });
    }
  };
  const { failed, taken, output } = await drill('no-verdict', 4, 4);
  expect(failed).toBeUndefined();
  expect(taken.map(({ title }) => title)).toEqual(['one, times NOT JUDGED']);
  expect(output).toMatch(/one: times NOT JUDGED/);
  for (const [first, second] of [
    [4, 3],
    [4, 2],
    [4, 1],
    [3, 4],
    [2, 4],
    [1, 4],
  ] as const) {
    expect((await drill('no-verdict', first, second)).failed?.title).toBe('one');
  }
  expect((await drill('failed', 4, 4)).failed?.title).toBe('one');
  expect((await drill('no-verdict', 3, 0)).taken.map(({ title }) => title)).toEqual(['one']);
});

test('a group that is stopped has failed, and begins no other step', async () => {
  const { begun, group } = start(step('one', 'setInterval(() => {}, 1000)'), step('two', ''));
  group.stop();
  expect((await group.ended).failed?.title).toBe('one');
  expect(begun).toEqual(['one']);
});

test('of a step that wrote much, the last lines come with the failure', async () => {
  const { group } = start(step('one', 'for (let n = 1; n <= 100; n++) console.log(n); process.exitCode = 1'));
  const lines = (await group.ended).failed?.lastLines.split('\n');
  expect(lines).toHaveLength(20);
  expect(lines?.at(-1)).toBe('100');
});

test('a step that does not end is stopped with what it started, named, and says so', async () => {
  const hang =
    'require("node:child_process").spawn("sleep", ["600"], { stdio: "inherit" }); setInterval(() => {}, 1000)';
  const { group } = start({ ...step('one', hang), limitMinutes: 0.005 });
  const { failed } = await group.ended;
  expect(failed?.title).toBe('one');
  expect(failed?.lastLines).toContain('stopped: it had not ended after');
});

test('a drill that has found something and takes too long is not run once more', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'trefoil-steps-'));
  try {
    const runs = join(folder, 'runs');
    const found = `require("node:fs").appendFileSync(${JSON.stringify(runs)}, "run ");
      process.on("SIGTERM", () => process.exit(1)); setInterval(() => {}, 1000)`;
    const { failed } = await start({ ...step('one', found), limitMinutes: 0.05, again: 'no-verdict' }).group.ended;
    expect(failed?.title).toBe('one');
    expect(await readFile(runs, 'utf8')).toBe('run ');
  } finally {
    await rm(folder, { recursive: true });
  }
});
