// The options of commands: what each accepts, and how command-line words become values. No message repeats a refused
// value: what was pasted in the wrong place may be a secret.
import { parseArgs } from 'node:util';
import { ROLES, type Role, SCOPES, type Scope } from '@trefoil/contract';
import { isUuid } from '../lib/ids.ts';
import { accountEmail, isEmail } from '../lib/values/email.ts';
import { parseInstant } from '../lib/values/instant.ts';
import { nearest } from '../lib/values/nearest.ts';
import { inWords } from './print.ts';

/** The command line is wrong: exit code 2. */
export class UsageError extends Error {}

/** A kind of value: its name in the help, what a message says is expected, and its parser. */
type Kind<T> = {
  readonly placeholder: string;
  readonly expected: string;
  /** Values that begin with a dash, which otherwise marks an option. */
  readonly dashed?: RegExp;
  parse(text: string): T | undefined;
};

type Option<T> = {
  /** Absent for a flag, which takes no value. */
  readonly kind?: Kind<unknown>;
  readonly isRequired: boolean;
  readonly description: string;
  /** Never set: only carries the type of the value. */
  readonly value?: T;
};
export type AnyOption = Option<unknown>;
export type ValuesOf<Options> = {
  readonly [Name in keyof Options]: Options[Name] extends Option<infer T> ? T : never;
};

export function required<T>(kind: Kind<T>, description: string): Option<T> {
  return { kind, isRequired: true, description };
}

export function optional<T>(kind: Kind<T>, description: string): Option<T | undefined> {
  return { kind, isRequired: false, description };
}

export function flag(description: string): Option<boolean> {
  return { isRequired: false, description };
}

const TEXT_LENGTH_MAX = 200;

export const text: Kind<string> = {
  placeholder: 'text',
  expected: `1 to ${TEXT_LENGTH_MAX} characters without control characters`,
  parse(given) {
    const trimmed = given.trim();
    const { length } = [...trimmed];
    return length > 0 && length <= TEXT_LENGTH_MAX && !/\p{Cc}/u.test(trimmed) ? trimmed : undefined;
  },
};

export const id: Kind<string> = {
  placeholder: 'id',
  expected: 'an id: a UUID such as 01997c2e-5a10-7bd3-9c4e-2f60d81b7a35',
  parse: (given) => (isUuid(given.toLowerCase()) ? given.toLowerCase() : undefined),
};

/** An id, or a name, which is replaced by the id before the command runs (find-tenant.ts). */
export const tenantRef: Kind<string> = {
  placeholder: 'tenant',
  expected: `the id or the name of a tenant, ${text.expected}`,
  parse: (given) => id.parse(given.trim()) ?? text.parse(given),
};

export const email: Kind<string> = {
  placeholder: 'address',
  expected: 'an e-mail address such as ada@example.com',
  parse: (given) => (isEmail(given) ? accountEmail(given) : undefined),
};

export const role: Kind<Role> = {
  placeholder: 'role',
  expected: `one of ${ROLES.join(', ')}`,
  parse: (given) => ROLES.find((each) => each === given),
};

export const scopes: Kind<readonly Scope[]> = {
  placeholder: 'a,b',
  expected: `a comma-separated list of ${SCOPES.join(', ')}`,
  parse(given) {
    const names = new Set(given.split(',').map((name) => name.trim()));
    const known = SCOPES.filter((scope) => names.has(scope));
    return known.length === names.size ? known : undefined;
  },
};

export const file: Kind<string> = { placeholder: 'file', expected: 'the path of a file', parse: (given) => given };

export function integer(min: number, max: number): Kind<number> {
  return {
    placeholder: 'n',
    expected: `a whole number from ${min} to ${max}`,
    parse(given) {
      const value = /^\d{1,15}$/.test(given) ? Number(given) : Number.NaN;
      return value >= min && value <= max ? value : undefined;
    },
  };
}

/** Thumbprints (RFC 7638): one in 64 begins with a dash. */
export const keyIds: Kind<readonly string[]> = {
  placeholder: 'a,b',
  expected: 'ids of keys with commas between, of 43 letters, digits, - and _ each',
  dashed: /^-[\w-]{42}(,|$)/,
  parse(given) {
    const ids = given.split(',').map((each) => each.trim());
    return ids.every((each) => /^[\w-]{43}$/.test(each)) ? ids : undefined;
  },
};

export function word<const T extends readonly string[]>(words: T): Kind<T[number]> {
  return {
    placeholder: 'word',
    expected: `one of ${words.join(', ')}`,
    parse: (given) => words.find((each) => each === given),
  };
}

/** Kept exactly as given, since they are later compared exactly. */
export function webAddresses(isGood: (text: string) => boolean): Kind<readonly string[]> {
  return {
    placeholder: 'a,b',
    expected: 'a comma-separated list of https addresses (or http to this machine: 127.0.0.1, [::1], localhost)',
    parse(given) {
      const addresses = given.split(',').map((address) => address.trim());
      return addresses.every(isGood) && new Set(addresses).size === addresses.length ? addresses : undefined;
    },
  };
}

/** More than any wallet will see, and far below the largest safe integer. */
export const CREDITS_MAX = 1_000_000_000;

export const credits = integer(1, CREDITS_MAX);

/** Up or down, never zero. */
export const signedCredits: Kind<number> = {
  placeholder: '±n',
  expected: `a whole number from -${CREDITS_MAX} to ${CREDITS_MAX}, not 0`,
  dashed: /^-\d/,
  parse(given) {
    const value = credits.parse(given.replace(/^[+-]/, ''));
    return value === undefined || !given.startsWith('-') ? value : -value;
  },
};

export const instant: Kind<Date> = {
  placeholder: 'when',
  expected: 'a date such as 2026-03-01 (midnight UTC) or an instant such as 2026-03-01T09:00:00Z',
  parse: parseInstant,
};

/** Every command has these two. */
export const COMMON_OPTIONS = {
  json: flag('Print JSON instead of tables and sentences.'),
  help: flag('Explain the command and do nothing.'),
};

type Options = Readonly<Record<string, AnyOption>>;

/** Parses the words after a command's name into the values of its options; a flag is true or false. */
export function parseOptions(args: readonly string[], ownOptions: Options, word?: string): Record<string, unknown> {
  const options: Options = { ...ownOptions, ...COMMON_OPTIONS };
  const given = readTokens(args, options, word);
  const missing = Object.entries(options).filter(([name, { isRequired }]) => isRequired && !given.has(name));
  if (missing.length > 0) {
    const names = missing.map(([name, { kind }]) => `--${name} <${kind?.placeholder}>`);
    throw new UsageError(`${inWords(names)} ${missing.length > 1 ? 'are' : 'is'} missing.`);
  }
  const values = Object.entries(options).map(([name, { kind }]) => {
    const text = given.get(name);
    if (!kind) return [name, text !== undefined];
    return [name, text === undefined ? undefined : parseValue(name, kind, text)];
  });
  return Object.fromEntries(values);
}

function parseValue(name: string, kind: Kind<unknown>, text: string): unknown {
  const value = kind.parse(text);
  if (value === undefined) throw new UsageError(`--${name} must be ${kind.expected}.`);
  return value;
}

/** Not strict, so that the error messages are ours. */
function readTokens(args: readonly string[], options: Options, word: string | undefined): Map<string, string> {
  const types = Object.entries(options).map(
    ([name, { kind }]) => [name, { type: kind ? ('string' as const) : ('boolean' as const) }] as const,
  );
  const { tokens } = parseArgs({
    args: [...args],
    options: Object.fromEntries(types),
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const given = new Map<string, string>();
  for (const token of tokens) {
    if (token.kind === 'option-terminator') continue;
    if (token.kind === 'positional') {
      if (word === undefined || given.has(word)) {
        throw new UsageError('There is an extra word: each value follows its --option.');
      }
      given.set(word, token.value);
      continue;
    }
    const option = Object.hasOwn(options, token.name) ? options[token.name] : undefined;
    if (!option) throw new UsageError(unknownOption(token.rawName, Object.keys(options)));
    if (given.has(token.name)) throw new UsageError(`--${token.name} is given twice.`);
    const isDashed = option.kind?.dashed?.test(token.value ?? '');
    const isValue = token.value !== undefined && (token.inlineValue || isDashed || !token.value.startsWith('-'));
    if (option.kind && !isValue) throw new UsageError(`--${token.name} needs a value: ${option.kind.expected}.`);
    if (!option.kind && token.inlineValue) throw new UsageError(`--${token.name} takes no value.`);
    given.set(token.name, token.value ?? '');
  }
  return given;
}

function unknownOption(rawName: string, names: readonly string[]): string {
  const match = nearest(rawName.replace(/^-+/, ''), names);
  return `There is no option ${rawName}.${match ? ` Did you mean --${match}?` : ''}`;
}
