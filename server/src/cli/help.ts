// The help, generated from the table of commands: for everything, for a noun, for a command.
import { type Command, nameOf } from './command.ts';
import { COMMANDS, PROCESSES } from './commands.ts';
import { COMMON_OPTIONS } from './options.ts';

const PREFIX = 'npm run trefoil --';

function columns(lines: readonly (readonly [string, string])[]): string {
  const width = Math.max(...lines.map(([left]) => left.length));
  return lines.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`).join('\n');
}

const summaries = (commands: readonly Command[]) =>
  columns(commands.map((command) => [nameOf(command), command.summary]));

export function helpForAll(): string {
  return `Trefoil's command line for operators.

Usage: ${PREFIX} <noun> <verb> [options]

Commands:
${summaries(COMMANDS)}

Processes:
${columns(PROCESSES.map(({ name, summary }) => [name, summary]))}

Every command explains itself with --help and prints JSON with --json. They act on the database named by the
configuration (docs/operate/configuration.md). A tenant may be given by its id or its name. A command that cannot be
undone asks first, unless you give --yes. Exit codes: 0 done, 1 refused or a break found, 2 not understood.
--version prints the version.

Start here:
  ${PREFIX} tenant create --help
The first tenant, step by step: docs/operate/command-line.md`;
}

export function helpForNoun(noun: string): string {
  const commands = COMMANDS.filter((command) => command.noun === noun);
  const [first] = commands;
  if (first && commands.length === 1) return helpForCommand(first);
  return `Usage: ${PREFIX} ${noun} <verb> [options]

${summaries(commands)}

Each explains itself with --help. For example:
  ${PREFIX} ${first?.example}`;
}

export function helpForCommand(command: Command): string {
  const options = { ...command.options, ...COMMON_OPTIONS };
  const words = Object.entries(command.options).map(([name, { kind, isRequired }]) => {
    const word = kind ? `--${name} <${kind.placeholder}>` : `--${name}`;
    return isRequired ? word : `[${word}]`;
  });
  const lines = Object.entries(options).map(
    ([name, { kind, description }]) => [kind ? `--${name} <${kind.placeholder}>` : `--${name}`, description] as const,
  );
  return `${command.summary}

Usage: ${[PREFIX, nameOf(command), ...words].join(' ')}

${columns(lines)}
${command.notes ? `\n${command.notes}\n` : ''}
For example:
  ${PREFIX} ${command.example}`;
}

export function helpForProcess({ name, summary }: (typeof PROCESSES)[number]): string {
  return `${summary}

Usage: ${PREFIX} ${name}

It takes no options: everything comes from the configuration (docs/operate/configuration.md).`;
}
