// Seeded draws. A stream is a pure function of its name, so an extra draw in one place changes nothing elsewhere.
export type Random = {
  /** In [0, 1). */
  next(): number;
  /** Both ends included. */
  int(from: number, to: number): number;
  chance(probability: number): boolean;
  pick<T>(from: readonly T[]): T;
  /** One of the pairs' values, by relative weight. */
  weighted<T>(from: readonly (readonly [T, number])[]): T;
  digits(count: number): string;
};

/** FNV-1a with a final mix: 32 bits, good enough to spread names of streams. */
export function hash32(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

export function randomFor(...names: readonly (string | number)[]): Random {
  let state = hash32(names.join('/'));
  // mulberry32
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const int = (from: number, to: number) => from + Math.floor(next() * (to - from + 1));
  return {
    next,
    int,
    chance: (probability) => next() < probability,
    pick: (from) => at(from, int(0, from.length - 1)),
    weighted: (from) => {
      let left = next() * from.reduce((sum, [, weight]) => sum + weight, 0);
      for (const [value, weight] of from) {
        left -= weight;
        if (left < 0) return value;
      }
      return at(from, from.length - 1)[0];
    },
    digits: (count) => Array.from({ length: count }, () => int(0, 9)).join(''),
  };
}

/** An element of a list that is known to be long enough. */
export function at<T>(list: readonly T[], index: number): T {
  const found = list[index];
  if (found === undefined) throw new RangeError(`no element ${index} in a list of ${list.length}`);
  return found;
}
