// One group of steps as child processes, one after another, up to the first failure.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { LIMIT_MINUTES, type Step } from './steps.ts';

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
  /** Between two runs of a step: a package registry that does not answer is back after a moment. */
  readonly restMs?: number;
};

const root = fileURLToPath(new URL('../../', import.meta.url));
const LAST_LINES = 20;
const REST_MS = 30_000;
/** The exit code of a drill that ran to its end and found something. */
const FOUND = 1;
/** The exit code of a drill that only missed times, on a machine that was measured as slow (tools/chaos/machine.ts). */
const SLOW = 4;
/** How long a step that was told to stop may take, before it is killed with everything that it started. */
const STOP_MS = 20_000;

const lastLinesOf = (written: readonly Buffer[]) =>
  Buffer.concat(written).toString().trimEnd().split('\n').slice(-LAST_LINES).join('\n');

/** Tells a step and what it started to stop, and kills what is left of it after a while. */
function end(child: ChildProcess): void {
  const signal = (name: NodeJS.Signals) => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, name);
    } catch {
      // Nothing is left of it.
    }
  };
  signal('SIGTERM');
  const kill = setTimeout(signal, STOP_MS, 'SIGKILL');
  child.once('close', () => clearTimeout(kill));
}

export function startGroup(steps: readonly Step[], { begin, isShown, restMs = REST_MS }: Watch): RunningGroup {
  let child: ChildProcess | undefined;
  let isStopped = false;
  const stopping = new AbortController();
  const kept: Buffer[] = [];

  /** Its exit code, null if it was stopped, and what it wrote. */
  async function runStep({
    command: [file, ...options],
    limitMinutes = LIMIT_MINUTES,
  }: Step): Promise<{ code: number | null; written: Buffer[] }> {
    const written: Buffer[] = [];
    // A group of its own, so that nothing that it started can outlive it and keep its output open.
    const started = spawn(file, options, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
    child = started;
    for (const stream of [started.stdout, started.stderr]) {
      stream.on('data', (chunk: Buffer) => {
        written.push(chunk);
        if (isShown) process.stdout.write(chunk);
      });
    }
    let isOver = false;
    const limit = setTimeout(() => {
      isOver = true;
      written.push(Buffer.from(`\nstopped: it had not ended after ${limitMinutes} minutes\n`));
      end(started);
    }, limitMinutes * 60_000);
    // Waits for "close" and not only for the exit: by then all of its output has arrived.
    const [code] = (await once(started, 'close')) as [number | null];
    clearTimeout(limit);
    // What it has found counts, although it took too long.
    return { code: isOver && code !== FOUND ? null : code, written };
  }

  async function run(): Promise<Outcome> {
    const taken: Taken[] = [];
    const outcome = (failed?: Failure) => ({ failed, taken, output: Buffer.concat(kept).toString() });
    for (const step of steps) {
      if (isStopped) return outcome({ title: step.title, lastLines: '' });
      begin(step.title);
      const beganMs = performance.now();
      let remark = '';
      let { code, written } = await runStep(step);
      const firstCode = code;
      const isNoVerdict = step.again === 'failed' || (step.again === 'no-verdict' && code !== FOUND);
      if (code !== 0 && isNoVerdict && !isStopped) {
        const note = Buffer.from(
          `\n${step.title} FAILED, and is run once more (docs/decisions/0212-a-failed-file-runs-once-more-alone.md)\n`,
        );
        if (isShown) process.stdout.write(note);
        const first = [...written, note];
        if (step.again === 'failed') await sleep(restMs, undefined, { signal: stopping.signal }).catch(() => undefined);
        if (!isStopped) ({ code, written } = await runStep(step));
        if (!isShown) kept.push(...first);
        if (step.again === 'no-verdict' && firstCode === SLOW && code === SLOW) {
          // A third run would meet the same machine. Everything but times was judged and held, twice.
          const unjudged = Buffer.from(`\n${step.title}: times NOT JUDGED, the machine was too slow both times\n`);
          if (isShown) process.stdout.write(unjudged);
          written.push(unjudged);
          code = 0;
          remark = ', times NOT JUDGED';
        }
      }
      if (!isShown) kept.push(...written);
      taken.push({ title: step.title + remark, seconds: Math.round((performance.now() - beganMs) / 1_000) });
      if (code !== 0) return outcome({ title: step.title, lastLines: lastLinesOf(written) });
    }
    return outcome();
  }

  return {
    ended: run(),
    stop() {
      isStopped = true;
      stopping.abort();
      if (child) end(child);
    },
  };
}
