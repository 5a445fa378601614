// The few statistics the speed benchmark reports.

/** For a sorted list: the value that the given share of the list lies below. NaN for an empty list. */
export function quantile(sorted: ArrayLike<number>, share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** The middle value, or the mean of the two middle values. NaN for an empty list or one with a NaN in it. */
export function median(values: readonly number[]): number {
  // NaN does not compare, so the middle of such a list would be an arbitrary value.
  if (values.some(Number.isNaN)) return Number.NaN;
  const sorted = values.toSorted((a, b) => a - b);
  const [below, above] = [sorted[Math.ceil(sorted.length / 2) - 1], sorted[Math.floor(sorted.length / 2)]];
  return below === undefined || above === undefined ? Number.NaN : (below + above) / 2;
}
