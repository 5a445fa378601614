// One step as a child process, with everything that it starts. Its output is shown as it comes.
import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { GRAVE, LIMIT_MINUTES, type Step } from './steps.ts';

/** A step writes such lines for the verdict at the end of the run. */
export const VERDICT_MARK = 'verdict: ';

export type Taken = {
  readonly title: string;
  readonly group: string;
  readonly seconds: number;
  readonly tries: number;
  readonly isPassed: boolean;
  readonly isGrave: boolean;
  /** What it wrote for the verdict; the last lines of a step that failed without any. */
  readonly lines: readonly string[];
};

type Try = { readonly code: number | null; readonly output: string };

const root = fileURLToPath(new URL('../../', import.meta.url));
const LAST_LINES = 8;
/** How long a step that was told to stop may take, before it is killed with everything that it started. */
const STOP_MS = 20_000;
const MARK = 'TREFOIL_STEP';

/**
 * Every process that a step started and that has not ended, found by a variable of its environment: a process whose parent has ended
 * has it too. They stay in the group of this process, so that a terminal, or a machine that stops a run, reaches all of them.
 */
function processesOf(mark: string): number[] {
  const hasMark = (id: string) => {
    try {
      return readFileSync(`/proc/${id}/environ`, 'utf8').split('\0').includes(`${MARK}=${mark}`);
    } catch {
      // It has ended, or belongs to another user.
      return false;
    }
  };
  try {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name) && hasMark(name))
      .map(Number);
  } catch {
    // Not Linux: the step itself is all that is known.
    return [];
  }
}

function kill(ids: readonly number[]): void {
  for (const id of ids) {
    try {
      process.kill(id, 'SIGKILL');
    } catch {
      // It has ended.
    }
  }
}

export type StepRunner = {
  run(step: Step): Promise<Taken>;
  /** Ends the running step with everything that it started; no other begins. */
  stop(): void;
};

export function createRunner(show: (text: string | Buffer) => void): StepRunner {
  let end: (() => void) | undefined;
  let isStopped = false;

  async function runOnce({ command: [file, ...options], limitMinutes = LIMIT_MINUTES }: Step): Promise<Try> {
    const mark = randomUUID();
    const written: Buffer[] = [];
    const write = (chunk: Buffer) => {
      written.push(chunk);
      show(chunk);
    };
    const child: ChildProcess = spawn('env', [`${MARK}=${mark}`, file, ...options], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', write);
    let killing: NodeJS.Timeout | undefined;
    end = () => {
      child.kill('SIGTERM');
      killing ??= setTimeout(
        () => kill([...processesOf(mark), ...(child.pid === undefined ? [] : [child.pid])]),
        STOP_MS,
      );
    };
    const limit = setTimeout(() => {
      write(Buffer.from(`\nstopped: it had not ended after ${limitMinutes} minutes\n`));
      end?.();
    }, limitMinutes * 60_000);
    const closed = once(child, 'close');
    // A program that it cannot start is an error of the step, not of the run.
    child.once('error', (error) => write(Buffer.from(`${error.message}\n`)));
    const [code] = (await Promise.race([once(child, 'exit'), closed]).catch(() => [null])) as [number | null];
    // What it left behind would keep its output open, and the processors busy.
    kill(processesOf(mark));
    await closed.catch(() => undefined);
    clearTimeout(limit);
    clearTimeout(killing);
    end = undefined;
    return { code, output: Buffer.concat(written).toString() };
  }

  return {
    async run(step) {
      const { title, group } = step;
      const startedMs = performance.now();
      const tries: Try[] = [];
      const isPassed = () => tries.at(-1)?.code === 0;
      const isGrave = () => tries.at(-1)?.code === GRAVE;
      do {
        if (isStopped) break;
        if (tries.length > 0) show(`\n${title} FAILED, and is run once more\n`);
        tries.push(await runOnce(step));
      } while (step.isRepeated && tries.length < 2 && !isPassed() && !isGrave() && !isStopped);
      const output = tries.map((each) => each.output).join('');
      const seconds = Math.round((performance.now() - startedMs) / 1_000);
      const lines = verdictLines(output, isPassed());
      return { title, group, seconds, tries: tries.length, isPassed: isPassed(), isGrave: isGrave(), lines };
    },
    stop() {
      isStopped = true;
      end?.();
    },
  };
}

function verdictLines(output: string, isPassed: boolean): string[] {
  const lines = output.trimEnd().split('\n');
  const told = lines.filter((line) => line.startsWith(VERDICT_MARK)).map((line) => line.slice(VERDICT_MARK.length));
  return told.length > 0 || isPassed ? told : lines.slice(-LAST_LINES);
}
