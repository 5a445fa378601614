// Whether agencies contradict each other. Rounding is no contradiction, and a month agrees with every day of it.
import type { AccountStatus } from '@trefoil/contract';

export type Sum = { readonly pence: number; readonly stepPence: 1 | 100 };

/** Null: fewer than two agencies say anything, so there is nothing to compare. */
export type Differs = boolean | null;

function anyPair<T>(told: readonly T[], contradict: (a: T, b: T) => boolean): Differs {
  if (told.length < 2) return null;
  return told.some((a, place) => told.slice(place + 1).some((b) => contradict(a, b)));
}

export const wordsDiffer = (told: readonly (string | number)[]): Differs => anyPair(told, (a, b) => a !== b);

/** An agency that does not know the status, or is looking into it, contradicts no other. */
export const statusesDiffer = (told: readonly AccountStatus[]): Differs =>
  wordsDiffer(told.filter((status) => status !== 'unknown' && status !== 'query'));

/** One agency may round to pounds and another cut the pence: amounts within one step of the coarser one are the same. */
export const sumsDiffer = (told: readonly Sum[]): Differs =>
  anyPair(told, (a, b) => {
    const step = Math.max(a.stepPence, b.stepPence);
    return Math.abs(a.pence - b.pence) > (step === 1 ? 0 : step);
  });

export const datesDiffer = (told: readonly string[]): Differs =>
  anyPair(told, (a, b) => !a.startsWith(b) && !b.startsWith(a));

/** Two comparisons of one row: it differs if either does. */
export function eitherDiffers(a: Differs, b: Differs): Differs {
  if (a === true || b === true) return true;
  return a === null && b === null ? null : false;
}
