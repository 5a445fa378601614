// As a real process: signals cannot be sent to a part of one.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { expect, test } from 'vitest';

const MODULE = JSON.stringify(new URL('end-signal.ts', import.meta.url).href);

/** Says `ready`, then `draining` at the first signal, and `drained` when its input is closed. */
async function start(togetherMs: number) {
  const program = `
    const { firstEndSignal } = await import(${MODULE});
    const first = firstEndSignal(console.log, ${togetherMs});
    process.stdin.resume();
    console.log('ready');
    console.log('draining after', await first);
    process.stdin.on('end', () => { console.log('drained'); process.exit(0); });`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async () => (await lines.next()).value as string;
  const exit = once(child, 'exit') as Promise<[number | null, string | null]>;
  expect(await next()).toBe('ready');
  return { child, next, exit };
}

test('signals that arrive together are one: what has begun is finished', async () => {
  const { child, next, exit } = await start(3_600_000);
  child.kill('SIGTERM');
  expect(await next()).toBe('draining after SIGTERM');
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGTERM'] as const) child.kill(signal);
  child.stdin.end();
  expect(await next()).toBe('drained');
  expect(await exit).toEqual([0, null]);
});

test('a signal that arrives later ends the process at once, and it says so', async () => {
  const { child, next, exit } = await start(0);
  child.kill('SIGINT');
  expect(await next()).toBe('draining after SIGINT');
  child.kill('SIGINT');
  expect(await next()).toMatch(/^SIGINT arrived again: ended at once/);
  expect(await exit).toEqual([1, null]);
});
