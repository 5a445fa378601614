// The command's options.
import { parseArgs } from 'node:util';
import { CONTROL, findScenario, SCENARIOS, type Scenario } from './scenarios.ts';
import { TTL_MAX, TTL_MIN } from './settings.ts';

export const HELP = `Usage: npm run ha [-- options]

Runs three machines with etcd, Patroni and PostgreSQL as network namespaces, HAProxy before them, two API nodes, a worker
and load on top. Lets a part fail under load, round after round, and compares everything that was acknowledged with the
database. At the end the control, with asynchronous replication, must lose commits. As root, on Debian, with the packages
patroni etcd-server haproxy nftables iproute2, and with PostgreSQL's programs and Redis, as "npm run dev" needs them.

  --scenario <name>   one of them (default: all, then the control)
  --rounds <n>        of each scenario (default: 20 of machine and partition, 5 of the others)
  --ttl <seconds>     of Patroni's lock (default 5); writes may stop for 12 s at 5, for ttl + 10 s above
  --seed <n>          of the load and of the random moments (default: a fresh one)
  --short             machine, partition and the control once each, under four minutes; writes may stop for 40 s. Says why and passes
                      where namespaces are not allowed
  --json              print one JSON object instead of the table
  --help              this text

Scenarios:
${[...SCENARIOS, { name: CONTROL, sentence: 'cut with asynchronous replication: must lose' }]
  .map(({ name, sentence }) => `  ${name.padEnd(12)}${sentence}`)
  .join('\n')}

Exit code: 0 everything held and the control lost, 1 something did not hold, 2 the run could not start or broke off, 3 a slow machine explains
all that did not hold, or the control lost nothing: run it again, 4 only times were missed, and the run measured that the machine was slow.`;

export type Options = {
  readonly scenarios: readonly { readonly scenario: Scenario; readonly rounds: number }[];
  readonly hasControl: boolean;
  readonly ttl: number;
  readonly seed: number;
  readonly isShort: boolean;
  readonly isJson: boolean;
};

export class UsageError extends Error {}

const SHORT = ['machine', 'partition'];
const ROUNDS_MAX = 1_000;
const SEED_MAX = 2 ** 31;

function wholeNumber(name: string, text: string | undefined, [least, most]: readonly [number, number]) {
  if (text === undefined) return undefined;
  const value = Number(text);
  if (!Number.isInteger(value) || value < least || value > most) {
    throw new UsageError(`--${name} takes a whole number from ${least} to ${most}, not ${JSON.stringify(text)}.`);
  }
  return value;
}

function readArguments(argv: readonly string[]) {
  try {
    return parseArgs({
      args: [...argv],
      options: {
        scenario: { type: 'string' },
        rounds: { type: 'string' },
        ttl: { type: 'string' },
        seed: { type: 'string' },
        short: { type: 'boolean', default: false },
        json: { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    }).values;
  } catch (cause) {
    throw new UsageError(cause instanceof Error ? cause.message : String(cause), { cause });
  }
}

function namesOf(wanted: string | undefined, isShort: boolean): readonly string[] {
  const all = SCENARIOS.map(({ name }) => name);
  if (wanted === undefined) return isShort ? SHORT : all;
  if (wanted === CONTROL) return [];
  if (!all.includes(wanted)) {
    throw new UsageError(`There is no scenario ${wanted}. Scenarios: ${[...all, CONTROL].join(', ')}.`);
  }
  return [wanted];
}

/** Undefined when help is wanted. */
export function readOptions(argv: readonly string[]): Options | undefined {
  const values = readArguments(argv);
  if (values.help) return undefined;
  const rounds = wholeNumber('rounds', values.rounds, [1, ROUNDS_MAX]) ?? (values.short ? 1 : undefined);
  const scenarios = namesOf(values.scenario, values.short).map((name) => {
    const scenario = findScenario(name);
    return { scenario, rounds: rounds ?? scenario.rounds };
  });
  return {
    scenarios,
    hasControl: values.scenario === undefined || values.scenario === CONTROL,
    ttl: wholeNumber('ttl', values.ttl, [TTL_MIN, TTL_MAX]) ?? TTL_MIN,
    seed: wholeNumber('seed', values.seed, [0, SEED_MAX]) ?? Math.floor(Math.random() * SEED_MAX),
    isShort: values.short,
    isJson: values.json,
  };
}
