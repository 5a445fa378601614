// Runs one step as a command, once or twice, and shows its output as it comes.
import { runCommand } from '../machine/run-command.ts';
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

const LAST_LINES = 8;

export type StepRunner = {
  run(step: Step): Promise<Taken>;
  /** Ends the running step with everything that it started; no other begins. */
  stop(): void;
};

export function createRunner(show: (text: string | Buffer) => void): StepRunner {
  let ending = new AbortController();
  let isStopped = false;

  async function runOnce({ command, limitMinutes = LIMIT_MINUTES }: Step): Promise<Try> {
    const written: Buffer[] = [];
    const write = (chunk: Buffer) => {
      written.push(chunk);
      show(chunk);
    };
    ending = new AbortController();
    const limit = setTimeout(() => {
      write(Buffer.from(`\n${VERDICT_MARK}stopped: it had not ended after ${limitMinutes} minutes\n`));
      ending.abort();
    }, limitMinutes * 60_000);
    const { code } = await runCommand({ command, output: write, hasOwnGroup: false, signal: ending.signal });
    clearTimeout(limit);
    // A program that was told to stop may end well; it has not done its work.
    const isCut = ending.signal.aborted && code === 0;
    return { code: isCut ? null : code, output: Buffer.concat(written).toString() };
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
      ending.abort();
    },
  };
}

function verdictLines(output: string, isPassed: boolean): string[] {
  const lines = output.trimEnd().split('\n');
  const told = lines.filter((line) => line.startsWith(VERDICT_MARK)).map((line) => line.slice(VERDICT_MARK.length));
  return told.length > 0 || isPassed ? told : lines.slice(-LAST_LINES);
}
