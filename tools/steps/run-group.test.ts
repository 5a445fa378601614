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
  return { begun, group: startGroup(steps, { begin: (title) => begun.push(title), isShown: false }) };
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

test('a group that is stopped has failed, and begins no other step', async () => {
  const { begun, group } = start(step('one', 'setInterval(() => {}, 1000)'), step('two', ''));
  group.stop();
  expect((await group.ended).failed?.title).toBe('one');
  expect(begun).toEqual(['one']);
});

test('of a step that wrote much, the last lines come with the failure', async () => {
  const { group } = start(step('one', 'for (let n = 1; n <= 100; n++) console.log(n); process.exitCode = 1'));
  const lines = (await group.ended).failed?.lastLines.split('\n');
  expect(lines).toHaveLength(40);
  expect(lines?.at(-1)).toBe('100');
});
