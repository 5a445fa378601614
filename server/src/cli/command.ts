// An operator's command: data for the help, a function for the work. A command returns its output
// and prints nothing itself.
import type { Config } from '../config.ts';
import type { Database } from '../lib/postgres/database.ts';
import { type AnyOption, flag, type ValuesOf } from './options.ts';

/** Sentences or a table for people, and the same as data for programs. */
export type Answer = {
  readonly text: string;
  readonly data: unknown;
  /** The command worked and found a problem: exit code 1. */
  readonly isAlarm?: boolean;
};

type Description = {
  readonly noun: string;
  /** Absent for a command of one word. */
  readonly verb?: string;
  readonly summary: string;
  /** What an operator should know before running it. */
  readonly notes?: string;
  readonly example: string;
  /** The option whose value may also be given as a word without its name. */
  readonly word?: string;
};

/** What a command may use besides the database. */
export type Context = {
  readonly config: Config;
  /** Reports the progress of a long command; never part of its answer. */
  tell(sentence: string): void;
};

/** The configuration is loaded only by a command that needs it: it knows every adapter. */
export type LoadConfig = () => Config | Promise<Config>;

type Values = Readonly<Record<string, unknown>>;

type DatabaseWork<V> = {
  run(database: Database, values: V, context: Context): Promise<Answer>;
  /**
   * For a command that no other command can undo: what would be lost, in one line, before the operator is asked.
   * Undefined when nothing would be lost.
   */
  preview?(database: Database, values: V): Promise<string | undefined>;
};

type Work =
  | DatabaseWork<Values>
  /** Needs the configuration and no database. */
  | { runConfigured(config: Config, values: Values): Promise<Answer> }
  /** Loads the configuration itself, because it has something to say about one that cannot be read. */
  | { runLoading(load: LoadConfig, values: Values): Promise<Answer> }
  /** Needs neither database nor configuration. */
  | { runAlone(values: Values): Promise<Answer> };

export type Command = Description & { readonly options: Readonly<Record<string, AnyOption>> } & Work;

const yes = flag('Do not ask; for scripts.');

/** Gives `run` the types of its own options; the table of commands holds commands of every type. */
export function defineCommand<const Options extends Readonly<Record<string, AnyOption>>>(
  command: Description & { readonly options: Options } & DatabaseWork<ValuesOf<Options>>,
): Command {
  const options = command.preview ? { ...command.options, yes } : command.options;
  return { ...command, options } as unknown as Command;
}

export function defineConfiguredCommand<const Options extends Readonly<Record<string, AnyOption>>>(
  command: Description & {
    readonly options: Options;
    runConfigured(config: Config, values: ValuesOf<Options>): Promise<Answer>;
  },
): Command {
  return command as unknown as Command;
}

export function defineLoadingCommand<const Options extends Readonly<Record<string, AnyOption>>>(
  command: Description & {
    readonly options: Options;
    runLoading(load: LoadConfig, values: ValuesOf<Options>): Promise<Answer>;
  },
): Command {
  return command as unknown as Command;
}

export function defineStandaloneCommand<const Options extends Readonly<Record<string, AnyOption>>>(
  command: Description & { readonly options: Options; runAlone(values: ValuesOf<Options>): Promise<Answer> },
): Command {
  return command as unknown as Command;
}

export const nameOf = ({ noun, verb }: Command) => (verb === undefined ? noun : `${noun} ${verb}`);

/** The command was understood and cannot be done: exit code 1. */
export class Refusal extends Error {}
