// Whether a run that found something should be repeated before it is believed.
import type { Tally } from './tally.ts';

/** 1 is a verdict. 3 and 4 ask for another run; 4 says that only times were missed, and the machine was measured as slow. */
export type ExitCode = 0 | 1 | 3 | 4;

/**
 * The findings that a slow or stopped machine explains, and that do not concern what was acknowledged, charged or done twice. A
 * finding that is in neither list is grave, so a new one counts at once.
 */
export type Light = {
  /** Something took longer than it may. On a machine that was measured as slow, such a finding says nothing. */
  readonly times: readonly string[];
  /** The run could not look, what it should look at did not happen, or a bound was missed that is no time. Repeated, never excused. */
  readonly others: readonly string[];
};

const areIn = (findings: Iterable<string>, list: readonly string[]) =>
  [...findings].every((about) => list.includes(about));

export function isGrave(findings: Iterable<string>, { times, others }: Light): boolean {
  return !areIn(findings, [...times, ...others]);
}

type Found = { readonly findings: ReadonlyMap<string, unknown> };

export function exitCode({ findings }: Found, light: Light, isMachineSlow: boolean): ExitCode {
  if (findings.size === 0) return 0;
  if (isGrave(findings.keys(), light)) return 1;
  return isMachineSlow && areIn(findings.keys(), light.times) ? 4 : 3;
}

/** Something grave was found, and then the run could not go on: no repeat may hide it. */
export class BrokenOff extends Error {
  constructor(cause: unknown) {
    super(`it could not go on after that: ${cause instanceof Error ? cause.stack : cause}`, { cause });
  }
}

/** For a run that breaks off: says what was found until then, and throws. */
export function breakOff(
  { findings }: Tally,
  light: Light,
  { error, say }: { readonly error: unknown; readonly say: (line: string) => void },
): never {
  for (const [about, { examples }] of findings) say(`FOUND ${about}: ${examples.join('; ')}`);
  throw isGrave(findings.keys(), light) ? new BrokenOff(error) : error;
}

const LAST_LINE = {
  3: 'A slow machine explains all of this: run it again.',
  4: 'The machine was too slow to judge these times: run it again.',
};

/** The last lines of a run that found only what is light. */
export const repeatLines = (code: ExitCode) => (code === 3 || code === 4 ? [LAST_LINE[code]] : []);
