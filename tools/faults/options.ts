// The command's options.
import { parseArgs } from 'node:util';

export type Options = {
  /** Undefined for all of them. */
  readonly scenarios: readonly string[] | undefined;
  /** The length of one window; undefined leaves it to each scenario. */
  readonly seconds: number | undefined;
  readonly isJson: boolean;
  readonly hasControl: boolean;
  readonly isShort: boolean;
  /** What companies do to each other, instead of what fails. */
  readonly isMisuse: boolean;
};

export class UsageError extends Error {}

const SECONDS_MAX = 600;

export function helpText(scenarios: readonly { readonly name: string; readonly promise: string }[]): string {
  const width = Math.max(...scenarios.map(({ name }) => name.length)) + 2;
  return `Usage: npm run faults [-- options]

Breaks what the service stands on, under load, and holds every answer, the books and the bureaus' logs against each
other afterwards. Makes its own database, simulators and servers and leaves nothing behind. Needs PostgreSQL and Redis,
as "npm run dev" does; full-disk needs root, clock-jump the Debian package faketime.

  --scenario <names> one scenario, or several separated by commas, instead of all of them, one after another
  --misuse           the scenarios in which a company misuses webhooks and mail (the last ones of the list) instead of the others
  --seconds <n>      length of a window (each scenario has its own; a p99 needs a thousand samples)
  --control          each scenario once more with its remedy taken out of the servers' copy: that run must fail
  --short            a few scenarios in short, under three minutes together; judges no p99
  --json             one line of JSON for each scenario instead of the table
  --help             this text

${scenarios.map(({ name, promise }) => `  ${name.padEnd(width)}${promise}`).join('\n')}

Exit code: 0 everything held, 1 something did not, 2 the run could not start or broke off, 3 a slow machine explains
all that did not hold, or a control held: run it again, 4 only times were missed, and the run measured that the machine was slow.`;
}

function readArguments(argv: readonly string[]) {
  try {
    return parseArgs({
      args: [...argv],
      options: {
        scenario: { type: 'string' },
        seconds: { type: 'string' },
        control: { type: 'boolean', default: false },
        short: { type: 'boolean', default: false },
        misuse: { type: 'boolean', default: false },
        json: { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    }).values;
  } catch (cause) {
    throw new UsageError(cause instanceof Error ? cause.message : String(cause), { cause });
  }
}

function readSeconds(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^\d+$/.test(text) || Number(text) < 1 || Number(text) > SECONDS_MAX) {
    throw new UsageError(`--seconds takes a number from 1 to ${SECONDS_MAX}.`);
  }
  return Number(text);
}

/** Undefined when help is wanted. */
export function readOptions(argv: readonly string[]): Options | undefined {
  const values = readArguments(argv);
  if (values.help) return undefined;
  return {
    scenarios: values.scenario?.split(','),
    seconds: readSeconds(values.seconds),
    isJson: values.json,
    hasControl: values.control,
    isShort: values.short,
    isMisuse: values.misuse,
  };
}
