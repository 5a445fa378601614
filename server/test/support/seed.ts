// Random choices of a test, from the seed of the run. `npm run prove` chooses a new one; all others have the same.
import { onTestFailed } from 'vitest';

export const SEED = Number(process.env['TREFOIL_TEST_SEED'] ?? 20_261_118);

/** As Math.random, but the same numbers in the same order for the same seed (mulberry32). */
export function seededRandom(): () => number {
  let state = SEED;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** In the test itself: if it fails, the run says with which seed. */
export function tellSeed(): void {
  onTestFailed(() => console.log(`repeat it with TREFOIL_TEST_SEED=${SEED}`));
}
