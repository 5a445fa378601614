// Runs a check until there is a verdict: each try with the same seed, and the machine watched beside it.
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isNoisy, type Machine, machineText, watchMachine } from '../machine/machine.ts';
import { type Ended, ROOT, runCommand } from '../machine/run-command.ts';
import { describeRun, type FailedFile, openTestRun, type TestRun } from '../steps/test-run.ts';
import { type Check, type Command, isVitest, narrowed, type Size } from './check.ts';
import { judge, type Try, type Verdict } from './verdict.ts';

export type Outcome = {
  readonly check: string;
  readonly verdict: Verdict | 'interrupted';
  /** The figures of the last try; before them, what failed. */
  readonly figures: string;
  readonly seconds: number;
  readonly tries: number;
  /** The worst of all tries. */
  readonly machine: Machine;
  /** Undefined for a check without chance. */
  readonly seed: number | undefined;
};

export type Setting = {
  readonly size: Size;
  readonly seed: number;
  /** Where the output of each try goes. */
  readonly folder: string;
  readonly say: (line: string) => void;
  /** Aborted when the run is interrupted. */
  readonly signal: AbortSignal;
  readonly watch?: () => { stop(): Machine };
};

type Attempt = Try & {
  readonly machine: Machine;
  readonly output: string;
  readonly failure: string | undefined;
  /** The test files that failed; a repeat needs no others. */
  readonly failedFiles: readonly FailedFile[];
  /** Options for a repeat of what failed. */
  readonly again: readonly string[];
  /** Whether it ran everything, and not what failed in an earlier try alone. */
  readonly isWhole: boolean;
};

const PROGRESS_MS = 60_000;
/** A line that says what is wrong, in the words of our own commands. */
const COMPLAINT =
  /^(?:\s*\d+ s)?\s*((?:BROKEN|FAILED|FOUND|NOT (?:CAUGHT|FOUND|GREEN|RUN))\b.*|failed: .*|.*\b(?:NOT MET|NOT reached|not reached)\b.*)$/m;
/** What was skipped was not shown. */
const SKIPPED = /^SKIPPED.*$/m;
const REASON_MAX = 200;

const short = (text: string) => text.replace(/\s+/g, ' ').trim().slice(0, REASON_MAX);

function lastLine(output: string): string {
  return output.trimEnd().split('\n').at(-1) ?? '';
}

function reasonOf(code: number | null, output: string, tests: TestRun | undefined): string {
  const isTold = tests && (tests.graves.length > 0 || tests.list);
  const [told] = isTold ? describeRun(tests) : [];
  if (told !== undefined) return short(told);
  const ended = code === null ? 'it was ended by a signal' : `exit code ${code}`;
  return `${short(COMPLAINT.exec(output)?.[1] ?? lastLine(output))} (${ended})`;
}

type Ran = Ended & {
  /** Whether the check itself ended so, and not what prepares it. */
  readonly isMain: boolean;
  readonly isLate: boolean;
  readonly output: string;
  readonly machine: Machine;
  readonly tests?: TestRun;
};

/** Another try would be no better: its options were wrong, or there was no such program. */
const NOT_STARTED: readonly (number | null)[] = [2, 126, 127];

/** With the Node of this process: without npm between, the path may lead to another. */
const resolved = ([program, ...options]: Command): Command =>
  program === 'vitest' ? [process.execPath, `${ROOT}node_modules/.bin/vitest`, ...options] : [program, ...options];

/** What prepares the check, and the check, up to the first that fails. */
async function runAll(check: Check, setting: Setting, command: Command, number: number): Promise<Ran> {
  const { size, seed, folder, signal, say } = setting;
  const { limitMinutes } = check;
  mkdirSync(folder, { recursive: true });
  const logPath = join(folder, `${check.name}.${number}.log`);
  const logFile = openSync(logPath, 'w');
  const limit = AbortSignal.timeout(limitMinutes * 60_000);
  const tests = openTestRun();
  const environment = {
    ...size.environment,
    ...tests.environment,
    ...(isVitest(command) && { NODE_COMPILE_CACHE: 'node_modules/.cache/compiled' }),
    ...(check.seed === 'environment' && { TREFOIL_TEST_SEED: String(seed) }),
  };
  const startedMs = performance.now();
  const progress = setInterval(() => {
    const minutes = Math.round((performance.now() - startedMs) / 60_000);
    say(`  ${check.name}: for ${minutes} min, of at most ${limitMinutes}`);
  }, PROGRESS_MS);
  const order = { environment, output: logFile, hasOwnGroup: true, signal: AbortSignal.any([signal, limit]) };
  const watching = (setting.watch ?? watchMachine)();
  let [isMain, ended]: [boolean, Ended] = [false, { code: null, processId: undefined }];
  for (const each of [...(size.prepare ?? []), command]) {
    isMain = each === command;
    ended = await runCommand({ ...order, command: resolved(each) });
    if (ended.code !== 0) break;
  }
  const machine = watching.stop();
  clearInterval(progress);
  closeSync(logFile);
  const run = tests.read();
  tests.close();
  const output = readFileSync(logPath, 'utf8');
  return { ...ended, isMain, isLate: limit.aborted, output, machine, ...(isVitest(command) && { tests: run }) };
}

async function runTry(
  check: Check,
  setting: Setting,
  command: Command,
  number: number,
): Promise<Omit<Attempt, 'isWhole'>> {
  const { limitMinutes, finalCodes = [], finalText } = check;
  const { code, isMain, isLate, output, machine, tests } = await runAll(check, setting, command, number);
  const skipped = SKIPPED.exec(output)?.[0];
  const isPassed = code === 0 && skipped === undefined && !isLate && !setting.signal.aborted;
  const isFound =
    (code !== null && finalCodes.includes(code)) ||
    (tests !== undefined && tests.graves.length > 0) ||
    (finalText?.test(output) ?? false);
  const isFinal = isMain && (!isPassed || (tests?.graves.length ?? 0) > 0) && isFound;
  const why = () => {
    if (isLate && !isFinal) return `it did not end in ${limitMinutes} minutes`;
    return skipped ?? reasonOf(code, output, tests);
  };
  // Noise explains a bar that was missed, and not that there was nothing to measure.
  const hasRun = isMain && skipped === undefined && !NOT_STARTED.includes(code);
  return {
    ...{ isPassed, isFinal, isNoisy: hasRun && isNoisy(machine), machine, output },
    failure: isPassed ? undefined : why(),
    failedFiles: tests?.list?.withoutFile.length === 0 ? tests.list.failed : [],
    // A run that broke off says nothing of the parts that it did not reach.
    again: hasRun && code !== null && !isLate ? (check.again?.(output) ?? []) : [],
  };
}

/** The worst of each figure. */
function worst(machines: readonly Machine[]): Machine {
  const most = (figure: keyof Machine) => Math.max(0, ...machines.map((machine) => machine[figure]));
  return {
    ...{ stolenShare: most('stolenShare'), pausedShare: most('pausedShare') },
    ...{ longestStopMs: most('longestStopMs'), foreignShare: most('foreignShare') },
  };
}

export async function runCheck(check: Check, setting: Setting): Promise<Outcome> {
  const { name, judges, figures } = check;
  const { seed, say, signal } = setting;
  const startedMs = performance.now();
  const [program, ...options] = setting.size.command;
  const all: Command = [program, ...options, ...(check.seed === 'option' ? ['--seed', String(seed)] : [])];
  let command = all;
  const attempts: Attempt[] = [];
  let verdict: ReturnType<typeof judge> | 'interrupted' = 'again';
  while (verdict === 'again') {
    const attempt = { ...(await runTry(check, setting, command, attempts.length + 1)), isWhole: command === all };
    attempts.push(attempt);
    // A try that was cut short says nothing, unless it had found what is final.
    const isCut = signal.aborted && !attempt.isFinal;
    verdict = isCut ? 'interrupted' : judge(judges, attempts);
    if (!attempt.isPassed && !isCut) {
      say(`  ${name}: failed${attempt.isNoisy ? ' in noise' : ''}: ${attempt.failure}`);
      say(`  ${machineText(attempt.machine)}`);
    }
    const files = attempt.failedFiles.map(({ path }) => path);
    if (files.length > 0) command = narrowed(command, files);
    else if (attempt.again.length > 0) command = [...all, ...attempt.again];
  }
  const failure = attempts.findLast((attempt) => attempt.failure !== undefined)?.failure;
  const isTold = failure !== undefined && verdict !== 'held' && verdict !== 'interrupted';
  // A repeat of a part has the figures of that alone.
  const whole = attempts.findLast(({ isWhole }) => isWhole);
  const last = attempts.at(-1);
  const parts = [
    ...[isTold ? `failed: ${failure}` : '', figures?.(whole?.output ?? '') ?? ''],
    last && !last.isWhole ? `what failed again: ${figures?.(last.output)}` : '',
  ];
  return {
    ...{ check: name, verdict, tries: attempts.length, figures: parts.filter(Boolean).join('; ') },
    seconds: Math.round((performance.now() - startedMs) / 1_000),
    machine: worst(attempts.map(({ machine }) => machine)),
    seed: check.seed === undefined ? undefined : seed,
  };
}
