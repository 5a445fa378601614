// The command's options, and which checks they choose.
import { parseArgs } from 'node:util';
import { type Check, isVitest, narrowed, type Size } from './check.ts';
import { CHECKS } from './checks.ts';
import { PROOFS_PATH } from './table.ts';

export const HELP = `Usage: npm run prove [-- options] [-- options of the check]

Runs the checks that judge by the clock, explore with random seeds, kill, or use many browser pages or whole machines, one after another,
and says what each shows: held; not held; unsteady (failed once, then passed with the same seed); machine too noisy (a bar on time, rate
or ratio failed in each of three tries while the machine was disturbed). That the books do not add up, a credit was lost or charged
twice, a fourth guess was judged, another tenant's row was seen or an event was lost is never repeated, however noisy the machine is.
All of it takes several hours and needs PostgreSQL, Redis and, as root, everything that ".ci/services --prove" installs.

  --only <names>   these checks, separated by commas; after a second --, options or test files for it, if it is one
  --quick          about a quarter of an hour: some of the checks, most of them at a small size
  --seed <n>       for everything that takes one (default: a fresh one, which is printed)
  --json           one JSON object instead of the table
  --list           the checks, one line each, instead of running them
  --help           this text

Writes the rows of the checks that ran to ${PROOFS_PATH}. A check that ran at a smaller size (--quick), or with options of its own, is not
written there. The output of each try is in node_modules/.cache/prove. Ctrl-C ends the running check and prints the table so far.

Exit code: 0 all held (unsteady ones are named), 1 at least one not held, 75 none not held, but the machine was too noisy for at least
one, 2 wrong options, 130 interrupted.`;

const SEED_MAX = 2 ** 31 - 1;

export class UsageError extends Error {}

export type Planned = {
  readonly check: Check;
  readonly size: Size;
  /** Whether its result belongs into the table of proofs. */
  readonly isFull: boolean;
};

export type Options = {
  readonly mode: 'run' | 'list' | 'help';
  readonly planned: readonly Planned[];
  readonly seed: number;
  readonly isQuick: boolean;
  readonly isJson: boolean;
};

function readArguments(argv: readonly string[]) {
  const flag = { type: 'boolean', default: false } as const;
  const text = { type: 'string' } as const;
  try {
    const options = {
      only: text,
      seed: text,
      quick: flag,
      json: flag,
      list: flag,
      help: { ...flag, short: 'h' },
    } as const;
    return parseArgs({ args: [...argv], options, allowPositionals: true });
  } catch (cause) {
    throw new UsageError(cause instanceof Error ? cause.message : String(cause), { cause });
  }
}

function readSeed(text: string | undefined): number {
  if (text === undefined) return 1 + Math.floor(Math.random() * SEED_MAX);
  if (!/^[1-9]\d*$/.test(text) || Number(text) > SEED_MAX) {
    throw new UsageError(`--seed takes a whole number from 1 to ${SEED_MAX}.`);
  }
  return Number(text);
}

function choose(only: string | undefined): readonly Check[] {
  if (only === undefined) return CHECKS;
  const names = only.split(',');
  const unknown = names.find((name) => !CHECKS.some((check) => check.name === name));
  if (unknown !== undefined) {
    throw new UsageError(`There is no check ${unknown}. Checks: ${CHECKS.map(({ name }) => name).join(', ')}.`);
  }
  return CHECKS.filter(({ name }) => names.includes(name));
}

/** For vitest, test files replace those of the check; everything else is added to its options. */
function extend(command: Size['command'], more: readonly string[]): Size['command'] {
  const files = isVitest(command) && more.some((each) => each.endsWith('.test.ts'));
  return files ? narrowed(command, more) : [...command, ...more];
}

function plan(check: Check, isQuick: boolean, more: readonly string[]): Planned | undefined {
  const { quick } = check;
  if (isQuick && quick === undefined) return undefined;
  const size: Size = isQuick && quick !== undefined && quick !== 'full' ? quick : check;
  const isFull = size === check && more.length === 0;
  return { check, isFull, size: { ...size, command: extend(size.command, more) } };
}

export function readOptions(argv: readonly string[]): Options {
  const { values, positionals: more } = readArguments(argv);
  const chosen = choose(values.only);
  if (more.length > 0 && (values.only === undefined || chosen.length !== 1)) {
    throw new UsageError('Options for a check need --only with exactly one name.');
  }
  const planned = chosen.flatMap((check) => plan(check, values.quick, more) ?? []);
  if (planned.length === 0) throw new UsageError('--quick leaves these checks out.');
  const mode = values.help ? 'help' : values.list ? 'list' : 'run';
  return { mode, planned, seed: readSeed(values.seed), isQuick: values.quick, isJson: values.json };
}
