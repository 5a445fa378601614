// Runs a check until there is a verdict: each try with the same seed, and the machine watched beside it.
import { closeSync, mkdirSync, openSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { isNoisy, type Machine, machineText, watchMachine } from '../machine/machine.ts';
import { type Ended, ROOT, runCommand } from '../machine/run-command.ts';
import { type FailedFile, graveFirst, LIST_PATH, readList, type TestRun } from '../steps/failed-files.ts';
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
};

const PROGRESS_MS = 60_000;
/** A line that says what is wrong, in the words of our own commands. */
const COMPLAINT =
  /^(?:\s*\d+ s)?\s*((?:BROKEN|FAILED|FOUND|NOT (?:CAUGHT|FOUND|GREEN|RUN))\b.*|failed: .*|.*\b(?:NOT MET|NOT reached|not reached)\b.*)$/m;
/** What was skipped was not shown. */
const SKIPPED = /^SKIPPED.*$/m;
/** The name of the error of a final finding, where the list of failures is missing (server/test/support/grave.ts). */
const GRAVE_NAME = /\bGraveFinding\b/;
const REASON_MAX = 200;

const short = (text: string) => text.replace(/\s+/g, ' ').trim().slice(0, REASON_MAX);

function lastLine(output: string): string {
  return output.trimEnd().split('\n').at(-1) ?? '';
}

function reasonOf(code: number | null, output: string, tests: TestRun | undefined): string {
  const [file] = graveFirst(tests?.failed ?? []);
  if (file) return short(`${file.path}: ${file.failures[0]}`);
  const [loose] = tests?.withoutFile ?? [];
  if (loose !== undefined) return short(loose);
  const ended = code === null ? 'it was ended by a signal' : `exit code ${code}`;
  return `${short(COMPLAINT.exec(output)?.[1] ?? lastLine(output))} (${ended})`;
}

type Ran = Ended & {
  /** Whether the check itself ended so, and not what prepares it. */
  readonly isMain: boolean;
  readonly isLate: boolean;
  readonly output: string;
  readonly machine: Machine;
};

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
  const environment = {
    ...size.environment,
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
  return { ...ended, isMain, isLate: limit.aborted, output: readFileSync(logPath, 'utf8'), machine };
}

async function runTry(check: Check, setting: Setting, command: Command, number: number): Promise<Attempt> {
  const { limitMinutes, finalCodes = [], finalText } = check;
  if (isVitest(command)) rmSync(join(ROOT, LIST_PATH), { force: true });
  const { code, processId, isMain, isLate, output, machine } = await runAll(check, setting, command, number);
  const tests = isVitest(command) ? readList(processId) : undefined;
  const skipped = SKIPPED.exec(output)?.[0];
  const isPassed = code === 0 && skipped === undefined && !isLate && !setting.signal.aborted;
  const isFound =
    (code !== null && finalCodes.includes(code)) ||
    (tests?.failed.some(({ isGrave }) => isGrave) ?? false) ||
    (isVitest(command) && tests === undefined && GRAVE_NAME.test(output)) ||
    (finalText?.test(output) ?? false);
  const isFinal = isMain && !isPassed && isFound;
  const why = () => {
    if (isLate && !isFinal) return `it did not end in ${limitMinutes} minutes`;
    return skipped ?? reasonOf(code, output, tests);
  };
  return {
    ...{ isPassed, isFinal, isNoisy: isNoisy(machine), machine, output },
    failure: isPassed ? undefined : why(),
    failedFiles: tests?.withoutFile.length === 0 ? tests.failed : [],
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
  let command: Command = [program, ...options, ...(check.seed === 'option' ? ['--seed', String(seed)] : [])];
  const attempts: Attempt[] = [];
  let verdict: ReturnType<typeof judge> | 'interrupted' = 'again';
  while (verdict === 'again') {
    const attempt = await runTry(check, setting, command, attempts.length + 1);
    attempts.push(attempt);
    // A try that was cut short says nothing, unless it had found what is final.
    const isCut = signal.aborted && !attempt.isFinal;
    verdict = isCut ? 'interrupted' : judge(judges, attempts);
    if (!attempt.isPassed && !isCut) {
      say(`  ${name}: failed${attempt.isNoisy ? ' in noise' : ''}: ${attempt.failure}`);
      say(`  ${machineText(attempt.machine)}`);
    }
    const again = attempt.failedFiles.map(({ path }) => path);
    if (again.length > 0) command = narrowed(command, again);
  }
  const failure = attempts.findLast((attempt) => attempt.failure !== undefined)?.failure;
  const isTold = failure !== undefined && verdict !== 'held' && verdict !== 'interrupted';
  const parts = [isTold ? `failed: ${failure}` : ''];
  parts.push(figures?.(attempts.at(-1)?.output ?? '') ?? '');
  return {
    ...{ check: name, verdict, tries: attempts.length, figures: parts.filter(Boolean).join('; ') },
    seconds: Math.round((performance.now() - startedMs) / 1_000),
    machine: worst(attempts.map(({ machine }) => machine)),
    seed: check.seed === undefined ? undefined : seed,
  };
}
