// The command's options. The seed fixes the plan of kills and the mix of load; the exact moments depend on the machine.
import { parseArgs } from 'node:util';

export const HELP = `Usage: npm run chaos [-- options]

Kills API nodes under load, at every failpoint and at random moments, and holds the books, the bureaus' and the
carrier's logs and every answer a client got against each other afterwards. Makes its own database, simulators and
servers and leaves nothing behind. Needs PostgreSQL and Redis, as "npm run dev" does.

  --kills-per-point <n>   deaths at each failpoint (default 25; 0 leaves this part out)
  --random-kills <n>      deaths at random moments (default 100); for every twenty of them one node is also frozen
                          until its leases have run out, and then wakes up
  --seed <n>              plan of the run; printed at the start, so that a run can be repeated (default: a fresh one)
  --short                 2 deaths at each failpoint, 8 at random, no fixed rest at the end: under 100 seconds
  --plant <id>            break the servers on purpose first, to see that the run notices; --plant list lists the ways
  --json                  print one JSON object instead of the table
  --help                  this text

Exit code: 0 nothing was found, 1 something was found, 2 the run could not start or broke off, 3 a slow machine
explains all that was found: run it again, 4 only times were missed, and the run measured that the machine was slow.`;

export type Options = {
  readonly killsPerPoint: number;
  readonly randomKills: number;
  readonly seed: number;
  readonly plant: string | undefined;
  /** How long everything rests before the final check; the short version checks as soon as nothing is open. */
  readonly restMs: number;
  readonly flowsPerSecond: number;
  readonly isJson: boolean;
};

const FULL = { killsPerPoint: 25, randomKills: 100, restMs: 60_000, flowsPerSecond: 24 };
const SHORT = { killsPerPoint: 2, randomKills: 8, restMs: 0, flowsPerSecond: 12 };
const SEED_MAX = 2 ** 31;
const KILLS_MAX = 10_000;

export class UsageError extends Error {}

function wholeNumber(name: string, text: string | undefined, fallback: number, max: number): number {
  if (text === undefined) return fallback;
  if (!/^\d+$/.test(text) || Number(text) > max) throw new UsageError(`--${name} takes a number from 0 to ${max}.`);
  return Number(text);
}

function readArguments(argv: readonly string[]) {
  try {
    return parseArgs({
      args: [...argv],
      options: {
        'kills-per-point': { type: 'string' },
        'random-kills': { type: 'string' },
        seed: { type: 'string' },
        plant: { type: 'string' },
        short: { type: 'boolean', default: false },
        json: { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    }).values;
  } catch (cause) {
    throw new UsageError(cause instanceof Error ? cause.message : String(cause), { cause });
  }
}

/** Undefined when help is wanted. */
export function readOptions(argv: readonly string[]): Options | undefined {
  const values = readArguments(argv);
  if (values.help) return undefined;
  const size = values.short ? SHORT : FULL;
  return {
    killsPerPoint: wholeNumber('kills-per-point', values['kills-per-point'], size.killsPerPoint, KILLS_MAX),
    randomKills: wholeNumber('random-kills', values['random-kills'], size.randomKills, KILLS_MAX),
    seed: wholeNumber('seed', values.seed, Math.floor(Math.random() * SEED_MAX), SEED_MAX),
    plant: values.plant,
    restMs: size.restMs,
    flowsPerSecond: size.flowsPerSecond,
    isJson: values.json,
  };
}
