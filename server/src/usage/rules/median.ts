// The median of values that were counted by value. Pure.

export type Counted = { readonly value: number; readonly count: number };

/** Half of all values are at or below it; null without values. */
export function medianOf(counted: readonly Counted[]): number | null {
  const total = counted.reduce((sum, { count }) => sum + count, 0);
  let seen = 0;
  for (const { value, count } of counted.toSorted((a, b) => a.value - b.value)) {
    seen += count;
    if (count > 0 && seen * 2 >= total) return value;
  }
  return null;
}
