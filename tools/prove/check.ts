// What a check of `npm run prove` is, and how its figures are read from what it wrote.
import type { Judges } from './verdict.ts';

export type Command = readonly [string, ...string[]];

export type Size = {
  readonly command: Command;
  readonly environment?: Readonly<Record<string, string>>;
  /** Run before it, in the same try; what they find is not final. */
  readonly prepare?: readonly Command[];
};

export type Check = Size & {
  readonly name: string;
  readonly title: string;
  /** What `--quick` runs instead; `full` if it is short as it is; undefined if --quick leaves it out. */
  readonly quick?: Size | 'full';
  /** A try that has not ended by then is ended, and has failed. */
  readonly limitMinutes: number;
  readonly judges: Judges;
  /** Exit codes that say that something was lost, doubled or seen by another tenant. A test says so by its error (isGrave). */
  readonly finalCodes?: readonly number[];
  /** The same as text, for a command whose exit code says too little. Looked for only when it failed. */
  readonly finalText?: RegExp;
  /** From the output of a try that failed: options with which a repeat runs only the parts that failed. None: all of it again. */
  readonly again?: (output: string) => readonly string[];
  /** How it takes a seed: as the option --seed, or as TREFOIL_TEST_SEED. */
  readonly seed?: 'option' | 'environment';
  /** Globs: a change of such a file asks for it. */
  readonly asks: readonly string[];
  readonly figures?: (output: string) => string;
};

/** One try must not be ended by the limit of a test: the check has its own. */
const TEST_LIMIT_MS = 3_600_000;

export const script = (name: string, ...options: string[]): Command => ['npm', 'run', '-s', name, '--', ...options];

/** Without npm between: its process id is that of the list of failures (tools/steps/failure-list.ts). */
export const vitest = (project: string, ...files: string[]): Command => [
  ...(['vitest', 'run', '--project', project] as const),
  ...(project === 'measured' ? [] : [`--testTimeout=${TEST_LIMIT_MS}`]),
  ...files,
];

export const isVitest = ([program]: Command): boolean => program === 'vitest';

/** The same tests, of these files alone. */
export const narrowed = (command: Command, files: readonly string[]): Command => {
  const [program, ...options] = command;
  return [program, ...options.filter((option) => !option.endsWith('.test.ts')), ...files];
};

const squeeze = (text: string) => text.replace(/\s+/g, ' ').trim();

/** All lines that one of the patterns matches, in the order of the patterns. */
export const lines =
  (...patterns: readonly RegExp[]) =>
  (output: string): string =>
    patterns
      .flatMap((pattern) => output.match(new RegExp(pattern.source, 'gm')) ?? [])
      .map(squeeze)
      .join('; ');

/** How many lines one of the two patterns matches: "11 of 12 …". */
export const share =
  (good: RegExp, all: RegExp, what: string) =>
  (output: string): string => {
    const count = (pattern: RegExp) => output.match(new RegExp(pattern.source, 'gm'))?.length ?? 0;
    return `${count(good)} of ${count(all)} ${what}`;
  };
