// With real child processes. What a command started has ended with it, however it was started.
import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { eventually } from '../testing/eventually.ts';
import { type Order, runCommand } from './run-command.ts';

/** `gone` also for one that was killed and that its parent, or who adopted it, has not asked for yet. */
async function stateOf(id: number): Promise<string> {
  const state = (await readFile(`/proc/${id}/stat`, 'utf8').catch(() => '')).split(' ')[2];
  return state === undefined || state === 'Z' ? 'gone' : 'runs';
}

/** Runs a script of a shell that prints one process id; it is told to end when it has. */
async function run(script: string, isEnded: boolean, hasOwnGroup: boolean) {
  const stopping = new AbortController();
  let text = '';
  const output = (chunk: Buffer) => {
    text += chunk.toString();
    if (isEnded) stopping.abort();
  };
  const order: Order = { command: ['sh', '-c', script], output, hasOwnGroup, signal: stopping.signal };
  return { ...(await runCommand(order)), started: Number.parseInt(text, 10) };
}

const FOREVER = 'sleep 600';
const rows: [string, string][] = [
  ['in its group', `${FOREVER} & echo $!`],
  ['in a session of its own', `setsid ${FOREVER} & echo $!`],
  ['whose parent has ended', `sh -c 'setsid ${FOREVER} >/dev/null 2>&1 & echo $!'`],
  ['by a process without the mark in its environment', `env -i setsid sh -c '${FOREVER} & echo $!; wait' & wait`],
];
for (const hasOwnGroup of [true, false]) {
  for (const [name, script] of rows) {
    test(`what was started ${name} ends with a command ${hasOwnGroup ? 'in' : 'without'} a group of its own`, async () => {
      const isEndless = script.endsWith('wait');
      const { started } = await run(isEndless ? script : `${script}; sleep 0.05`, isEndless, hasOwnGroup);
      expect(started).toBeGreaterThan(0);
      await eventually(async () => expect(await stateOf(started)).toBe('gone'));
    });
  }
}

test('output that a stranger keeps open is not waited for', async () => {
  // Without the mark, and without its parents, nothing says that it belongs to the command.
  const { code, started } = await run(`env -i setsid ${FOREVER} & echo $!; exec sleep 0.3`, false, false);
  try {
    expect([code, await stateOf(started)]).toEqual([0, 'runs']);
  } finally {
    process.kill(started, 'SIGKILL');
  }
});

test('a command that ends by itself has its code, and one that is told to end has none', async () => {
  expect(await run('echo 1; exit 7', false, false)).toMatchObject({ code: 7, processId: expect.any(Number) });
  expect(await run('echo 1; while :; do sleep 1; done', true, true)).toMatchObject({ code: null });
});
