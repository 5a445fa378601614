// One group of steps as child processes, one after another, up to the first failure.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Step } from './steps.ts';

export type Taken = { readonly title: string; readonly seconds: number };
/** The step that failed, and the last lines that it wrote. */
export type Failure = { readonly title: string; readonly lastLines: string };
export type Outcome = {
  readonly failed: Failure | undefined;
  readonly taken: readonly Taken[];
  readonly output: string;
};

export type RunningGroup = {
  /** Has all the output of the group; empty where it was shown at once. */
  readonly ended: Promise<Outcome>;
  stop(): void;
};

type Watch = {
  /** Called when a step begins. */
  readonly begin: (title: string) => void;
  /** Shown as it comes; otherwise kept, so that it does not mix with the lines of another group. */
  readonly isShown: boolean;
};

const root = fileURLToPath(new URL('../../', import.meta.url));
const LAST_LINES = 40;

const lastLinesOf = (written: readonly Buffer[]) =>
  Buffer.concat(written).toString().trimEnd().split('\n').slice(-LAST_LINES).join('\n');

export function startGroup(steps: readonly Step[], { begin, isShown }: Watch): RunningGroup {
  let child: ChildProcess | undefined;
  let isStopped = false;
  const kept: Buffer[] = [];

  /** Whether it succeeded, and what it wrote. */
  async function runStep({ command: [file, ...options] }: Step): Promise<{ isSound: boolean; written: Buffer[] }> {
    const written: Buffer[] = [];
    child = spawn(file, options, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (chunk: Buffer) => {
        written.push(chunk);
        if (isShown) process.stdout.write(chunk);
      });
    }
    // Waits for "close" and not only for the exit: by then all of its output has arrived.
    const [code] = await once(child, 'close');
    return { isSound: code === 0, written };
  }

  async function run(): Promise<Outcome> {
    const taken: Taken[] = [];
    const outcome = (failed?: Failure) => ({ failed, taken, output: Buffer.concat(kept).toString() });
    for (const step of steps) {
      if (isStopped) return outcome({ title: step.title, lastLines: '' });
      begin(step.title);
      const beganMs = performance.now();
      const { isSound, written } = await runStep(step);
      if (!isShown) kept.push(...written);
      taken.push({ title: step.title, seconds: Math.round((performance.now() - beganMs) / 1_000) });
      if (!isSound) return outcome({ title: step.title, lastLines: lastLinesOf(written) });
    }
    return outcome();
  }

  return {
    ended: run(),
    stop() {
      isStopped = true;
      child?.kill('SIGTERM');
    },
  };
}
