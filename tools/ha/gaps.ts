// The longest time without an acknowledged write, and the figures of several rounds. Pure.

/** `atMs` in the order of time. The stretches before the first and after the last count too. */
export function longestGapMs(atMs: readonly number[], fromMs: number, toMs: number): number {
  const inside = atMs.filter((each) => each > fromMs && each < toMs);
  let longest = 0;
  let last = fromMs;
  for (const each of [...inside, toMs]) {
    longest = Math.max(longest, each - last);
    last = each;
  }
  return longest;
}

export type Spread = { readonly least: number; readonly median: number; readonly most: number };

export function spreadOf(values: readonly number[]): Spread | undefined {
  const sorted = values.toSorted((left, right) => left - right);
  const [least, most] = [sorted[0], sorted.at(-1)];
  const median = sorted[Math.floor((sorted.length - 1) / 2)];
  return least === undefined || median === undefined || most === undefined ? undefined : { least, median, most };
}
