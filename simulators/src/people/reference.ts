// The three bureaus' references of an account, each in its own style. A function of only the person and the place.
import { hash32 } from '../random.ts';
import type { BureauName } from './lenders.ts';

const pad = (value: number, width: number) => String(value).padStart(width, '0');

export function referenceOf(bureau: BureauName, seed: string, person: number, index: number): string {
  const base = hash32(`${seed}/${bureau}/${person}`);
  switch (bureau) {
    case 'albion':
      return `A-${pad(base % 100_000, 5)}-${pad(index, 3)}`;
    case 'beacon':
      return `B${pad(base % 10_000, 4)}.${pad(index, 2)}`;
    case 'cygnet':
      return `c-${pad(base % 10_000, 4)}-${letters(index)}`;
  }
}

/** 0 is `aa`, 1 is `ab` …; longer when needed. */
function letters(index: number): string {
  const last = String.fromCharCode(97 + (index % 26));
  return index < 676
    ? String.fromCharCode(97 + Math.floor(index / 26)) + last
    : letters(Math.floor(index / 26) - 1) + last;
}
