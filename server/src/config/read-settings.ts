// Reads single settings of the environment and collects what is wrong with them. No value is ever part of a message.
import { type Content, readFromFile } from './secret-files.ts';
import { describeUnknown, findUnknownSettings, type Setting, type UnknownSetting } from './settings.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

export class ConfigError extends Error {
  /** Names that are not known are no fault, but often explain one: the setting that is missing was mistyped. */
  constructor(faults: readonly string[], unknown: readonly UnknownSetting[] = []) {
    const list = [...faults, ...unknown.map(describeUnknown)].map((line) => `  ${line}`).join('\n');
    super(`The configuration is not complete, or not safe (docs/operate/configuration.md explains it):\n${list}`);
    this.name = 'ConfigError';
  }
}

/** What is wrong inside a setting, each by its place and without a value. */
export class SettingFaults {
  readonly faults: readonly string[];
  constructor(faults: readonly string[]) {
    this.faults = faults;
  }
}

/** Undefined for a text that is none of it at all. */
export type Parsed<T> = T | SettingFaults | undefined;
type Parse<T> = (text: string) => Parsed<T>;

/** Collects every fault, so that an operator corrects them in one go. */
export function createReader(environment: Environment) {
  const unknownSettings = findUnknownSettings(Object.keys(environment));
  const faults: string[] = [];
  const files = new Map<string, Content | undefined>();
  /** A file is looked at only for a setting that is asked for, and once. */
  function fileOf(name: Setting): Content | undefined {
    if (!files.has(name)) files.set(name, readFromFile(environment, name));
    return files.get(name);
  }
  /** Undefined for a setting that is not there; an empty variable counts as such. */
  function textOf(name: Setting): string | undefined {
    const file = fileOf(name);
    return file ? ('text' in file ? file.text : undefined) : environment[name] || undefined;
  }
  /** Whether the operator has set it, well or badly. */
  const isSet = (name: Setting) => fileOf(name) !== undefined || textOf(name) !== undefined;
  /** The variable that the operator has set. */
  const calledBy = (name: string) => (files.get(name) ? `${name}_FILE` : name);

  function read<T>(name: Setting, expected: string, fallback: string | undefined, parse: Parse<T>): T {
    const file = fileOf(name);
    const text = textOf(name) ?? fallback;
    const value = text === undefined ? undefined : parse(text);
    if (file && 'fault' in file) faults.push(file.fault);
    else if (value instanceof SettingFaults) {
      faults.push(...value.faults.map((fault) => `${calledBy(name)} is not valid: ${fault}`));
      return undefined as T;
    } else if (value === undefined) {
      faults.push(`${calledBy(name)} ${text === undefined ? 'is missing' : 'is not valid'}: ${expected}`);
    }
    // The faults stop the start before this value can be used.
    return value as T;
  }
  const readOptional = <T>(name: Setting, expected: string, parse: Parse<T>): T | undefined =>
    isSet(name) ? read(name, expected, undefined, parse) : undefined;
  /** Throws if anything was wrong. */
  function finish(moreFaults: readonly string[]): void {
    const all = [...faults, ...moreFaults];
    if (all.length > 0) throw new ConfigError(all, unknownSettings);
  }
  return { textOf, isSet, calledBy, read, readOptional, unknownSettings, finish };
}

export type Reader = ReturnType<typeof createReader>;
