// Answers a command line: finds the command, parses its options, runs it, prints its answer. Exit code 0 when done, 1 when
// refused or when a check found a problem, 2 when the command line is wrong. Answers go to standard output, everything else to
// standard error.
import { describeUnknown } from '../config/settings.ts';
import { nearest } from '../lib/values/nearest.ts';
import { findTerminal, requireYes } from './ask.ts';
import { type Answer, type Command, type LoadConfig, nameOf, Refusal } from './command.ts';
import { loadAllCommands, loadCommands, MOVED, NOUNS, PROCESSES } from './commands.ts';
import { explainError } from './explain-error.ts';
import { resolveTenants } from './find-tenant.ts';
import { helpForAll, helpForCommand, helpForNoun, helpForProcess } from './help.ts';
import { parseOptions, UsageError } from './options.ts';
import { inWords } from './print.ts';
import { PROGRAM } from './program-name.ts';
import type { Terminal } from './run-command.ts';
import { withDatabase } from './with-database.ts';

const HELP_OPTIONS = ['--help', '-h'];
const HELP_WORDS = ['help', ...HELP_OPTIONS];

const processTerminal = (): Terminal => ({
  log: (text: string) => console.log(text),
  error: (text: string) => console.error(text),
  ask: findTerminal(),
});

export async function answerCommand(
  args: readonly string[],
  loadConfig: LoadConfig,
  terminal: Terminal = processTerminal(),
): Promise<number> {
  try {
    const { text, isAlarm } = await answer(args, loadConfig, terminal);
    terminal.log(text);
    return isAlarm ? 1 : 0;
  } catch (error) {
    if (error instanceof UsageError) {
      terminal.error(error.message);
      return 2;
    }
    const sentence = error instanceof Refusal ? error.message : explainError(error);
    if (sentence === undefined) throw error;
    terminal.error(sentence);
    return 1;
  }
}

type Printed = { readonly text: string; readonly isAlarm?: boolean };

async function answer(args: readonly string[], loadConfig: LoadConfig, terminal: Terminal): Promise<Printed> {
  const [noun = 'help', ...rest] = args;
  if (HELP_WORDS.includes(noun)) return { text: await helpFor(rest) };
  const commands = await loadCommands(noun);
  const { command, words } = findCommand(commands, noun, rest);
  if (!command) return { text: helpForNoun(noun, commands) };
  if (words[0] === 'help' || words.some((word) => HELP_OPTIONS.includes(word))) {
    return { text: helpForCommand(command) };
  }
  const values = readOptions(command, words);
  const { text, data, isAlarm = false } = await execute(command, values, loadConfig, terminal);
  return { text: values['json'] ? JSON.stringify(data, null, 2) : text, isAlarm };
}

/** The words of `help tenant create` are looked up like a command's. */
async function helpFor(words: readonly string[]): Promise<string> {
  const [noun, ...rest] = words.filter((word) => !HELP_WORDS.includes(word));
  if (noun === undefined) return helpForAll(await loadAllCommands());
  const process = PROCESSES.find(({ name }) => name === noun);
  if (process) return helpForProcess(process);
  const commands = await loadCommands(noun);
  const { command } = findCommand(commands, noun, rest.length > 0 ? rest : ['help']);
  return command ? helpForCommand(command) : helpForNoun(noun, commands);
}

type Found = { readonly command?: Command; readonly words: readonly string[] };

/** No command means that the operator asked for the noun's help. */
function findCommand(commands: readonly Command[], noun: string, rest: readonly string[]): Found {
  if (commands.length === 0) {
    const match = nearest(noun, [...NOUNS, ...PROCESSES.map(({ name }) => name)]);
    throw new UsageError(`There is no command '${noun}'. ${suggestion(match)}`);
  }
  const verbs = commands.flatMap((command) => command.verb ?? []);
  if (verbs.length === 0) return { command: commands[0] as Command, words: rest };
  const [verb, ...words] = rest;
  if (HELP_WORDS.includes(verb ?? '')) return { words };
  const command = commands.find((each) => each.verb === verb);
  if (command) return { command, words };
  const moved = MOVED[`${noun} ${verb}`];
  if (moved) throw new UsageError(`The command '${noun} ${verb}' is now '${moved}'.`);
  if (verb === undefined || verb.startsWith('-')) {
    throw new UsageError(`Say what to do: ${noun} ${inWords(verbs).replace(' and ', ' or ')}. ${hint(noun)}`);
  }
  const match = nearest(verb, verbs);
  throw new UsageError(`There is no command '${noun} ${verb}'. ${suggestion(match && `${noun} ${match}`, noun)}`);
}

const hint = (noun?: string) => `See: ${PROGRAM} ${noun ? `${noun} help` : 'help'}`;
const suggestion = (match: string | undefined, noun?: string) => (match ? `Did you mean '${match}'?` : hint(noun));

function readOptions(command: Command, words: readonly string[]) {
  try {
    return parseOptions(words, command.options, command.word);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    throw new UsageError(`${error.message} See: ${PROGRAM} ${nameOf(command)} --help`);
  }
}

async function execute(
  command: Command,
  values: Record<string, unknown>,
  loadConfig: LoadConfig,
  terminal: Terminal,
): Promise<Answer> {
  if ('runAlone' in command) return command.runAlone(values);
  if ('runLoading' in command) return command.runLoading(loadConfig, values);
  const config = await loadConfig();
  for (const unknown of config.unknownSettings) terminal.error(describeUnknown(unknown));
  if ('runConfigured' in command) return command.runConfigured(config, values);
  return withDatabase(config, async (database) => {
    const resolved = await resolveTenants(database, command.options, values);
    const preview = values['yes'] ? undefined : await command.preview?.(database, resolved);
    if (preview !== undefined) await requireYes(preview, terminal.ask);
    return command.run(database, resolved, { config, tell: (sentence) => terminal.error(sentence) });
  });
}
