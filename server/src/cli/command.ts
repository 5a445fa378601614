// What a command of the operator is: data for the help, a function for the work. A command returns what it has to say
// and prints nothing itself.
import type { Config } from '../config.ts';
import type { Database } from '../lib/database.ts';
import type { AnyOption, ValuesOf } from './options.ts';

/** Sentences or a table for a person, and the same as data for a program. */
export type Answer = {
  readonly text: string;
  readonly data: unknown;
  /** The command did its work and what it found is bad: exit code 1. */
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
};

/** Says how far a long command has come; never part of its answer. */
export type Tell = (sentence: string) => void;

type Work =
  | { run(database: Database, values: Readonly<Record<string, unknown>>, tell: Tell): Promise<Answer> }
  /** Needs the configuration and no database. */
  | { runConfigured(config: Config, values: Readonly<Record<string, unknown>>): Promise<Answer> }
  /** Needs neither database nor configuration. */
  | { runAlone(values: Readonly<Record<string, unknown>>): Promise<Answer> };

export type Command = Description & { readonly options: Readonly<Record<string, AnyOption>> } & Work;

/** Gives `run` the types of its own options; the table of commands holds commands of every kind. */
export function defineCommand<const Options extends Readonly<Record<string, AnyOption>>>(
  command: Description & {
    readonly options: Options;
    run(database: Database, values: ValuesOf<Options>, tell: Tell): Promise<Answer>;
  },
): Command {
  return command as unknown as Command;
}

export function defineConfiguredCommand<const Options extends Readonly<Record<string, AnyOption>>>(
  command: Description & {
    readonly options: Options;
    runConfigured(config: Config, values: ValuesOf<Options>): Promise<Answer>;
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
