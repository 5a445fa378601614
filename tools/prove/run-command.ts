// One command of a check as a child process, with everything that it starts. Its output goes to a file.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { descendantsOf, listProcesses, type Process } from '../machine/processes.ts';
import type { Command } from './check.ts';

export const ROOT = fileURLToPath(new URL('../../', import.meta.url));
/** How long a command that was told to stop may take, before it is killed with everything that it started. */
const STOP_MS = 20_000;

export type Order = {
  readonly command: Command;
  readonly environment: Readonly<Record<string, string>>;
  /** Of the open file that takes its output. */
  readonly logFile: number;
  /** Aborted when it must end: its time is over, or the run was interrupted. */
  readonly signal: AbortSignal;
};

export type Ended = { readonly code: number | null; readonly processId: number | undefined };

function signalGroup({ pid }: ChildProcess, name: NodeJS.Signals): void {
  try {
    if (pid !== undefined) process.kill(-pid, name);
  } catch {
    // Nothing is left of it.
  }
}

/** What the command started may be in groups of its own, and outlive it. */
function killAll(processes: readonly Process[]): void {
  const alive = new Map(listProcesses().map(({ id, startedTicks }) => [id, startedTicks]));
  for (const { id, startedTicks } of processes) {
    // An id that was used again is another program.
    if (alive.get(id) !== startedTicks) continue;
    try {
      process.kill(id, 'SIGKILL');
    } catch {
      // It has ended.
    }
  }
}

/** With the Node of this process: without npm between, the path may lead to another. */
const resolved = ([program, ...options]: Command): string[] =>
  program === 'vitest' ? [process.execPath, `${ROOT}node_modules/.bin/vitest`, ...options] : [program, ...options];

/** Null if it was ended by a signal, or could not start. */
export async function runCommand({ command, environment, logFile, signal }: Order): Promise<Ended> {
  const settings = Object.entries(environment).map(([name, value]) => `${name}=${value}`);
  // A group of its own: a signal then reaches everything in it, and a terminal's Ctrl-C reaches only this process.
  const child = spawn('env', [...settings, ...resolved(command)], {
    ...{ cwd: ROOT, detached: true },
    stdio: ['ignore', logFile, logFile],
  });
  let started: readonly Process[] = [];
  let killing: NodeJS.Timeout | undefined;
  const end = () => {
    started = child.pid === undefined ? [] : descendantsOf(child.pid, listProcesses());
    signalGroup(child, 'SIGTERM');
    killing = setTimeout(() => {
      signalGroup(child, 'SIGKILL');
      killAll(started);
    }, STOP_MS);
  };
  if (signal.aborted) end();
  else signal.addEventListener('abort', end);
  try {
    const [code] = (await once(child, 'exit')) as [number | null];
    return { code, processId: child.pid };
  } catch {
    return { code: null, processId: undefined };
  } finally {
    signal.removeEventListener('abort', end);
    clearTimeout(killing);
    // What it left behind would be noise beside the next check.
    signalGroup(child, 'SIGKILL');
    killAll(started);
  }
}
