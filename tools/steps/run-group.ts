// One group of steps as child processes, one after another, up to the first failure.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Step } from './steps.ts';

export type Taken = { readonly title: string; readonly seconds: number };
export type Outcome = {
  readonly failed: string | undefined;
  readonly taken: readonly Taken[];
  readonly output: string;
};

export type RunningGroup = {
  /** Has all the output of the group, unless it was shown at once. */
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

export function startGroup(steps: readonly Step[], { begin, isShown }: Watch): RunningGroup {
  let child: ChildProcess | undefined;
  let isStopped = false;
  const kept: Buffer[] = [];

  async function runStep({ command: [file, ...options] }: Step): Promise<boolean> {
    const stdio = isShown ? 'inherit' : 'pipe';
    child = spawn(file, options, { cwd: root, stdio: ['ignore', stdio, stdio] });
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => kept.push(chunk));
    // Waits for "close" and not only for the exit: by then all of its output has arrived.
    const [code] = await once(child, 'close');
    return code === 0;
  }

  async function run(): Promise<Outcome> {
    const taken: Taken[] = [];
    const outcome = (failed: string | undefined) => ({ failed, taken, output: Buffer.concat(kept).toString() });
    for (const step of steps) {
      if (isStopped) return outcome(step.title);
      begin(step.title);
      const beganMs = performance.now();
      const isSound = await runStep(step);
      taken.push({ title: step.title, seconds: Math.round((performance.now() - beganMs) / 1_000) });
      if (!isSound) return outcome(step.title);
    }
    return outcome(undefined);
  }

  return {
    ended: run(),
    stop() {
      isStopped = true;
      child?.kill('SIGTERM');
    },
  };
}
