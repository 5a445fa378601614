// One command as a child process, with everything that it starts: when it has ended, nothing of it runs any more.
import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { descendantsOf, listProcesses, type Process } from './processes.ts';

export type Order = {
  readonly command: readonly [string, ...string[]];
  readonly environment?: Readonly<Record<string, string>>;
  /** The number of an open file, or a function that takes each part. */
  readonly output: number | ((chunk: Buffer) => void);
  /**
   * With a group of its own, a terminal's Ctrl-C reaches only this process, which then decides. Without, a terminal, or a machine that
   * stops a run, reaches everything.
   */
  readonly hasOwnGroup: boolean;
  /** Told the id of its process, which leads its group if it has one. */
  readonly onStart?: (processId: number) => void;
  /** Aborted when it must end: its time is over, or the run was interrupted. */
  readonly signal: AbortSignal;
};

/** The code is null if it was ended by a signal, or could not start. */
export type Ended = { readonly code: number | null; readonly processId: number | undefined };

export const ROOT = fileURLToPath(new URL('../../', import.meta.url));
/** How long a command that was told to stop may take, before it is killed with everything that it started. */
const STOP_MS = 20_000;
/** How long the output may stay open after everything that is known of it was killed. */
const CLOSE_MS = 5_000;
const MARK = 'TREFOIL_STARTED_BY';

function hasMark({ id }: Process, mark: string): boolean {
  try {
    return readFileSync(`/proc/${id}/environ`, 'utf8').split('\0').includes(`${MARK}=${mark}`);
  } catch {
    // It has ended, or belongs to another user.
    return false;
  }
}

/**
 * Every process that has the mark in its environment, also one whose parent has ended or that leads a group of its own; and what
 * those started with another environment. None where there is no /proc.
 */
function processesOf(mark: string): Process[] {
  const processes = listProcesses();
  const marked = processes.filter((each) => hasMark(each, mark));
  return [...new Set(marked.flatMap(({ id }) => descendantsOf(id, processes)))];
}

function kill(id: number | undefined, name: NodeJS.Signals): void {
  try {
    if (id !== undefined) process.kill(id, name);
  } catch {
    // Nothing is left of it.
  }
}

/** An id that was used again is another program. */
function killAll(processes: readonly Process[]): void {
  const alive = new Map(listProcesses().map(({ id, startedTicks }) => [id, startedTicks]));
  for (const { id, startedTicks } of processes) if (alive.get(id) === startedTicks) kill(id, 'SIGKILL');
}

function start({ command, environment = {}, output, hasOwnGroup }: Order, mark: string): ChildProcess {
  const settings = Object.entries({ ...environment, [MARK]: mark }).map(([name, value]) => `${name}=${value}`);
  const outlet = typeof output === 'number' ? output : 'pipe';
  const child = spawn('env', [...settings, ...command], {
    ...{ cwd: ROOT, detached: hasOwnGroup },
    stdio: ['ignore', outlet, outlet],
  });
  if (typeof output === 'function') for (const stream of [child.stdout, child.stderr]) stream?.on('data', output);
  return child;
}

export async function runCommand(order: Order): Promise<Ended> {
  const { output, hasOwnGroup, signal } = order;
  const mark = randomUUID();
  const child = start(order, mark);
  const target = child.pid === undefined || !hasOwnGroup ? child.pid : -child.pid;
  /** What was there when it was told to end: what has neither the mark nor a parent later is still known. */
  let known: Process[] = [];
  let killing: NodeJS.Timeout | undefined;
  const killEverything = () => {
    killAll([...known, ...processesOf(mark)]);
    if (hasOwnGroup) kill(target, 'SIGKILL');
  };
  const end = () => {
    known = processesOf(mark);
    kill(target, 'SIGTERM');
    killing = setTimeout(() => {
      killEverything();
      child.kill('SIGKILL');
    }, STOP_MS);
  };
  const closed = once(child, 'close');
  if (child.pid !== undefined) order.onStart?.(child.pid);
  try {
    if (signal.aborted) end();
    else signal.addEventListener('abort', end);
    const [code] = (await Promise.race([once(child, 'exit'), closed])) as [number | null];
    return { code, processId: child.pid };
  } catch (error) {
    // A program that cannot start is an error of the command, not of the run.
    if (typeof output === 'function') output(Buffer.from(`${(error as Error).message}\n`));
    return { code: null, processId: undefined };
  } finally {
    signal.removeEventListener('abort', end);
    clearTimeout(killing);
    // What it left behind would keep its output open, and the processors busy beside what follows.
    killEverything();
    const isClosed = closed.then(() => true).catch(() => true);
    if (!(await Promise.race([isClosed, sleep(CLOSE_MS, false, { ref: false })]))) {
      // Something without the mark and without its parents still holds its output.
      for (const stream of [child.stdout, child.stderr]) stream?.destroy();
    }
  }
}
