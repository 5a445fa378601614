// The command's options, and the rule that keeps held-out people unseen: their errors are not shown.
import { parseArgs } from 'node:util';
import { PROFILES, type Profile } from './noise.ts';

export const HELD_OUT_FROM = 1_000_000;
const DEFAULT_SEED = 1_000_001;
const DEVELOPMENT_SEED = 1;
const PEOPLE_QUICK = 5_000;
const PEOPLE_FULL = 50_000;

export const USAGE = `npm run bench:merge -- [options]
  --people N                             people per profile (5,000; with --full 50,000)
  --full                                 50,000 people per profile
  --profile standard|harsh|adversarial   one profile instead of all three
  --seed S                               1 to 999 for development, from 1,000,000 held out (1,000,001)
  --json                                 one JSON object on stdout; the standard profile unless --profile says otherwise
  --gates                                exit code 1 when a gate is not met
  --errors N                             the first N wrong people, development seeds only
  --noise                                the noise rates found in generated people; needs no matcher
  --scale                                time for one report of 60, 3,000 and 30,000 rows`;

export type Options = {
  readonly people: number;
  readonly profiles: readonly Profile[];
  readonly seed: number;
  readonly mode: 'table' | 'json' | 'noise' | 'scale' | 'help';
  readonly isGated: boolean;
  readonly errors: number;
};

/** A refusal that the user can act on, in contrast to a fault. */
export class UsageError extends Error {}

function wholeNumber(name: string, text: string, least: number): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < least)
    throw new UsageError(`--${name} wants a whole number from ${least}`);
  return value;
}

function readArguments(argv: readonly string[]) {
  const text = { type: 'string' } as const;
  const flag = { type: 'boolean', default: false } as const;
  try {
    return parseArgs({
      args: [...argv],
      options: {
        ...{ people: text, profile: text, seed: text, errors: text },
        ...{ full: flag, json: flag, gates: flag, noise: flag, scale: flag, help: flag, 'i-know': flag },
      },
    }).values;
  } catch (cause) {
    throw new UsageError(cause instanceof Error ? cause.message : String(cause), { cause });
  }
}

function modeOf(values: ReturnType<typeof readArguments>): Options['mode'] {
  for (const mode of ['help', 'json', 'noise', 'scale'] as const) if (values[mode]) return mode;
  return 'table';
}

export function readOptions(argv: readonly string[]): Options {
  const values = readArguments(argv);
  const mode = modeOf(values);
  const errors = values.errors === undefined ? 0 : wholeNumber('errors', values.errors, 1);
  const fallbackSeed = errors > 0 ? DEVELOPMENT_SEED : DEFAULT_SEED;
  const seed = values.seed === undefined ? fallbackSeed : wholeNumber('seed', values.seed, 0);
  if (errors > 0 && seed >= HELD_OUT_FROM && !values['i-know']) {
    throw new UsageError(
      `seed ${seed} is held out: tuning by its errors would spoil it. Use a seed from 1 to 999, or --i-know`,
    );
  }
  const profile = PROFILES.find((name) => name === values.profile);
  if (values.profile !== undefined && profile === undefined) {
    throw new UsageError(`--profile is one of ${PROFILES.join(', ')}`);
  }
  const people = values.full ? PEOPLE_FULL : PEOPLE_QUICK;
  return {
    people: values.people === undefined ? people : wholeNumber('people', values.people, 1),
    profiles: profile === undefined ? (mode === 'json' ? ['standard'] : PROFILES) : [profile],
    ...{ seed, mode, isGated: values.gates, errors },
  };
}
