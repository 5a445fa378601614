// The help, generated from the table of commands: for everything, for a noun, for a command.
import { type Command, nameOf } from './command.ts';
import { PROCESSES } from './commands.ts';
import { COMMON_OPTIONS } from './options.ts';
import { PROGRAM } from './program-name.ts';

function columns(lines: readonly (readonly [string, string])[]): string {
  const width = Math.max(...lines.map(([left]) => left.length));
  return lines.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`).join('\n');
}

const summaries = (commands: readonly Command[]) =>
  columns(commands.map((command) => [nameOf(command), command.summary]));

export function helpForAll(commands: readonly Command[]): string {
  return `Trefoil's command line for operators.

Usage: ${PROGRAM} <noun> <verb> [options]

Commands:
${summaries(commands)}

Processes:
${columns(PROCESSES.map(({ name, summary }) => [name, summary]))}

Every command explains itself with --help and prints JSON with --json. They act on the database named by the
configuration (docs/operate/configuration.md). A tenant may be given by its id or its name. A command that cannot be
undone asks first, unless you give --yes. Exit codes: 0 done, 1 refused or a break found, 2 not understood.
--version prints the version.

Start here:
  ${PROGRAM} tenant create --help
The first tenant, step by step: docs/operate/command-line.md`;
}

/** `commands` are those of the noun. */
export function helpForNoun(noun: string, commands: readonly Command[]): string {
  const [first] = commands;
  if (first && commands.length === 1) return helpForCommand(first);
  return `Usage: ${PROGRAM} ${noun} <verb> [options]

${summaries(commands)}

Each explains itself with --help. For example:
  ${PROGRAM} ${first?.example}`;
}

export function helpForCommand(command: Command): string {
  const options = { ...command.options, ...COMMON_OPTIONS };
  const words = Object.entries(command.options).map(([name, { kind, isRequired }]) => {
    if (kind && name === command.word) return `<${kind.placeholder}>`;
    const word = kind ? `--${name} <${kind.placeholder}>` : `--${name}`;
    return isRequired ? word : `[${word}]`;
  });
  const lines = Object.entries(options).map(
    ([name, { kind, description }]) => [kind ? `--${name} <${kind.placeholder}>` : `--${name}`, description] as const,
  );
  return `${command.summary}

Usage: ${[PROGRAM, nameOf(command), ...words].join(' ')}

${columns(lines)}
${command.notes ? `\n${command.notes}\n` : ''}
For example:
  ${PROGRAM} ${command.example}`;
}

export function helpForProcess({ name, summary }: (typeof PROCESSES)[number]): string {
  return `${summary}

Usage: ${PROGRAM} ${name}

It takes no options: everything comes from the configuration (docs/operate/configuration.md).`;
}
