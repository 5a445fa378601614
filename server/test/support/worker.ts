// A worker of a test server as a real process: it can be killed, and its memory is its own.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { TestServer } from '../harness.ts';
import { COMPILE_CACHE } from './command-line.ts';

const MAIN = fileURLToPath(new URL('../../src/main.ts', import.meta.url));

export type Worker = {
  /** The most memory that it has had at any time so far. */
  peakMegabytes(): Promise<number>;
  /** SIGKILL: nothing in it gets a chance to end well. */
  kill(): Promise<void>;
};

const hasEnded = ({ exitCode, signalCode }: ChildProcess) => exitCode !== null || signalCode !== null;

/** Resolves once it works. */
export async function startWorker({ environment }: TestServer): Promise<Worker> {
  const child = spawn(process.execPath, [MAIN, 'worker'], {
    env: { PATH: '/usr/bin:/bin', ...COMPILE_CACHE, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  for await (const line of createInterface({ input: child.stdout })) if (line.includes('"working"')) break;
  if (hasEnded(child)) throw new Error('the worker did not start');
  child.stdout.resume();
  return {
    async peakMegabytes() {
      const status = await readFile(`/proc/${child.pid}/status`, 'utf8');
      return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]) / 1_024;
    },
    async kill() {
      if (hasEnded(child)) return;
      const exited = once(child, 'exit');
      child.kill('SIGKILL');
      await exited;
    },
  };
}
