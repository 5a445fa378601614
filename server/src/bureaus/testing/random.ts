// A seeded source of choices, so that a failing mutation can be reproduced. Tests only.
export type Random = {
  /** From 0 to `max` - 1. */
  below(max: number): number;
  pick<T>(values: readonly T[]): T;
  digits(length: number): string;
};

export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  // mulberry32
  function next(): number {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }
  const below = (max: number) => Math.floor(next() * max);
  return {
    below,
    pick<T>(values: readonly T[]): T {
      const value = values[below(values.length)];
      if (value === undefined) throw new RangeError('nothing to pick from');
      return value;
    },
    digits: (length) => Array.from({ length }, () => below(10)).join(''),
  };
}
