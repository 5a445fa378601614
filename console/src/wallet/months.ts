// Which months the picker offers. Pure.

/** Newest first: the months that there are, the current one, and the one that the address names. */
export const monthsToOffer = (months: readonly string[], now: string, chosen: string) =>
  [...new Set([...months, now, chosen])].toSorted((a, b) => b.localeCompare(a));

/** The months beside the chosen one; undefined at either end. */
export function neighboursOf(offered: readonly string[], chosen: string) {
  const place = offered.indexOf(chosen);
  return { before: offered[place + 1], after: place > 0 ? offered[place - 1] : undefined };
}
