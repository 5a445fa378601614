// The breaking changes that a reviewer has accepted, with the reason. An acceptance that matches no change is an error too:
// it would cover a later change that no reviewer has seen.
import { type Change, changeText } from './changes.ts';

export type Acceptance = { readonly reason: string; readonly changes: readonly string[] };

export type Verdict = {
  readonly refused: readonly string[];
  readonly accepted: readonly Acceptance[];
  readonly additive: readonly string[];
  readonly unused: readonly string[];
};

export function readAcceptances(value: unknown): Acceptance[] {
  if (!Array.isArray(value)) throw new Error('Accepted changes are a list of {reason, changes}.');
  return value.map(({ reason, changes }: Partial<Acceptance>) => {
    if (typeof reason !== 'string' || reason.trim() === '') throw new Error('An accepted change needs a reason.');
    if (!Array.isArray(changes) || changes.length === 0) throw new Error(`"${reason}" names no changes.`);
    return { reason, changes: changes.map(String) };
  });
}

export function judge(changes: readonly Change[], acceptances: readonly Acceptance[]): Verdict {
  const named = new Set(acceptances.flatMap(({ changes: texts }) => texts));
  const breaking = new Set(changes.filter(({ isBreaking }) => isBreaking).map(changeText));
  return {
    refused: [...breaking].filter((text) => !named.has(text)),
    accepted: acceptances.map(({ reason, changes: texts }) => ({
      reason,
      changes: texts.filter((text) => breaking.has(text)),
    })),
    additive: changes.filter(({ isBreaking }) => !isBreaking).map(changeText),
    unused: [...named].filter((text) => !breaking.has(text)),
  };
}

export const isSound = ({ refused, unused }: Verdict): boolean => refused.length === 0 && unused.length === 0;

/** The newest of file names such as `0.1.0.openapi.json`, by version number. */
export function newestRelease(names: readonly string[]): string | undefined {
  const versions = names.flatMap((name) => /^(\d+\.\d+\.\d+)\.openapi\.json$/.exec(name)?.[1] ?? []);
  const numbers = (version: string) => version.split('.').map(Number);
  return versions
    .toSorted((left, right) => {
      const [a, b] = [numbers(left), numbers(right)];
      const at = a.findIndex((number, index) => number !== b[index]);
      return at < 0 ? 0 : (a[at] ?? 0) - (b[at] ?? 0);
    })
    .at(-1);
}
